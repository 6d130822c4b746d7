"""Guarantee: a lower index never has less than a higher one, so that a tilt is always to the same side."""

from itertools import pairwise
from types import SimpleNamespace

from rebalance_proofs.model.group import Group, Results
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.finite import how_many
from rebalance_proofs.model.topics.encoding import TopicsEncoding
from rebalance_proofs.model.worlds.groups import SymbolicGroup
from rebalance_proofs.proofs.allocation.names import name_consumer
from rebalance_proofs.proofs.guarantee import Guarantee, agreed
from rebalance_proofs.proofs.obligation import Obligation, Statement, consumer, sizes
from rebalance_proofs.proofs.topics.loads import COUNTED, ISSUE, first_load, loads, some_topics

__all__ = ["LOWEST_FIRST"]


def two(v: SimpleNamespace) -> dict[str, smt.BoolTerm]:
    """Premises: i and j are indexes, and i is the lower one."""
    return sizes(v) | consumer(v, "i") | consumer(v, "j") | {"i is lower than j": v.i < v.j}


def _base(e: TopicsEncoding, v: SimpleNamespace) -> Statement:
    return Statement(two(v), first_load(e, v.q, v.c, v.i) >= first_load(e, v.q, v.c, v.j))


def _step(e: TopicsEncoding, v: SimpleNamespace) -> Statement:
    return Statement(
        two(v) | some_topics(v) | {"so far i has no less than j": v.x >= v.y},
        e.load(v.x, v.s, v.q, v.c, v.i) >= e.load(v.y, v.s, v.q, v.c, v.j),
    )


def violated(group: SymbolicGroup) -> smt.BoolTerm:
    """Some consumer has less than the next one."""
    return how_many([lower < higher for lower, higher in pairwise(loads(group))]) > 0


def violation(group: Group, results: Results) -> str | None:
    """A sentence about the first consumer that has less than the next one."""
    for place, (lower, higher) in enumerate(pairwise(results)):
        if len(lower) < len(higher):
            this, following = name_consumer(group, place), name_consumer(group, place + 1)
            return f"{this} has {len(lower)} queues, {following} behind it has {len(higher)}."
    return None


LOWEST_FIRST = Guarantee(
    name="lowest-first",
    sentence="Over all topics, a lower index never has fewer queues than a higher one",
    source=ISSUE,
    obligations=agreed(
        Obligation("lowest-first.base", "With one topic, a lower index has no less.", ("q", "c", "i", "j"), _base),
        Obligation(
            "lowest-first.step",
            "When it has no less with t topics, it has no less with one topic more.",
            ("t", "s", "x", "y", "q", "c", "i", "j"),
            _step,
        ),
        *COUNTED,
    ),
    violated=violated,
    violation=violation,
)
