"""Faults in the clients' code, with correct terms."""

from tests.faults.fault import CONFORM, fault, proving

FAULTS = (
    fault(
        "avg-le-for-lt",
        "allocate",
        "elif mod > 0 and index < mod:",
        "elif mod > 0 and index <= mod:",
        f"{proving('code.avg')} --no-width",
        "code.avg: expected PROVED, is REFUTED. c1 has the positions []; the encoding gives [2].",
    ),
    fault(
        "circle-modulus",
        "allocate",
        "if i % len(cid_all) == index:",
        "if i % (len(cid_all) + 1) == index:",
        f"{proving('code.circle')} --no-width",
        "code.circle: expected PROVED, is REFUTED. c0 has the positions [0]; the encoding gives [0, 1].",
    ),
    fault(
        "room-remainder",
        "machine_room_of",
        "result.append(premq_all[index + average * len(cid_all)])",
        "result.append(premq_all[index])",
        f"{proving('code.room')} --no-width",
        "code.room: expected PROVED, is REFUTED. c0 has the positions [0, 0]; the encoding gives [0, 2].",
    ),
    fault(
        "ring-behind-for-at",
        "route",
        "place = bisect_left(ring.hashes, hash_function(key))",
        "place = bisect_left(ring.hashes, hash_function(key) + 1)",
        CONFORM,
        "tail is inclusive: recorded [[1, 3], [], [0, 2]], computed [[1], [], [0, 2, 3]]",
    ),
    fault(
        "pop-neighbours",
        "allocate_4_pop",
        "for _ in range(pop_share_queue_num):",
        "for _ in range(pop_share_queue_num - 1):",
        CONFORM,
        "recorded -\\tPOP a0,a1|POP a1,a2|POP a0,a2|, computed -\\tPOP a0|POP a1|POP a2|",
    ),
    fault(
        "pop-all-from-c-on",
        "allocate_4_pop",
        "pop_share_queue_num >= len(cid_all) - 1:",
        "pop_share_queue_num >= len(cid_all):",
        CONFORM,
        "recorded -\\t||, computed -\\tnull|null|null",
    ),
    fault(
        "retry-topic-popped",
        "QueryAssignmentProcessor.request_mode",
        "PULL if topic.startswith(RETRY_GROUP_TOPIC_PREFIX) else self.config.default_message_request_mode",
        "self.config.default_message_request_mode",
        CONFORM,
        "recorded -\\tPULL a0,a1|PULL a2|PULL a3|, computed -\\tPOP a-1|POP a-1|POP a-1|POP a-1",
    ),
    fault(
        "pop-few-counted",
        "PopEncoding",
        "few_readers: Callable[[Int, Int, Int], Int] = lambda q, c, p: c / q + smt.If(p < c % q, 1, 0)",
        "few_readers: Callable[[Int, Int, Int], Int] = lambda q, c, p: c / q + smt.If(p <= c % q, 1, 0)",
        f"{proving('assignment.pop-avg.few')} --no-width",
        "assignment.pop-avg.few: expected PROVED, is UNKNOWN.",
    ),
    fault(
        "lock-kept-in-5.2",
        "JavaV5_2.try_remove_order_message_queue",
        ("entry.locked = False\n            environment.record(PROCESS_QUEUE_LOCKED, queue, 0)"),
        "environment.record(PROCESS_QUEUE_LOCKED, queue, 0)",
        CONFORM,
        "java 5.3.3, oldA for id 24",
    ),
    fault(
        "node-out-too-late",
        "Node.remove_process_queue",
        (
            "self.environment.effects.append((OUT, queue))\n"
            "        self.environment.awaited(self._remove_unnecessary_message_queue, queue)"
        ),
        (
            "self.environment.awaited(self._remove_unnecessary_message_queue, queue)\n"
            "        self.environment.effects.append((OUT, queue))"
        ),
        CONFORM,
        "recorded drop out persist rmOff, computed drop persist rmOff out",
    ),
    fault(
        "pull-limit-one-ms-off",
        "ProcessQueue.is_pull_expired",
        "return now - self.last_pull_timestamp > self.pull_max_idle_time",
        "return now - self.last_pull_timestamp >= self.pull_max_idle_time",
        "enumerate transition.node.changed --quick",
        "pull_age 120000",
    ),
    fault(
        "min-read-as-max",
        "_least",
        "return Number(run, smt.If(second < first, second, first))",
        "return Number(run, smt.If(second > first, second, first))",
        f"{proving('code.avg')} --no-width",
        "code.avg: expected PROVED, is ",
    ),
    fault(
        "store-forgets-nothing",
        "RemoteBrokerOffsetStore.remove_offset",
        ("self.effects.append((REMOVE_OFFSET, queue))\n    self.offset_table.pop(queue, None)"),
        "self.effects.append((REMOVE_OFFSET, queue))",
        CONFORM,
        "BAD transition/store.tsv:",
    ),
)
