"""Guarantee: the queue counts of two consumers, over all topics, differ by at most one."""

from types import SimpleNamespace

from rebalance_proofs.model.group import Group, Results
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.finite import greatest, least
from rebalance_proofs.model.topics.encoding import TopicsEncoding
from rebalance_proofs.model.worlds.groups import SymbolicGroup
from rebalance_proofs.proofs.allocation.names import extremes
from rebalance_proofs.proofs.guarantee import Guarantee, agreed
from rebalance_proofs.proofs.obligation import Obligation, Statement, consumer, sizes
from rebalance_proofs.proofs.topics.loads import COUNTED, first_load, loads, some_topics


def close(x: smt.IntTerm, y: smt.IntTerm) -> smt.BoolTerm:
    """Return the condition that the two numbers differ by at most one."""
    return smt.And(x - y <= 1, y - x <= 1)


def _base(e: TopicsEncoding, v: SimpleNamespace) -> Statement:
    given = sizes(v) | consumer(v, "i") | consumer(v, "j")
    return Statement(given, close(first_load(e, v.q, v.c, v.i), first_load(e, v.q, v.c, v.j)))


def _step(e: TopicsEncoding, v: SimpleNamespace) -> Statement:
    given = sizes(v) | consumer(v, "i") | consumer(v, "j") | some_topics(v)
    return Statement(
        given | {"so far they differ by at most one": close(v.x, v.y)},
        close(e.load(v.x, v.s, v.q, v.c, v.i), e.load(v.y, v.s, v.q, v.c, v.j)),
    )


def violated(group: SymbolicGroup) -> smt.BoolTerm:
    """Return the condition that the loads of two consumers differ by more than one.

    The load is the number of a consumer's queues over all topics.
    """
    return greatest(loads(group)) - least(loads(group)) > 1


def violation(group: Group, results: Results) -> str | None:
    """Describe two consumers whose loads differ by more than one; None if there are none."""
    difference, said = extremes(group, results)
    return f"{said}." if difference > 1 else None


LEVEL = Guarantee(
    name="level",
    sentence="Queue counts over all topics differ by at most one",
    source="https://kafka.apache.org/42/javadoc/org/apache/kafka/clients/consumer/RoundRobinAssignor.html",
    obligations=agreed(
        Obligation("level.base", "With one topic, two loads differ by at most one.", ("q", "c", "i", "j"), _base),
        Obligation(
            "level.step",
            "If two loads differ by at most one with t topics, they do so with one more topic.",
            ("t", "s", "x", "y", "q", "c", "i", "j"),
            _step,
        ),
        *COUNTED,
    ),
    violated=violated,
    violation=violation,
)
