"""Faults in which code and terms are wrong in the same way, so that they agree."""

from tests.faults.fault import CONFORM, Change, Fault, failing, proving

AVG, CIRCLE = "model/allocation/averagely.py", "model/allocation/averagely_by_circle.py"
ORDERED, ORDERED_TERMS = "model/ordered/consumer.py", "model/machines/ordered/actions.py"
OFFSETS, IN_ORDER, OFFSETS_TERMS = (
    "model/offsets/consumer.py",
    "model/offsets/orderly_consumer.py",
    "model/machines/offsets/actions.py",
)
PULLS, PULLS_TERMS = "model/pulls/consumer.py", "model/machines/pulls.py"
THREAD, SETTLING_TERMS = "model/settling/service_thread.py", "model/machines/settling.py"
GROUP, REGISTRY_TERMS = "model/registry/group.py", "model/machines/registry/actions.py"
SUBSCRIPTIONS_TERMS = "model/machines/subscriptions/actions.py"
BROKER = "tests/model/subscriptions/test_broker.py"

FAULTS = (
    Fault(
        "avg-le-for-lt-alike",
        (
            Change(AVG, "elif mod > 0 and index < mod:", "elif mod > 0 and index <= mod:"),
            Change(
                AVG,
                '''before it is cut at the end of mqAll."""
    return smt.If(q <= c, 1, smt.If(index < q % c, q / c + 1, q / c))''',
                '''before it is cut at the end of mqAll."""
    return smt.If(q <= c, 1, smt.If(smt.And(q % c > 0, index <= q % c), q / c + 1, q / c))''',
            ),
        ),
        proving("allocation.avg.disjoint"),
        "allocation.avg.disjoint: expected PROVED, is REFUTED. queue 3 is consumed by both c1 and c2.",
    ),
    Fault(
        "circle-from-the-end-alike",
        (
            Change(
                CIRCLE,
                "        if i % len(cid_all) == index:",
                "        if (len(mq_all) - 1 - i) % len(cid_all) == index:",
            ),
            Change(CIRCLE, "    for i in range(index, len(mq_all)):", "    for i in range(0, len(mq_all)):"),
            Change(
                CIRCLE,
                "    return smt.And(index <= position, position < q, position % c == index)",
                "    return smt.And(0 <= position, position < q, (q - 1 - position) % c == index)",
            ),
        ),
        CONFORM,
        "AVG_BY_CIRCLE of layout 1b, q=2, c=2: recorded 0|1, computed 1|0",
    ),
    Fault(
        "first-on-collision-alike",
        (
            Change(
                "model/allocation/consistent_hash.py",
                "on_ring[hash_function(node.key)] = node",
                "on_ring.setdefault(hash_function(node.key), node)",
            ),
            Change(
                "model/allocation/ring.py",
                '''the later node stays on the ring.
    """
    return smt.If(behind_new == behind_old, new <= old,''',
                '''the later node stays on the ring.
    """
    return smt.If(behind_new == behind_old, new < old,''',
            ),
        ),
        CONFORM,
        "vnode collision, sorted cid order (c601 added last): recorded",
    ),
    Fault(
        "pull-limit-alike",
        (
            Change("model/client/process_queue.py", "PULL_MAX_IDLE_TIME = 120_000", "PULL_MAX_IDLE_TIME = 240_000"),
            Change("model/transition/step.py", "PULL_IDLE_LIMIT = 120_000", "PULL_IDLE_LIMIT = 240_000"),
        ),
        CONFORM,
        "mem -, rpc 100, max -, upd -, race 0: recorded N:d0l0:n100, computed S:d0l0:n5",
    ),
    Fault(
        "patience-alike",
        (
            Change("model/client/java_v5_2.py", "TRY_LOCK_MS = 500", "TRY_LOCK_MS = 1_000"),
            Change("model/transition/generations.py", "try_lock=500, file_persists", "try_lock=1000, file_persists"),
        ),
        CONFORM,
        "java 5.3.3, effects for id 24",
    ),
    Fault(
        "marked-entry-called-alike",
        (
            Change(ORDERED, "need(not entry.dropped and entry.locked and", "need(entry.locked and"),
            Change(ORDERED_TERMS, "can = And(s.present, Not(s.dropped), believed,", "can = And(s.present, believed,"),
        ),
        proving("ordered.java_v5_2.exclusive.renewed"),
        "ordered.java_v5_2.exclusive.renewed: expected PROVED, is",
    ),
    Fault(
        "marked-batch-taken-alike",
        (
            Change(
                IN_ORDER,
                "        held = self._takes([one for one in held.tree if one <= message] if message",
                "        need(not self.calls and self.noting is None)\n"
                "        held.take_messages([one for one in held.tree if one <= message] if message",
            ),
            Change(
                OFFSETS_TERMS,
                "return step(And(_may_begin(s), s.cached, Not(s.remains)), runs",
                "return step(And(s.present, Not(Or(s.runs, s.late, s.noting)), s.cached, Not(s.remains)), runs",
            ),
        ),
        proving("offsets.java_v5_2-orderly.one-batch"),
        "offsets.java_v5_2-orderly.one-batch: expected PROVED, is",
    ),
    Fault(
        "marked-entry-noted-alike",
        (
            Change(
                OFFSETS,
                "        if not call.held.entry.dropped:\n            offset",
                "        if call.held is self.held:\n            offset",
            ),
            Change(
                OFFSETS,
                "        need(not self._of_entry().entry.dropped)\n        self.ends(message=message)",
                "        self._of_entry()\n        self.ends(message=message)",
            ),
            Change("model/offsets/code.py", "        if c.none or held.entry.dropped:\n", "        if c.none:\n"),
            Change(OFFSETS_TERMS, "notes = Not(Or(s.dropped, c.none))", "notes = Not(c.none)"),
            Change(
                OFFSETS_TERMS,
                "return step(And(s.present, Not(s.dropped), left), **noted",
                "return step(And(s.present, left), **noted",
            ),
        ),
        proving("offsets.java_v5.reset-sent"),
        "offsets.java_v5.reset-sent: expected PROVED, is",
    ),
    Fault(
        "marked-batch-noted-alike",
        (
            Change(
                IN_ORDER,
                "        if not held.entry.dropped:\n            self.noting",
                "        if held is self.held:\n            self.noting",
            ),
            Change(OFFSETS_TERMS, "    notes = Not(s.dropped)\n    behind", "    notes = Not(s.resetting)\n    behind"),
        ),
        # All claims about offsets are as true of it: what is noted was consumed, and commits go back no further.
        *failing(
            "tests/model/offsets/test_orderly_consumer.py::test_dropped_ordered_entry_records_nothing[java_v5_2-orderly]"
        ),
    ),
    Fault(
        "shutdown-keeps-its-locks-alike",
        (
            Change(
                ORDERED,
                "        self.rebalance.unlock_all()\n        self._follow(environment.effects)",
                "        self.rebalance.unlock_all()",
            ),
            Change(ORDERED_TERMS, "        unlocking=Or(s.unlocking, spoken_of),\n        locked", "        locked"),
        ),
        proving("ordered.java_v5_2.exact.shutdown"),
        "ordered.java_v5_2.exact.shutdown: expected PROVED, is",
    ),
    Fault(
        "shutdown-sends-no-offset-alike",
        (
            Change(
                OFFSETS,
                "        if self.held is not None and self.memory is not None:\n"
                "            self._send(self.memory, self.held.began)\n"
                "        self._closes()",
                "        self._closes()",
            ),
            Change(
                OFFSETS_TERMS,
                "    sends = And(s.present, s.memory != NO_OFFSET)\n    return becomes(",
                "    sends = False\n    return becomes(",
            ),
        ),
        # Of concurrent listeners no claim says it; recordings of a shutdown do, which the code is run beside.
        proving("offsets.java_v5_2-orderly.one-batch"),
        "offsets.java_v5_2-orderly.one-batch: expected PROVED, is REFUTED",
    ),
    Fault(
        "shutdown-says-no-good-bye-alike",
        (
            Change(GROUP, "self.leaving, self.change = False, True, self.now", "self.change = False, self.now"),
            Change(REGISTRY_TERMS, "s.but(alive=False, leaving=True, change", "s.but(alive=False, change"),
        ),
        proving("registry.java_v4_9_to_v5_3.good-bye"),
        "registry.java_v4_9_to_v5_3.good-bye: expected PROVED, is REFUTED",
    ),
    Fault(
        "good-bye-told-if-listed-alike",
        (
            Change(
                "model/registry/broker.py",
                "        found.unregister_channel(channel)\n        if not found.channel_info_table:\n"
                "            self.consumer_table.pop(group, None)\n        self.listener",
                "        listed = found.unregister_channel(channel)\n        if not found.channel_info_table:\n"
                "            self.consumer_table.pop(group, None)\n        if listed:\n            self.listener",
            ),
            Change(REGISTRY_TERMS, "told = s.where(record, **_told(", "told = s.where(s.mine, **_told("),
        ),
        # No claim can be about it: nobody's list has changed, so nobody misses the notification.
        *failing("tests/model/registry/test_consumer_manager.py::test_unregistering_notifies_without_a_registration"),
    ),
    Fault(
        "pull-stamped-when-sent-alike",
        (
            Change(
                PULLS,
                "        entry.last_pull_timestamp = NOW\n        if later or self.suspended:\n"
                "            self.service.execute_pull_request(entry)\n            return\n        self._send",
                "        if later or self.suspended:\n"
                "            self.service.execute_pull_request(entry)\n            return\n"
                "        entry.last_pull_timestamp = NOW\n        self._send",
            ),
            Change(
                PULLS_TERMS, "        age=If(s.dropped, s.age, 0),", "        age=If(Or(s.dropped, later), s.age, 0),"
            ),
        ),
        proving("pulls.java_v5_3_3.healed"),
        "pulls.java_v5_3_3.healed: expected PROVED, is REFUTED",
    ),
    Fault(
        "suspended-pulls-alike",
        (
            Change(PULLS, "        if later or self.suspended:", "        if later:"),
            Change(PULLS_TERMS, "    later = Or(c.later, s.suspended)", "    later = c.later"),
        ),
        proving("pulls.java_v5_3_3.rests"),
        "pulls.java_v5_3_3.rests: expected PROVED, is REFUTED",
    ),
    Fault(
        "flag-kept-alike",
        (
            Change(
                THREAD,
                "        self.at = WOKEN if self.has_notified else RESETS\n        self.has_notified = False\n",
                "        self.at = WOKEN if self.has_notified else RESETS\n",
            ),
            Change(SETTLING_TERMS, "at=If(s.flag, WOKEN, RESETS), flag=False)", "at=If(s.flag, WOKEN, RESETS))"),
        ),
        proving("settling.java_v4_9_to_v5_1.waits"),
        "settling.java_v4_9_to_v5_1.waits: expected PROVED, is REFUTED",
    ),
    Fault(
        "same-version-taken-alike",
        (
            Change("model/subscriptions/broker.py", "sub_version > old.sub_version", "sub_version >= old.sub_version"),
            Change(SUBSCRIPTIONS_TERMS, "Or(Not(s.has), version > s.latest)", "Or(Not(s.has), version >= s.latest)"),
        ),
        # No claim is about members whose versions are the same millisecond: what they skip depends on who is first.
        *failing(f"{BROKER}::test_first_expression_of_a_version_stays"),
    ),
    Fault(
        "fixed-delay-alike",
        (
            Change("model/subscriptions/client.py", "self.next += self.period", "self.next = now + self.period"),
            Change(SUBSCRIPTIONS_TERMS, "next=s.next + lim.period,", "next=s.now + lim.period,"),
        ),
        # No claim can be about it: in each world periodic heartbeats are due on time.
        *failing(f"{BROKER}::test_late_periodic_heartbeat_does_not_delay_the_next[java_v4_9_to_v5_3]"),
    ),
)
