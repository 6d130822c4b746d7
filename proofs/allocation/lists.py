"""Obligations that the encoding's list and set of a consumer's queues agree.

Several guarantees depend on them. ``count`` and ``element`` describe a consumer's result as a list, ``owns``
describes it as a set.
"""

from itertools import pairwise
from types import SimpleNamespace

from rebalance_proofs.model.allocation.strategy import Encoding
from rebalance_proofs.model.group import Group, Results
from rebalance_proofs.model.queues import NOWHERE, positions_in
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.worlds.groups import SymbolicGroup
from rebalance_proofs.proofs.allocation.stated import name_consumer
from rebalance_proofs.proofs.guarantee import Guarantee, agreed
from rebalance_proofs.proofs.obligation import Obligation, Statement, consumer, sizes


def _sound(e: Encoding, v: SimpleNamespace) -> Statement:
    return Statement(
        sizes(v) | consumer(v, "i") | {"k counts elements": smt.And(0 <= v.k, v.k < e.count(v.q, v.c, v.i))},
        e.owns(v.q, v.c, v.i, e.element(v.q, v.c, v.i, v.k)),
    )


def _complete(e: Encoding, v: SimpleNamespace) -> Statement:
    rank = e.rank(v.q, v.c, v.i, v.p)
    return Statement(
        sizes(v) | consumer(v, "i") | {"i owns p": e.owns(v.q, v.c, v.i, v.p)},
        smt.And(0 <= rank, rank < e.count(v.q, v.c, v.i), e.element(v.q, v.c, v.i, rank) == v.p),
    )


def _ascending(e: Encoding, v: SimpleNamespace) -> Statement:
    return Statement(
        sizes(v) | consumer(v, "i") | {"k before l": smt.And(0 <= v.k, v.k < v.l, v.l < e.count(v.q, v.c, v.i))},
        e.element(v.q, v.c, v.i, v.k) < e.element(v.q, v.c, v.i, v.l),
    )


SOUND = Obligation("list.sound", "The consumer owns every element of its list.", ("q", "c", "i", "k"), _sound)
COMPLETE = Obligation(
    "list.complete", "Every position that the consumer owns is in its list.", ("q", "c", "i", "p"), _complete
)
ASCENDING = Obligation("list.ascending", "The list is strictly ascending.", ("q", "c", "i", "k", "l"), _ascending)

LISTING = (SOUND, COMPLETE, ASCENDING)
"""Obligations that the list has each owned position once, in mqAll's order, and no other.

Its length is therefore the number of owned positions.
"""


# Guarantee: a result is a sublist of mqAll: without repetition, in mqAll's order.


def _inside(e: Encoding, v: SimpleNamespace) -> Statement:
    return Statement(
        sizes(v) | consumer(v, "i") | {"i owns p": e.owns(v.q, v.c, v.i, v.p)},
        smt.And(0 <= v.p, v.p < v.q),
    )


INSIDE = Obligation("inside", "A position that a consumer owns is a position of mqAll.", ("q", "c", "i", "p"), _inside)


def violated(group: SymbolicGroup) -> smt.BoolTerm:
    """Return the condition that an element of a result is outside mqAll, or out of order.

    Out of order means: its position is not greater than that of the element before it.
    """
    (k,) = smt.Ints("k")
    wrong = []
    for member in group.members:
        e, view = member.encoding, (member.queues, member.consumers, member.index)
        here, following, count = e.element(*view, k), e.element(*view, k + 1), e.count(*view)
        outside = smt.Or(here < 0, here >= member.queues, smt.And(k + 1 < count, following <= here))
        wrong.append(smt.And(0 <= k, k < count, outside))
        wrong.append(smt.And(e.owns(*view, k), smt.Or(k < 0, k >= member.queues)))
    return smt.Or(wrong)


def violation(group: Group, results: Results) -> str | None:
    """Describe the first consumer whose result is no sublist of its mqAll.

    None if there is none.
    """
    for place, (consumer_, result) in enumerate(zip(group.consumers, results, strict=True)):
        rest = iter(consumer_.mq_all)
        if not all(queue in rest for queue in result):
            return f"The result of {name_consumer(group, place)} is no sublist of its mqAll."
    return None


SUBLIST = Guarantee(
    name="sublist",
    sentence="Each consumer's result is a subsequence of mqAll",
    source="https://github.com/apache/rocketmq/blob/develop/client/src/main/java/org/apache/rocketmq/client/consumer/AllocateMessageQueueStrategy.java",
    obligations=agreed(INSIDE, *LISTING),
    violated=violated,
    violation=violation,
)


# Guarantee: a consumer's queues are adjacent in mqAll.


def _between(e: Encoding, v: SimpleNamespace) -> Statement:
    return Statement(
        sizes(v)
        | consumer(v, "i")
        | {
            "i owns p": e.owns(v.q, v.c, v.i, v.p),
            "i owns r": e.owns(v.q, v.c, v.i, v.r),
            "s lies between": smt.And(v.p < v.s, v.s < v.r),
        },
        e.owns(v.q, v.c, v.i, v.s),
    )


def violated_contiguous(group: SymbolicGroup) -> smt.BoolTerm:
    """Return the condition that a consumer's queues are not adjacent.

    It owns two positions, but not every position between them.
    """
    first, last, between = smt.Ints("first last between")
    gaps = []
    for member in group.members:
        e, view = member.encoding, (member.queues, member.consumers, member.index)
        gaps.append(smt.And(e.owns(*view, first), e.owns(*view, last), smt.Not(e.owns(*view, between))))
    return smt.And(first < between, between < last, smt.Or(gaps))


def violation_contiguous(group: Group, results: Results) -> str | None:
    """Describe the first consumer whose queues are not adjacent; None if there is none."""
    for place, result in enumerate(results):
        found = positions_in(group.consumers[place].mq_all, result)
        places = sorted({position for position in found if position != NOWHERE})
        for before, after in pairwise(places):
            if after != before + 1:
                who = name_consumer(group, place)
                return f"{who} has positions {before} and {after}, but nothing between them."
    return None


CONTIGUOUS = Guarantee(
    name="contiguous",
    sentence="A consumer's queues are adjacent in mqAll",
    source="https://rocketmq.apache.org/docs/featureBehavior/08consumerloadbalance",
    obligations=agreed(
        Obligation(
            "between",
            "A consumer owns every position between two positions that it owns.",
            ("q", "c", "i", "p", "r", "s"),
            _between,
        )
    ),
    violated=violated_contiguous,
    violation=violation_contiguous,
)
