"""Guarantee: a consumer's queues are adjacent in mqAll."""

from itertools import pairwise
from types import SimpleNamespace

from rebalance_proofs.model.allocation.strategy import Encoding
from rebalance_proofs.model.group import Group, Results
from rebalance_proofs.model.queues import NOWHERE, positions_in
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.worlds.groups import SymbolicGroup
from rebalance_proofs.proofs.allocation.names import name_consumer
from rebalance_proofs.proofs.guarantee import Guarantee, agreed
from rebalance_proofs.proofs.obligation import Obligation, Statement, consumer, sizes


def _between(e: Encoding, v: SimpleNamespace) -> Statement:
    return Statement(
        sizes(v)
        | consumer(v, "i")
        | {
            "i owns p": e.owns(v.q, v.c, v.i, v.p),
            "i owns r": e.owns(v.q, v.c, v.i, v.r),
            "s lies between": smt.And(v.p < v.s, v.s < v.r),
        },
        e.owns(v.q, v.c, v.i, v.s),
    )


def violated(group: SymbolicGroup) -> smt.BoolTerm:
    """Return the condition that a consumer's queues are not adjacent.

    It owns two positions, but not every position between them.
    """
    first, last, between = smt.Ints("first last between")
    gaps = []
    for member in group.members:
        e, view = member.encoding, (member.queues, member.consumers, member.index)
        gaps.append(smt.And(e.owns(*view, first), e.owns(*view, last), smt.Not(e.owns(*view, between))))
    return smt.And(first < between, between < last, smt.Or(gaps))


def violation(group: Group, results: Results) -> str | None:
    """Describe the first consumer whose queues are not adjacent; None if there is none."""
    for place, result in enumerate(results):
        found = positions_in(group.consumers[place].mq_all, result)
        places = sorted({position for position in found if position != NOWHERE})
        for before, after in pairwise(places):
            if after != before + 1:
                who = name_consumer(group, place)
                return f"{who} has positions {before} and {after}, but nothing between them."
    return None


CONTIGUOUS = Guarantee(
    name="contiguous",
    sentence="A consumer's queues are adjacent in mqAll",
    source="https://rocketmq.apache.org/docs/featureBehavior/08consumerloadbalance",
    obligations=agreed(
        Obligation(
            "between",
            "A consumer owns every position between two positions that it owns.",
            ("q", "c", "i", "p", "r", "s"),
            _between,
        )
    ),
    violated=violated,
    violation=violation,
)
