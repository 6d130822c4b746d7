"""Guarantee: if some members do not subscribe to a topic, exactly their queues are unread.

A share is the list of queues that the strategy gives a member.
"""

from types import SimpleNamespace

from rebalance_proofs.model.allocation.strategy import Encoding
from rebalance_proofs.model.group import Group, Results
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.simplified import how_many
from rebalance_proofs.model.worlds.groups import AGREED, SymbolicGroup
from rebalance_proofs.proofs.allocation.amounts import SHARES, exact_share
from rebalance_proofs.proofs.allocation.covers import COVERS
from rebalance_proofs.proofs.allocation.disjoint import EXCLUSIVE
from rebalance_proofs.proofs.allocation.stated import name_consumer, name_queue
from rebalance_proofs.proofs.guarantee import Guarantee, always
from rebalance_proofs.proofs.obligation import Obligation, Statement, consumer, sizes, truth_values


def _unread(e: Encoding, v: SimpleNamespace) -> Statement:
    return Statement(
        sizes(v)
        | consumer(v, "i")
        | consumer(v, "j")
        | truth_values(v, "reads_i", "reads_j")
        | {
            "the same consumer has one subscription": smt.Implies(v.i == v.j, v.reads_i == v.reads_j),
            "p is in the share of i, which does not subscribe": smt.And(v.reads_i == 0, e.owns(v.q, v.c, v.i, v.p)),
        },
        smt.Not(smt.And(v.reads_j == 1, e.owns(v.q, v.c, v.j, v.p))),
    )


def violated(group: SymbolicGroup) -> smt.BoolTerm:
    """Return the condition that an arbitrary queue, or an unread share, violates the guarantee.

    The queue is read although it is in an unread share. Or it is unread although it is in no unread share, or in two.
    Or some unread share has another size.
    """
    shares = [
        (smt.Not(member.listed), member.encoding.owns(member.queues, member.consumers, member.index, member.position))
        for member in group.members
    ]
    left = how_many([smt.And(silent, falls_to) for silent, falls_to in shares])
    read = smt.Or([member.owns for member in group.members])
    wrong = [
        smt.And(smt.Not(member.listed), member.count != exact_share(member.queues, member.consumers, member.index))
        for member in group.members
    ]
    return smt.Or(left != smt.If(read, 0, 1), *wrong)


def violation(group: Group, results: Results) -> str | None:
    """Describe the first queue, or the first unread share, that violates the guarantee.

    None if there is none.
    """
    silent = [(place, consumer.share) for place, consumer in enumerate(group.consumers) if not consumer.subscribes]
    taken = set().union(*results)
    for queue in group.queues:
        left = [name_consumer(group, place) for place, share in silent if queue in share]
        if queue in taken and left:
            return f"{name_queue(group, queue)} is read, although it is in the share of {left[0]}."
        if queue not in taken and len(left) != 1:
            whose = " and ".join(left) or "no member that does not subscribe"
            return f"{name_queue(group, queue)} has no reader, and is in the share of {whose}."
    base, extra = divmod(len(group.queues), len(group.consumers))
    for place, share in silent:
        if len(share) != base + (place < extra):
            return f"The share of {name_consumer(group, place)} has {len(share)} queues, not {base + (place < extra)}."
    return None


UNREAD = Guarantee(
    name="unread",
    sentence="If members do not subscribe to the topic, exactly their shares have no reader",
    where=("a share: q div c queues, and one more for an index below q mod c",),
    source="https://github.com/apache/rocketmq/issues/351",
    premise="same-subscription",
    obligations=always(
        *COVERS.obligations(AGREED),
        Obligation(
            "unread",
            "No subscribed member reads the share of a member that does not subscribe.",
            ("q", "c", "i", "j", "reads_i", "reads_j", "p"),
            _unread,
        ),
        EXCLUSIVE,
        *SHARES.obligations(AGREED),
    ),
    violated=violated,
    violation=violation,
)
"""The guarantee. By ``owner-owns`` every position is in a share.

The holder of the share reads the queue, or does not subscribe; in that case no consumer reads it. Therefore the
obligations suffice.
"""
