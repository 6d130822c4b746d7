"""Guarantee: the queue counts of two consumers, over t topics, differ by at most t."""

from types import SimpleNamespace

from rebalance_proofs.model.group import Group, Results
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.finite import greatest, least
from rebalance_proofs.model.topics.encoding import TopicsEncoding
from rebalance_proofs.model.topics.family import TopicsGroup
from rebalance_proofs.proofs.allocation.names import extremes
from rebalance_proofs.proofs.guarantee import Guarantee, agreed
from rebalance_proofs.proofs.obligation import Obligation, Statement, consumer, sizes
from rebalance_proofs.proofs.topics.loads import COUNTED, ISSUE, first_load, loads, some_topics, topics_of


def within(x: smt.IntTerm, y: smt.IntTerm, bound: smt.IntTerm | int) -> smt.BoolTerm:
    """Return the condition that the two numbers differ by at most ``bound``."""
    return smt.And(x - y <= bound, y - x <= bound)


def _base(e: TopicsEncoding, v: SimpleNamespace) -> Statement:
    given = sizes(v) | consumer(v, "i") | consumer(v, "j")
    return Statement(given, within(first_load(e, v.q, v.c, v.i), first_load(e, v.q, v.c, v.j), 1))


def _step(e: TopicsEncoding, v: SimpleNamespace) -> Statement:
    given = sizes(v) | consumer(v, "i") | consumer(v, "j") | some_topics(v)
    return Statement(
        given | {"so far they differ by at most t": within(v.x, v.y, v.t)},
        within(e.load(v.x, v.s, v.q, v.c, v.i), e.load(v.y, v.s, v.q, v.c, v.j), v.t + 1),
    )


def violated(group: TopicsGroup) -> smt.BoolTerm:
    """Return the condition that two consumers' loads differ by more than the number of topics.

    The load is the number of a consumer's queues over all topics.
    """
    return greatest(loads(group)) - least(loads(group)) > group.topics


def violation(group: Group, results: Results) -> str | None:
    """Describe two consumers whose loads differ by more than the number of topics.

    None if there are none.
    """
    difference, said = extremes(group, results)
    topics = topics_of(group)
    return f"{said}, of {topics} topic{'' if topics == 1 else 's'}." if difference > topics else None


TILT = Guarantee(
    name="tilt",
    sentence="Queue counts over t topics differ by at most t",
    source=ISSUE,
    obligations=agreed(
        Obligation("tilt.base", "With one topic, two loads differ by at most one.", ("q", "c", "i", "j"), _base),
        Obligation(
            "tilt.step",
            "If two loads differ by at most t with t topics, they differ by at most t + 1 with one more topic.",
            ("t", "s", "x", "y", "q", "c", "i", "j"),
            _step,
        ),
        *COUNTED,
    ),
    violated=violated,
    violation=violation,
)
