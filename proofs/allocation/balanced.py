"""Guarantee: the queue counts of any two consumers differ by at most one."""

from types import SimpleNamespace

from rebalance_proofs.model.allocation.strategy import Encoding
from rebalance_proofs.model.group import Group, Results
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.finite import greatest, least
from rebalance_proofs.model.worlds.groups import SymbolicGroup
from rebalance_proofs.proofs.allocation.listing import LISTING
from rebalance_proofs.proofs.allocation.names import extremes
from rebalance_proofs.proofs.guarantee import Guarantee, agreed
from rebalance_proofs.proofs.obligation import Obligation, Statement, consumer, sizes


def _difference(e: Encoding, v: SimpleNamespace) -> Statement:
    i, j = e.count(v.q, v.c, v.i), e.count(v.q, v.c, v.j)
    return Statement(sizes(v) | consumer(v, "i") | consumer(v, "j"), smt.And(i - j <= 1, j - i <= 1))


def violated(group: SymbolicGroup) -> smt.BoolTerm:
    """Return the condition that the queue counts of two consumers differ by more than one."""
    counts = [member.count for member in group.members]
    return greatest(counts) - least(counts) > 1


def violation(group: Group, results: Results) -> str | None:
    """Describe two consumers whose queue counts differ by more than one; None if there are none."""
    difference, sentence = extremes(group, results)
    return f"{sentence}." if difference > 1 else None


BALANCED = Guarantee(
    name="balanced",
    sentence="Queue counts differ by at most one",
    source="https://rocketmq.apache.org/docs/featureBehavior/08consumerloadbalance",
    obligations=agreed(
        Obligation("difference", "Two queue counts differ by at most one.", ("q", "c", "i", "j"), _difference), *LISTING
    ),
    violated=violated,
    violation=violation,
)
