"""Guarantee: a tilt of t is attained; t topics of one queue each all go to the first consumer, and none to the last."""

from types import SimpleNamespace

from rebalance_proofs.model.group import Group, Results
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.topics.encoding import TopicsEncoding
from rebalance_proofs.model.topics.family import TopicsGroup
from rebalance_proofs.proofs.allocation.names import name_consumer
from rebalance_proofs.proofs.guarantee import Guarantee, agreed
from rebalance_proofs.proofs.obligation import Obligation, Statement
from rebalance_proofs.proofs.topics.loads import COUNTED, ISSUE, first_load, loads, topics_of

__all__ = ["ATTAINED"]

FIRST, ONE = smt.IntVal(0), smt.IntVal(1)


def several(v: SimpleNamespace) -> dict[str, smt.BoolTerm]:
    """Premise: the first and the last consumer are different."""
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
            "so far the first has all": v.x == v.t,
            "so far the last has none": v.y == 0,
        },
        smt.And(first == v.t + 1, last == 0),
    )


def violated(group: TopicsGroup) -> smt.BoolTerm:
    """Each topic has one queue, but the first consumer has not all of them, or the last has one."""
    first, *others = loads(group)
    if not others:
        return smt.BoolVal(False)
    return smt.And(group.topics == group.queues, smt.Or(first != group.topics, others[-1] != 0))


def violation(group: Group, results: Results) -> str | None:
    """A sentence about the first or the last consumer, if it has another number of queues than the guarantee says."""
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
        Obligation("attained.base", "One topic of one queue goes to the first, not to the last.", ("c",), _base),
        Obligation(
            "attained.step",
            "When the first has all of t topics and the last has none, one topic more of one queue changes neither.",
            ("t", "s", "x", "y", "c"),
            _step,
        ),
        *COUNTED,
    ),
    violated=violated,
    violation=violation,
)
