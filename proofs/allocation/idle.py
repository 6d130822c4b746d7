"""Guarantee: with more consumers than queues, exactly c - q consumers get no queue."""

from types import SimpleNamespace

from rebalance_proofs.model.allocation.strategy import Encoding
from rebalance_proofs.model.group import Group, Results
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.simplified import how_many
from rebalance_proofs.model.worlds.groups import AGREED, SymbolicGroup
from rebalance_proofs.proofs.allocation.covers import COVERS
from rebalance_proofs.proofs.allocation.disjoint import EXCLUSIVE
from rebalance_proofs.proofs.allocation.lists import COMPLETE, INSIDE, SOUND
from rebalance_proofs.proofs.guarantee import Guarantee, agreed
from rebalance_proofs.proofs.obligation import Obligation, Statement, consumer, sizes


def _one_each(e: Encoding, v: SimpleNamespace) -> Statement:
    return Statement(
        sizes(v) | consumer(v, "i") | {"more consumers than queues": v.c > v.q}, e.count(v.q, v.c, v.i) <= 1
    )


def violated(group: SymbolicGroup) -> smt.BoolTerm:
    """Return the condition that c > q, and the number of empty results is not c - q."""
    counts = [member.count for member in group.members]
    surplus = len(counts) - group.queues
    return smt.And(surplus > 0, how_many([count <= 0 for count in counts]) != surplus)


def violation(group: Group, results: Results) -> str | None:
    """Describe the number of empty results, if it is not c - q."""
    surplus = len(group.consumers) - len(group.queues)
    empty = sum(not result for result in results)
    if surplus <= 0 or empty == surplus:
        return None
    return f"{empty} of {len(group.consumers)} consumers have no queue, but c - q is {surplus}."


IDLE = Guarantee(
    name="idle",
    sentence="If c > q, exactly c - q consumers get nothing",
    source="https://rocketmq.apache.org/docs/featureBehavior/08consumerloadbalance",
    obligations=agreed(
        Obligation(
            "one-each", "With more consumers than queues, no consumer has two queues.", ("q", "c", "i"), _one_each
        ),
        *COVERS.obligations(AGREED),
        EXCLUSIVE,
        INSIDE,
        SOUND,
        COMPLETE,
    ),
    violated=violated,
    violation=violation,
)
"""The guarantee. Each of the q queues has one owner, and is in the owner's list.

If no list has two elements, these owners all differ. Therefore the obligations suffice.
"""
