"""Guarantee: when a consumer joins, no other consumer gains a queue.

This is the monotonicity of consistent hashing.
"""

from rebalance_proofs.model.group import Group, Results
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.worlds.groups import SymbolicGroup
from rebalance_proofs.proofs.allocation.names import name_consumer, name_queue
from rebalance_proofs.proofs.guarantee import Guarantee, agreed
from rebalance_proofs.proofs.movement.lemmas.joined import joiner, others


def violated(group: SymbolicGroup) -> smt.BoolTerm:
    """Return the condition that an arbitrary queue goes to another former consumer."""
    pairs = zip(group.reference, group.members, strict=True)
    return smt.Or([smt.And(before.listed, after.owns, smt.Not(before.owns)) for before, after in pairs])


def violation(group: Group, results: Results) -> str | None:
    """Describe the first consumer that gains a queue, and the joiner; None if there is none."""
    for other in others(group, results):
        for queue in other.gained:
            who, newcomer = name_consumer(group, other.place), name_consumer(group, joiner(group))
            return f"{who} gains {name_queue(group, queue)} when {newcomer} joins."
    return None


MONOTONE = Guarantee(
    name="monotone",
    sentence="No other consumer gains a queue when one joins, or loses a queue when one leaves",
    source="https://doi.org/10.1145/258533.258660",  # Karger et al. 1997, "Consistent Hashing and Random Trees"
    obligations=agreed(),
    violated=violated,
    violation=violation,
)
