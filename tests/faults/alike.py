"""Faults in which code and terms are wrong in the same way, so that they agree."""

from tests.faults.fault import CONFORM, Change, Fault, failing, proving

BROKER = "tests/model/subscriptions/test_broker.py"

FAULTS = (
    Fault(
        "avg-le-for-lt-alike",
        (
            Change("allocate", "elif mod > 0 and index < mod:", "elif mod > 0 and index <= mod:"),
            Change(
                "size",
                "return smt.If(q <= c, 1, smt.If(index < q % c, q / c + 1, q / c))",
                "return smt.If(q <= c, 1, smt.If(smt.And(q % c > 0, index <= q % c), q / c + 1, q / c))",
            ),
        ),
        proving("allocation.avg.disjoint"),
        "allocation.avg.disjoint: expected PROVED, is REFUTED. queue 3 is consumed by both c1 and c2.",
    ),
    Fault(
        "circle-from-the-end-alike",
        (
            Change(
                "allocate",
                "if i % len(cid_all) == index:",
                "if (len(mq_all) - 1 - i) % len(cid_all) == index:",
            ),
            Change("allocate", "for i in range(index, len(mq_all)):", "for i in range(0, len(mq_all)):"),
            Change(
                "dealt",
                "return smt.And(index <= position, position < q, position % c == index)",
                "return smt.And(0 <= position, position < q, (q - 1 - position) % c == index)",
            ),
        ),
        CONFORM,
        "AVG_BY_CIRCLE of layout 1b, q=2, c=2: recorded 0|1, computed 1|0",
    ),
    Fault(
        "first-on-collision-alike",
        (
            Change(
                "build_ring",
                "on_ring[hash_function(node.key)] = node",
                "on_ring.setdefault(hash_function(node.key), node)",
            ),
            Change(
                "takes",
                "return smt.If(behind_new == behind_old, new <= old, smt.Not(behind_new))",
                "return smt.If(behind_new == behind_old, new < old, smt.Not(behind_new))",
            ),
        ),
        CONFORM,
        "vnode collision, sorted cid order (c601 added last): recorded",
    ),
    Fault(
        "pull-limit-alike",
        (
            Change("PULL_MAX_IDLE_TIME", "PULL_MAX_IDLE_TIME = 120000", "PULL_MAX_IDLE_TIME = 240000"),
            Change("PULL_IDLE_LIMIT", "PULL_IDLE_LIMIT = 120000", "PULL_IDLE_LIMIT = 240000"),
        ),
        CONFORM,
        "mem -, rpc 100, max -, upd -, race 0: recorded N:d0l0:n100, computed S:d0l0:n5",
    ),
    Fault(
        "patience-alike",
        (
            Change("TRY_LOCK_MS", "TRY_LOCK_MS = 500", "TRY_LOCK_MS = 1000"),
            Change("V5_2", ", try_lock=500, file_persists", ", try_lock=1000, file_persists"),
        ),
        CONFORM,
        "java 5.3.3, effects for id 24",
    ),
    Fault(
        "marked-entry-called-alike",
        (
            Change("OrderedConsumer.starts", "need(not entry.dropped and entry.locked", "need(entry.locked"),
            Change(
                "starts",
                "can = And(s.present, Not(s.dropped), believed, s.cached, Not(s.runs), goes_on)",
                "can = And(s.present, believed, s.cached, Not(s.runs), goes_on)",
            ),
        ),
        proving("ordered.java_v5_2.exclusive.renewed"),
        "ordered.java_v5_2.exclusive.renewed: expected PROVED, is",
    ),
    Fault(
        "marked-batch-taken-alike",
        (
            Change(
                "OrderlyConsumer.starts",
                "held = self._takes(",
                "need(not self.calls and self.noting is None)\n    held.take_messages(",
            ),
            Change(
                "starts_in_order",
                "And(_may_begin(s), s.cached, Not(s.remains))",
                "And(s.present, Not(Or(s.runs, s.late, s.noting)), s.cached, Not(s.remains))",
            ),
        ),
        proving("offsets.java_v5_2-orderly.one-batch"),
        "offsets.java_v5_2-orderly.one-batch: expected PROVED, is",
    ),
    Fault(
        "marked-entry-noted-alike",
        (
            Change(
                "OffsetsConsumer._ended",
                "if not call.held.entry.dropped:",
                "if call.held is self.held:",
            ),
            Change(
                "OffsetsConsumer.others",
                "need(not self._of_entry().entry.dropped)",
                "self._of_entry()",
            ),
            Change("_others", "if c.none or held.entry.dropped:", "if c.none:"),
            Change("ends_concurrently", "notes = Not(Or(s.dropped, c.none))", "notes = Not(c.none)"),
            Change(
                "others_concurrently",
                "return step(And(s.present, Not(s.dropped), left), **noted(s, c.offset, c))",
                "return step(And(s.present, left), **noted(s, c.offset, c))",
            ),
        ),
        proving("offsets.java_v5.reset-sent"),
        "offsets.java_v5.reset-sent: expected PROVED, is",
    ),
    Fault(
        "marked-batch-noted-alike",
        (
            Change(
                "OrderlyConsumer._ended",
                "if not held.entry.dropped:",
                "if held is self.held:",
            ),
            Change("ends_in_order", "notes = Not(s.dropped)", "notes = Not(s.resetting)"),
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
                "OrderedConsumer.gives_back",
                ("self.rebalance.unlock_all()\n    self._follow(environment.effects)"),
                "self.rebalance.unlock_all()",
            ),
            Change("gives_back", "=True, unlocking=Or(s.unlocking, spoken_of), locked=And", "=True, locked=And"),
        ),
        proving("ordered.java_v5_2.exact.shutdown"),
        "ordered.java_v5_2.exact.shutdown: expected PROVED, is",
    ),
    Fault(
        "shutdown-sends-no-offset-alike",
        (
            Change(
                "OffsetsConsumer.shuts",
                (
                    "if self.held is not None and self.memory is not None:\n"
                    "        self._send(self.memory, self.held.began)\n"
                    "    self._closes()"
                ),
                "self._closes()",
            ),
            Change(
                "shuts",
                "sends = And(s.present, s.memory != NO_OFFSET)",
                "sends = False",
            ),
        ),
        # Of concurrent listeners no claim says it; recordings of a shutdown do, which the code is run beside.
        proving("offsets.java_v5_2-orderly.one-batch"),
        "offsets.java_v5_2-orderly.one-batch: expected PROVED, is REFUTED",
    ),
    Fault(
        "shutdown-says-no-good-bye-alike",
        (
            Change(
                "Group.leaves",
                "self.alive, self.leaving, self.change = (False, True, self.now)",
                "self.alive, self.change = (False, self.now)",
            ),
            Change(
                "_left",
                "return s.but(alive=False, leaving=True, change=s.now)",
                "return s.but(alive=False, change=s.now)",
            ),
        ),
        proving("registry.java_v4_9_to_v5_3.good-bye"),
        "registry.java_v4_9_to_v5_3.good-bye: expected PROVED, is REFUTED",
    ),
    Fault(
        "good-bye-told-if-listed-alike",
        (
            Change(
                "ConsumerManager.unregister_consumer",
                (
                    "found.unregister_channel(channel)\n"
                    "    if not found.channel_info_table:\n"
                    "        self.consumer_table.pop(group, None)\n"
                    "    self.listener.handle_change(group, found.get_all_channel())"
                ),
                (
                    "listed = found.unregister_channel(channel)\n"
                    "    if not found.channel_info_table:\n"
                    "        self.consumer_table.pop(group, None)\n"
                    "    if listed:\n"
                    "        self.listener.handle_change(group, found.get_all_channel())"
                ),
            ),
            Change(
                "unregisters",
                "told = s.where(record, **_told(s, c, s.mine))",
                "told = s.where(s.mine, **_told(s, c, s.mine))",
            ),
        ),
        # No claim can be about it: nobody's list has changed, so nobody misses the notification.
        *failing("tests/model/registry/test_consumer_manager.py::test_unregistering_notifies_without_a_registration"),
    ),
    Fault(
        "pull-stamped-when-sent-alike",
        (
            Change(
                "PullsConsumer.pull_message",
                (
                    "entry.last_pull_timestamp = NOW\n"
                    "    if later or self.suspended:\n"
                    "        self.service.execute_pull_request(entry)\n"
                    "        return"
                ),
                (
                    "if later or self.suspended:\n"
                    "        self.service.execute_pull_request(entry)\n"
                    "        return\n"
                    "    entry.last_pull_timestamp = NOW"
                ),
            ),
            Change("takes", "age=If(s.dropped, s.", "age=If(Or(s.dropped, later), s."),
        ),
        proving("pulls.java_v5_3_3.healed"),
        "pulls.java_v5_3_3.healed: expected PROVED, is REFUTED",
    ),
    Fault(
        "suspended-pulls-alike",
        (
            Change("PullsConsumer.pull_message", "if later or self.suspended:", "if later:"),
            Change("takes", "later = Or(c.later, s.suspended)", "later = c.later"),
        ),
        proving("pulls.java_v5_3_3.rests"),
        "pulls.java_v5_3_3.rests: expected PROVED, is REFUTED",
    ),
    Fault(
        "flag-kept-alike",
        (
            Change(
                "ServiceThread.looks",
                ("self.at = WOKEN if self.has_notified else RESETS\n    self.has_notified = False"),
                "self.at = WOKEN if self.has_notified else RESETS",
            ),
            Change(
                "looks",
                "return step(s.at == LOOKS, at=If(s.flag, WOKEN, RESETS), flag=False)",
                "return step(s.at == LOOKS, at=If(s.flag, WOKEN, RESETS))",
            ),
        ),
        proving("settling.java_v4_9_to_v5_1.waits"),
        "settling.java_v4_9_to_v5_1.waits: expected PROVED, is REFUTED",
    ),
    Fault(
        "same-version-taken-alike",
        (
            Change(
                "ConsumerGroupInfo.update_subscription",
                "elif sub.sub_version > old.sub_version:",
                "elif sub.sub_version >= old.sub_version:",
            ),
            Change(
                "_updated",
                "news = And(topic, Or(Not(s.has), version > s.latest))",
                "news = And(topic, Or(Not(s.has), version >= s.latest))",
            ),
        ),
        # No claim is about members whose versions are the same millisecond: what they skip depends on who is first.
        *failing(f"{BROKER}::test_first_expression_of_a_version_stays"),
    ),
    Fault(
        "fixed-delay-alike",
        (
            Change("MQClientInstance.scheduled", "self.next += self.period", "self.next = now + self.period"),
            Change(
                "ticks",
                "return step(s.now >= s.next, next=s.next + lim.period, **_begun(s, s.at == IDLE))",
                "return step(s.now >= s.next, next=s.now + lim.period, **_begun(s, s.at == IDLE))",
            ),
        ),
        # No claim can be about it: in each world periodic heartbeats are due on time.
        *failing(f"{BROKER}::test_late_periodic_heartbeat_does_not_delay_the_next[java_v4_9_to_v5_3]"),
    ),
)
