"""Guarantee: exactly min(q, c) consumers get a queue.

Consumers are therefore idle only for lack of queues.

For a topic with few queues, such as a group's retry topic, this is the number of consumers that ever get a message from
it.
"""

from types import SimpleNamespace

from rebalance_proofs.model.allocation.strategy import Encoding
from rebalance_proofs.model.group import Group, Results
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.finite import how_many
from rebalance_proofs.model.worlds.agreed import AGREED
from rebalance_proofs.model.worlds.groups import SymbolicGroup
from rebalance_proofs.proofs.allocation.idle import IDLE
from rebalance_proofs.proofs.guarantee import Guarantee, agreed
from rebalance_proofs.proofs.obligation import Obligation, Statement, consumer, sizes


def _everyone(e: Encoding, v: SimpleNamespace) -> Statement:
    return Statement(
        sizes(v) | consumer(v, "i") | {"no more consumers than queues": v.c <= v.q}, e.count(v.q, v.c, v.i) >= 1
    )


def fewer(queues: smt.IntTerm, consumers: int) -> smt.IntTerm:
    """Return the smaller of the two numbers."""
    return smt.If(queues < consumers, queues, consumers)


def violated(group: SymbolicGroup) -> smt.BoolTerm:
    """Return the condition that the number of consumers with a queue is not min(q, c)."""
    counts = [member.count for member in group.members]
    return how_many([count > 0 for count in counts]) != fewer(group.queues, len(counts))


def violation(group: Group, results: Results) -> str | None:
    """Describe the number of consumers with a queue, if it is not min(q, c)."""
    found, expected = sum(map(bool, results)), min(len(group.queues), len(group.consumers))
    if found == expected:
        return None
    return f"{found} of {len(group.consumers)} consumers have a queue, but min(q, c) is {expected}."


SERVED = Guarantee(
    name="served",
    sentence="Exactly min(q, c) consumers get a queue",
    source="https://rocketmq.apache.org/docs/featureBehavior/08consumerloadbalance",
    obligations=agreed(
        Obligation(
            "everyone",
            "With at most as many consumers as queues, every consumer has a queue.",
            ("q", "c", "i"),
            _everyone,
        ),
        *IDLE.obligations(AGREED),
    ),
    violated=violated,
    violation=violation,
)
"""The guarantee. With c > q it is equivalent to ``idle``."""
