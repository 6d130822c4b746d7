"""Guarantee: when a consumer joins, no other consumer gains a queue.

This is the monotonicity of consistent hashing.
"""

from types import SimpleNamespace

from rebalance_proofs.model.allocation.strategy import Encoding
from rebalance_proofs.model.group import Group, Results
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.worlds.groups import SymbolicGroup
from rebalance_proofs.proofs.allocation.lists import LISTING
from rebalance_proofs.proofs.allocation.stated import name_consumer, name_queue
from rebalance_proofs.proofs.guarantee import Guarantee, agreed
from rebalance_proofs.proofs.movement import lemmas as joined
from rebalance_proofs.proofs.movement.lemmas import joiner, others
from rebalance_proofs.proofs.obligation import Obligation, Statement, consumer, sizes

# Guarantee: when a consumer joins, no other consumer has more queues than before.


def _no_larger(e: Encoding, v: SimpleNamespace) -> Statement:
    return Statement(
        sizes(v) | consumer(v, "i") | joined.joiner_places(v),
        e.count(v.q, v.c + 1, joined.later(v)) <= e.count(v.q, v.c, v.i),
    )


def violated_shrink(group: SymbolicGroup) -> smt.BoolTerm:
    """Return the condition that a former consumer has more queues than before."""
    pairs = zip(group.reference, group.members, strict=True)
    return smt.Or([smt.And(before.listed, after.count > before.count) for before, after in pairs])


def violation_shrink(group: Group, results: Results) -> str | None:
    """Describe the first consumer that has more queues than before; None if there is none."""
    for other in joined.others(group, results):
        had, has = len(other.before), len(other.after)
        if has > had:
            who, newcomer = name_consumer(group, other.place), name_consumer(group, joined.joiner(group))
            return f"{who} has {has} queues, and had {had} before {newcomer} joined."
    return None


SHRINK = Guarantee(
    name="shrink",
    sentence="No other consumer has more queues after a join, or fewer after a leave",
    source="https://rocketmq.apache.org/docs/featureBehavior/08consumerloadbalance",
    obligations=agreed(
        Obligation(
            "no-larger",
            "No consumer's queue count grows when another consumer joins.",
            ("q", "c", "i", "j"),
            _no_larger,
        ),
        *LISTING,
    ),
    violated=violated_shrink,
    violation=violation_shrink,
)


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
