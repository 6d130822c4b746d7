"""Faults in the terms, with correct code of the clients."""

from tests.faults.fault import fault, proving

NO_REPLAY = "a counterexample does not replay on the concrete implementation"

FAULTS = (
    fault(
        "avg-owner",
        "owner",
        "/ long_block, (position - long_blocks) / (",
        "/ long_block, position / (",
        proving("allocation.avg.covers"),
        "allocation.avg.covers: expected PROVED, is UNKNOWN. no proof, and no counterexample",
    ),
    fault(
        "circle-count",
        "averagely_by_circle.count",
        "smt.If(index < q % c, 1, 0)",
        "smt.If(index <= q % c, 1, 0)",
        proving("allocation.circle.shares"),
        f"allocation.circle.shares: expected PROVED, is DISAGREE. {NO_REPLAY}",
    ),
    fault(
        "ring-first-on-collision",
        "takes",
        "return smt.If(behind_new == behind_old, new <= old, smt.Not(behind_new))",
        "return smt.If(behind_new == behind_old, new < old, smt.Not(behind_new))",
        proving("allocation.hash.successor"),
        f"allocation.hash.successor: expected PROVED, is DISAGREE. {NO_REPLAY}",
    ),
    fault(
        "java-pulls-overdue",
        "_remove",
        "overdue = smt.And(pushes, entry.pull_age > PULL_IDLE_LIMIT)",
        "overdue = entry.pull_age > PULL_IDLE_LIMIT",
        proving("transition.java_v5_2.kept.pull-and-lite-pull"),
        f"transition.java_v5_2.kept.pull-and-lite-pull: expected PROVED, is DISAGREE. {NO_REPLAY}",
    ),
    fault(
        "java-new-entry-unlocked",
        "_add",
        "new = new_entry(memory, locked=rules.new_locked)",
        "new = new_entry(memory, locked=False)",
        proving("transition.java_v5_2.knows-lock.push-orderly"),
        f"transition.java_v5_2.knows-lock.push-orderly: expected PROVED, is DISAGREE. {NO_REPLAY}",
    ),
    fault(
        "node-throws-nothing",
        "_remove",
        "return Removal(slots, former, turn, fails)",
        "return Removal(slots, former, turn, smt.BoolVal(False))",
        proving("transition.node.marked.clustering"),
        "transition.node.marked.clustering: expected REFUTED, is UNKNOWN. no proof, and no counterexample",
    ),
    fault(
        "node-forgets-what-was-not-sent",
        "_remove",
        ", Slot(saved, REMOVE_OFFSET",
        ", Slot(turn, REMOVE_OFFSET",
        "enumerate transition.node.changed --quick",
        "both sides differ",
    ),
    fault(
        "nearby-every-other-room",
        "takes",
        "return smt.Or(stray, smt.If(own == room, near, smt.And(smt.Not(alive), everywhere)))",
        "return smt.Or(stray, smt.If(own == room, near, everywhere))",
        proving("allocation.nearby.disjoint"),
        "allocation.nearby.disjoint: expected PROVED, is ",
    ),
)
