"""Guarantee: when queues are added, every old queue stays with its consumer."""

from rebalance_proofs.model.group import Group, Results
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.worlds.groups import SymbolicGroup
from rebalance_proofs.proofs.allocation.names import name_consumer, name_queue
from rebalance_proofs.proofs.growth.grown import moves
from rebalance_proofs.proofs.guarantee import Guarantee, agreed


def violated(group: SymbolicGroup) -> smt.BoolTerm:
    """Return the condition that a consumer had an arbitrary queue, and has lost it."""
    pairs = zip(group.reference, group.members, strict=True)
    return smt.Or([smt.And(before.owns, smt.Not(after.owns)) for before, after in pairs])


def violation(group: Group, results: Results) -> str | None:
    """Describe the first queue that changes hands; None if there is none."""
    for queue, before, now in moves(group, results):
        whose = "nobody" if now is None else name_consumer(group, now)
        return f"{name_queue(group, queue)} goes from {name_consumer(group, before)} to {whose}."
    return None


STEADY = Guarantee(
    name="steady",
    sentence="Added queues move no old queue, and removed queues move no remaining queue",
    source="https://rocketmq.apache.org/docs/featureBehavior/08consumerloadbalance",
    obligations=agreed(),
    violated=violated,
    violation=violation,
)
