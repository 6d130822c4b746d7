"""Guarantee: the queue counts of any two consumers differ by at most one."""

from types import SimpleNamespace

from rebalance_proofs.model.allocation.strategy import Encoding
from rebalance_proofs.model.group import Group, Results
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.simplified import greatest, least
from rebalance_proofs.model.worlds.groups import SymbolicGroup
from rebalance_proofs.proofs.allocation.lists import LISTING
from rebalance_proofs.proofs.allocation.stated import extremes, name_consumer
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


# Guarantee: every consumer has q div c queues, and the first q mod c have one more.
# The order is that of cidAll.


def exact_share(q: smt.IntTerm, c: smt.IntTerm, index: smt.IntTerm) -> smt.IntTerm:
    """Return the number of queues of the consumer with that index.

    It is q div c, plus one for the first q mod c consumers.
    """
    return q / c + smt.If(index < q % c, 1, 0)


def _share(e: Encoding, v: SimpleNamespace) -> Statement:
    return Statement(sizes(v) | consumer(v, "i"), e.count(v.q, v.c, v.i) == exact_share(v.q, v.c, v.i))


def violated_shares(group: SymbolicGroup) -> smt.BoolTerm:
    """Return the condition that some consumer has a number of queues other than its exact share."""
    return smt.Or(
        [member.count != exact_share(member.queues, member.consumers, member.index) for member in group.members]
    )


def violation_shares(group: Group, results: Results) -> str | None:
    """Describe the first consumer whose number of queues is not its exact share.

    None if there is none.
    """
    base, extra = divmod(len(group.queues), len(group.consumers))
    for place, result in enumerate(results):
        share = base + (place < extra)
        if len(result) != share:
            return f"{name_consumer(group, place)} has {len(result)} queues; its share is {share}."
    return None


SHARES = Guarantee(
    name="shares",
    sentence="Consumer i gets q div c queues, and one more if i < q mod c",
    source="https://rocketmq.apache.org/docs/featureBehavior/08consumerloadbalance",
    obligations=agreed(
        Obligation(
            "share", "The consumer at index i has q div c queues, and one more if i < q mod c.", ("q", "c", "i"), _share
        ),
        *LISTING,
    ),
    violated=violated_shares,
    violation=violation_shares,
)
