"""Sizes differ by at most one; the first q mod c consumers have one queue more."""

import z3

from model.terms.finite import greatest, least
from proofs.allocation.listing import LISTING
from proofs.allocation.names import extremes, name_consumer
from proofs.guarantee import Guarantee
from proofs.obligation import Obligation, Statement, consumer, sizes

__all__ = ["BALANCED"]


def exact_share(q, c, index):
    """q div c, and one more for the first q mod c consumers."""
    return q / c + z3.If(index < q % c, 1, 0)


def _share(e, v):
    return Statement(sizes(v) | consumer(v, "i"), e.count(v.q, v.c, v.i) == exact_share(v.q, v.c, v.i))


def _difference(e, v):
    i, j = e.count(v.q, v.c, v.i), e.count(v.q, v.c, v.j)
    return Statement(sizes(v) | consumer(v, "i") | consumer(v, "j"), z3.And(i - j <= 1, j - i <= 1))


def violated(group):
    """Two counts differ by more than one, or a count is not the exact share."""
    counts = [member.count for member in group.members]
    shares = [exact_share(member.queues, member.consumers, member.index) for member in group.members]
    wrong_shares = [count != share for count, share in zip(counts, shares, strict=True)]
    return z3.Or(greatest(counts) - least(counts) > 1, *wrong_shares)


def violation(group, results):
    """Names two consumers whose sizes differ by more than one, or one that has not its exact share."""
    difference, sentence = extremes(group, results)
    if difference > 1:
        return f"{sentence}."
    base, extra = divmod(len(group.queues), len(group.consumers))
    for place, result in enumerate(results):
        share = base + (place < extra)
        if len(result) != share:
            return f"{name_consumer(group, place)} has {len(result)} queues; its share is {share}."
    return None


BALANCED = Guarantee(
    name="balanced",
    sentence="Sizes differ by at most one: index i has q div c queues, and one more if i < q mod c",
    source="https://rocketmq.apache.org/docs/featureBehavior/08consumerloadbalance",
    obligations=(
        Obligation("share", "Index i has q div c queues, one more if i < q mod c.", ("q", "c", "i"), _share),
        Obligation("difference", "Two sizes differ by at most one.", ("q", "c", "i", "j"), _difference),
        *LISTING,
    ),
    violated=violated,
    violation=violation,
)
