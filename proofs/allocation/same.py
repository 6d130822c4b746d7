"""Guarantee: two clients compute the same result for the same group."""

from rebalance_proofs.model.group import Group, Results
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.worlds.groups import SymbolicGroup
from rebalance_proofs.proofs.allocation.names import name_consumer, name_queue
from rebalance_proofs.proofs.guarantee import Guarantee, agreed


def violated(group: SymbolicGroup) -> smt.BoolTerm:
    """Return the condition that only one of two clients gives a consumer an arbitrary queue."""
    return smt.Or([one.owns != other.owns for one, other in zip(group.members, group.reference, strict=True)])


def violation(group: Group, results: Results) -> str | None:
    """Describe the first consumer and queue for which the clients differ; None if there is none."""
    reference = group.compared_with
    for place, (one, other) in enumerate(zip(results, reference.allocate(), strict=True)):
        for queue in group.queues:
            if (queue in one) != (queue in other):
                who, which = name_consumer(group, place), name_queue(group, queue)
                mine, theirs = (g.consumers[place].strategy.name for g in (group, reference))
                takes = mine if queue in one else theirs
                return f"{who} takes {which} by {takes}, and does not by {theirs if queue in one else mine}."
    return None


SAME = Guarantee(
    name="same",
    sentence="Both clients give each consumer the same queues",
    source="https://rocketmq.apache.org/docs/featureBehavior/08consumerloadbalance",
    obligations=agreed(),
    violated=violated,
    violation=violation,
)
