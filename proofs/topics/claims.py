"""Claims about the queues of several topics: each strategy with each guarantee."""

from types import SimpleNamespace

import rebalance_proofs.proofs.topics.loads  # noqa: F401  (registers how to run the client's code for several topics)
from rebalance_proofs.model.allocation.strategy import Strategy
from rebalance_proofs.model.group import Group, Results
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.simplified import greatest, least
from rebalance_proofs.model.topics import STRATEGIES, TOPICS
from rebalance_proofs.model.topics.encoding import TopicsEncoding
from rebalance_proofs.model.worlds.groups import SymbolicGroup
from rebalance_proofs.proofs.allocation.stated import extremes, stated
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.guarantee import Guarantee, agreed
from rebalance_proofs.proofs.obligation import Obligation, Statement, consumer, sizes
from rebalance_proofs.proofs.topics.loads import ATTAINED, COUNTED, LOWEST_FIRST, TILT, first_load, loads, some_topics

# Guarantee: the queue counts of two consumers, over all topics, differ by at most one.


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


GUARANTEES: tuple[Guarantee, ...] = (LEVEL, TILT, ATTAINED, LOWEST_FIRST)

ANY_TOPICS = "for all numbers of queues, topics and consumers"


def claims(strategies: tuple[Strategy, ...] = STRATEGIES) -> tuple[Claim, ...]:
    """Return all claims about several topics, in the order of the ledger."""
    return tuple(
        stated("topics", (strategy,), one, TOPICS, holds=one.name in strategy.holds, scope=ANY_TOPICS)
        for strategy in strategies
        for one in GUARANTEES
    )
