"""Guarantee: the largest skew over several topics occurs.

Of t topics with one queue each, the first consumer gets all queues, the last none.
"""

from types import SimpleNamespace

from rebalance_proofs.model.group import Group, Results
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.topics.encoding import TopicsEncoding
from rebalance_proofs.model.topics.family import TopicsGroup
from rebalance_proofs.proofs.allocation.names import name_consumer
from rebalance_proofs.proofs.guarantee import Guarantee, agreed
from rebalance_proofs.proofs.obligation import Obligation, Statement
from rebalance_proofs.proofs.topics.loads import COUNTED, ISSUE, first_load, loads, topics_of

FIRST, ONE = smt.IntVal(0), smt.IntVal(1)


def several(v: SimpleNamespace) -> dict[str, smt.BoolTerm]:
    """Return the assumption that the first and the last consumer are different."""
    return {"at least two consumers": v.c >= 2}


def _base(e: TopicsEncoding, v: SimpleNamespace) -> Statement:
    first, last = (first_load(e, ONE, v.c, index) for index in (FIRST, v.c - 1))
    return Statement(several(v), smt.And(first == 1, last == 0))


def _step(e: TopicsEncoding, v: SimpleNamespace) -> Statement:
    first, last = e.load(v.x, v.s, ONE, v.c, FIRST), e.load(v.y, v.s, ONE, v.c, v.c - 1)
    return Statement(
        several(v)
        | {
            "t topics, at least one": v.t >= 1,
            "each topic has one queue": v.s == v.t,
            "so far the first consumer has all queues": v.x == v.t,
            "so far the last consumer has no queue": v.y == 0,
        },
        smt.And(first == v.t + 1, last == 0),
    )


def violated(group: TopicsGroup) -> smt.BoolTerm:
    """Return the condition that the first or last consumer has a wrong number of queues.

    Each topic has one queue.
    """
    first, *others = loads(group)
    if not others:
        return smt.BoolVal(False)
    return smt.And(group.topics == group.queues, smt.Or(first != group.topics, others[-1] != 0))


def violation(group: Group, results: Results) -> str | None:
    """Describe the first or last consumer, if its number of queues is wrong.

    None if both are right.
    """
    topics = topics_of(group)
    if len(results) < 2 or topics < len(group.queues):
        return None
    for place, expected in ((0, topics), (len(results) - 1, 0)):
        if len(results[place]) != expected:
            who = name_consumer(group, place)
            return f"{who} has {len(results[place])} of {topics} topics with one queue each, not {expected}."
    return None


ATTAINED = Guarantee(
    name="attained",
    sentence="If c > 1, t one-queue topics give the first consumer t queues and the last none",
    source=ISSUE,
    obligations=agreed(
        Obligation(
            "attained.base",
            "The queue of one one-queue topic goes to the first consumer, not to the last.",
            ("c",),
            _base,
        ),
        Obligation(
            "attained.step",
            "If the first consumer has all queues of t topics and the last none, one more one-queue topic keeps that.",
            ("t", "s", "x", "y", "c"),
            _step,
        ),
        *COUNTED,
    ),
    violated=violated,
    violation=violation,
)
