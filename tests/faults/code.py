"""Faults in the clients' code, with correct terms."""

from tests.faults.fault import CONFORM, fault, proving

FAULTS = (
    fault(
        "avg-le-for-lt",
        "model/allocation/averagely.py",
        "elif mod > 0 and index < mod:",
        "elif mod > 0 and index <= mod:",
        f"{proving('code.avg')} --no-width",
        "code.avg: expected PROVED, is DISAGREE. list.complete: the model of its assumptions does not replay",
    ),
    fault(
        "circle-modulus",
        "model/allocation/averagely_by_circle.py",
        "        if i % len(cid_all) == index:",
        "        if i % (len(cid_all) + 1) == index:",
        f"{proving('code.circle')} --no-width",
        "code.circle: expected PROVED, is REFUTED. c0 has the positions [0]; the encoding gives [0, 1].",
    ),
    fault(
        "room-remainder",
        "model/allocation/machine_room.py",
        "premq_all[index + average * len(cid_all)]",
        "premq_all[index]",
        f"{proving('code.room')} --no-width",
        "code.room: expected PROVED, is REFUTED. c0 has the positions [0, 0]; the encoding gives [0, 2].",
    ),
    fault(
        "ring-behind-for-at",
        "model/allocation/consistent_hash.py",
        "from bisect import bisect_left\n",
        "from bisect import bisect_right as bisect_left\n",
        CONFORM,
        "tail is inclusive: recorded [[1, 3], [], [0, 2]], computed [[1], [], [0, 2, 3]]",
    ),
    fault(
        "lock-kept-in-5.2",
        "model/client/java_v5_2.py",
        "                entry.locked = False\n",
        "",
        CONFORM,
        "java 5.3.3, oldA for id 24",
    ),
    fault(
        "node-out-too-late",
        "model/client/node.py",
        """            self.environment.effects.append((OUT, queue))
            self.environment.awaited(self._remove_unnecessary_message_queue, queue)
""",
        """            self.environment.awaited(self._remove_unnecessary_message_queue, queue)
            self.environment.effects.append((OUT, queue))
""",
        CONFORM,
        "recorded drop out persist rmOff, computed drop persist rmOff out",
    ),
    fault(
        "pull-limit-one-ms-off",
        "model/client/process_queue.py",
        "self.last_pull_timestamp > self.pull_max_idle_time",
        "self.last_pull_timestamp >= self.pull_max_idle_time",
        "enumerate transition.node.changed --quick",
        "pull_age 120000",
    ),
    fault(
        "min-read-as-max",
        "proofs/code/builtins_.py",
        "smt.If(second < first, second, first))",
        "smt.If(second > first, second, first))",
        f"{proving('code.avg')} --no-width",
        "code.avg: expected PROVED, is ",
    ),
    fault(
        "store-forgets-nothing",
        "model/client/remote_broker_offset_store.py",
        "        self.offset_table.pop(queue, None)\n",
        "",
        CONFORM,
        "BAD transition/store.tsv:",
    ),
)
