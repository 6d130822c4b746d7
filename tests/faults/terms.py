"""Faults in the terms, with correct code of the clients."""

from tests.faults.fault import fault, proving

NO_REPLAY = "a counterexample does not replay on the concrete implementation"

FAULTS = (
    fault(
        "avg-owner",
        "model/allocation/averagely.py",
        "(position - long_blocks) / (q / c))",
        "position / (q / c))",
        proving("allocation.avg.covers"),
        "allocation.avg.covers: expected PROVED, is UNKNOWN. no proof, and no counterexample",
    ),
    fault(
        "circle-count",
        "model/allocation/averagely_by_circle.py",
        "    return q / c + smt.If(index < q % c, 1, 0)",
        "    return q / c + smt.If(index <= q % c, 1, 0)",
        proving("allocation.circle.shares"),
        f"allocation.circle.shares: expected PROVED, is DISAGREE. {NO_REPLAY}",
    ),
    fault(
        "ring-first-on-collision",
        "model/allocation/ring.py",
        '''the later node stays on the ring.
    """
    return smt.If(behind_new == behind_old, new <= old,''',
        '''the later node stays on the ring.
    """
    return smt.If(behind_new == behind_old, new < old,''',
        proving("allocation.hash.successor"),
        f"allocation.hash.successor: expected PROVED, is DISAGREE. {NO_REPLAY}",
    ),
    fault(
        "java-pulls-overdue",
        "model/transition/java.py",
        "overdue = smt.And(pushes, entry.pull_age > PULL_IDLE_LIMIT)",
        "overdue = entry.pull_age > PULL_IDLE_LIMIT",
        proving("transition.java_v5_2.kept.pull-and-lite-pull"),
        f"transition.java_v5_2.kept.pull-and-lite-pull: expected PROVED, is DISAGREE. {NO_REPLAY}",
    ),
    fault(
        "java-new-entry-unlocked",
        "model/transition/java.py",
        "new = new_entry(memory, locked=rules.new_locked)",
        "new = new_entry(memory, locked=False)",
        proving("transition.java_v5_2.knows-lock.push-orderly"),
        f"transition.java_v5_2.knows-lock.push-orderly: expected PROVED, is DISAGREE. {NO_REPLAY}",
    ),
    fault(
        "node-throws-nothing",
        "model/transition/node.py",
        "return Removal(slots, former, turn, fails)",
        "return Removal(slots, former, turn, smt.BoolVal(False))",
        proving("transition.node.marked.clustering"),
        "transition.node.marked.clustering: expected REFUTED, is UNKNOWN. no proof, and no counterexample",
    ),
    fault(
        "node-forgets-what-was-not-sent",
        "model/transition/node.py",
        "Slot(saved, REMOVE_OFFSET),",
        "Slot(turn, REMOVE_OFFSET),",
        "enumerate transition.node.changed --quick",
        "both sides differ",
    ),
    fault(
        "nearby-every-other-room",
        "model/allocation/machine_room_nearby.py",
        "smt.If(own == room, near, smt.And(smt.Not(alive), everywhere)))",
        "smt.If(own == room, near, everywhere))",
        proving("allocation.nearby.disjoint"),
        "allocation.nearby.disjoint: expected PROVED, is ",
    ),
)
