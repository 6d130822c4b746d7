"""Guarantee: a consumer never has fewer queues than one with a higher index.

The queues are counted over all topics. A skew therefore always favours the same side.
"""

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


def two(v: SimpleNamespace) -> dict[str, smt.BoolTerm]:
    """Return the assumption that i and j are indexes, and i is the lower one."""
    return sizes(v) | consumer(v, "i") | consumer(v, "j") | {"i is lower than j": v.i < v.j}


def _base(e: TopicsEncoding, v: SimpleNamespace) -> Statement:
    return Statement(two(v), first_load(e, v.q, v.c, v.i) >= first_load(e, v.q, v.c, v.j))


def _step(e: TopicsEncoding, v: SimpleNamespace) -> Statement:
    return Statement(
        two(v) | some_topics(v) | {"so far i has at least as many queues as j": v.x >= v.y},
        e.load(v.x, v.s, v.q, v.c, v.i) >= e.load(v.y, v.s, v.q, v.c, v.j),
    )


def violated(group: SymbolicGroup) -> smt.BoolTerm:
    """Return the condition that some consumer has fewer queues than the next one."""
    return how_many([lower < higher for lower, higher in pairwise(loads(group))]) > 0


def violation(group: Group, results: Results) -> str | None:
    """Describe the first consumer that has fewer queues than the next one.

    None if there is none.
    """
    for place, (lower, higher) in enumerate(pairwise(results)):
        if len(lower) < len(higher):
            this, following = name_consumer(group, place), name_consumer(group, place + 1)
            return f"{this} has {len(lower)} queues, {following}, the next consumer, has {len(higher)}."
    return None


LOWEST_FIRST = Guarantee(
    name="lowest-first",
    sentence="Over all topics, a lower index never has fewer queues than a higher one",
    source=ISSUE,
    obligations=agreed(
        Obligation(
            "lowest-first.base",
            "With one topic, a lower index has at least as many queues as a higher one.",
            ("q", "c", "i", "j"),
            _base,
        ),
        Obligation(
            "lowest-first.step",
            "If a lower index has at least as many queues with t topics, it does so with one more topic.",
            ("t", "s", "x", "y", "q", "c", "i", "j"),
            _step,
        ),
        *COUNTED,
    ),
    violated=violated,
    violation=violation,
)
