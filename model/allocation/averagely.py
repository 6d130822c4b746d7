"""AVG, the default strategy: each consumer gets one contiguous block of queues.

The first q mod c consumers get one queue more than the others.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from rebalance_proofs.model.allocation.strategy import Count, Encoding, Place, Strategy, check
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.values import Mutant


def allocate(current_cid: str, mq_all: Sequence[MessageQueue], cid_all: Sequence[str]) -> list[MessageQueue]:
    """Mirror of ``AllocateMessageQueueAveragely.allocate``.

    See ``model.allocation.strategy.Allocate``.
    """
    result: list[MessageQueue] = []
    if not check(current_cid, mq_all, cid_all):
        return result
    index = cid_all.index(current_cid)
    mod = len(mq_all) % len(cid_all)
    if len(mq_all) <= len(cid_all):
        average_size = 1
    elif mod > 0 and index < mod:
        average_size = len(mq_all) // len(cid_all) + 1
    else:
        average_size = len(mq_all) // len(cid_all)
    start_index = index * average_size if mod > 0 and index < mod else index * average_size + mod
    range_ = min(average_size, len(mq_all) - start_index)
    for i in range(range_):
        result.append(mq_all[(start_index + i) % len(mq_all)])
    return result


def size(q: smt.IntTerm, c: smt.IntTerm, index: smt.IntTerm) -> smt.IntTerm:
    """Return the length of the consumer's block before it is cut at the end of mqAll."""
    return smt.If(q <= c, 1, smt.If(index < q % c, q / c + 1, q / c))


def start(q: smt.IntTerm, c: smt.IntTerm, index: smt.IntTerm, size: smt.IntTerm) -> smt.IntTerm:
    """Return the first position of the consumer's block, whose length is ``size``."""
    return smt.If(index < q % c, index * size, index * size + q % c)


def cut(q: smt.IntTerm, start: smt.IntTerm, size: smt.IntTerm) -> smt.IntTerm:
    """Return the length of the consumer's block after it is cut at the end of mqAll.

    It is 0 where the client computes a negative length, because the client's loop then does not run.
    """
    left = q - start
    return smt.If(left < 0, 0, smt.If(size < left, size, left))


def owner(q: smt.IntTerm, c: smt.IntTerm, position: smt.IntTerm) -> smt.IntTerm:
    """Return the index of the consumer that owns the position.

    The q mod c long blocks come first. The short block of index i starts at i * (q div c) + q mod c.
    """
    long_block, long_blocks = q / c + 1, q % c
    return smt.If(position < long_blocks * long_block, position / long_block, (position - long_blocks) / (q / c))


def encoding(size: Count = size, start: Place = start, cut: Count = cut) -> Encoding:
    """Build the strategy's encoding from the three steps of its code.

    A mutant replaces one of the steps.
    """

    def first(q: smt.IntTerm, c: smt.IntTerm, index: smt.IntTerm) -> smt.IntTerm:
        return start(q, c, index, size(q, c, index))

    def count(q: smt.IntTerm, c: smt.IntTerm, index: smt.IntTerm) -> smt.IntTerm:
        return cut(q, first(q, c, index), size(q, c, index))

    def owns(q: smt.IntTerm, c: smt.IntTerm, index: smt.IntTerm, position: smt.IntTerm) -> smt.BoolTerm:
        begin = first(q, c, index)
        return smt.And(begin <= position, position < begin + count(q, c, index))

    return Encoding(
        owns=owns,
        count=count,
        element=lambda q, c, index, k: first(q, c, index) + k,
        rank=lambda q, c, index, position: position - first(q, c, index),
        owner=owner,
    )


def renumbered(block: Callable[[smt.IntTerm, smt.IntTerm], smt.IntTerm]) -> Encoding:
    """Build the wrong encoding in which a consumer takes the block of another consumer.

    The consumer at ``index`` takes the block of the consumer at ``block(c, index)``.
    """
    right = encoding()
    return replace(
        right,
        owns=lambda q, c, index, position: right.owns(q, c, block(c, index), position),
        count=lambda q, c, index: right.count(q, c, block(c, index)),
        element=lambda q, c, index, k: right.element(q, c, block(c, index), k),
        rank=lambda q, c, index, position: right.rank(q, c, block(c, index), position),
    )


MUTANTS = (
    Mutant(
        "dropped-min",
        "The block is not cut at the end of mqAll (`min` is missing in `range`).",
        encoding(cut=lambda q, start, size: size),
        breaks="sublist",
    ),
    Mutant(
        "le-for-lt",
        "The block size is chosen by `index <= mod` instead of `index < mod`.",
        encoding(size=lambda q, c, index: smt.If(q <= c, 1, smt.If(index <= q % c, q / c + 1, q / c))),
        breaks="disjoint",
    ),
    Mutant(
        "mod-left-out",
        "The start of the short blocks lacks `+ mod`.",
        encoding(start=lambda q, c, index, size: index * size),
        breaks="disjoint",
    ),
    Mutant(
        "index-off-by-one",
        "The block start counts `index` from 1.",
        encoding(start=lambda q, c, index, size: start(q, c, index + 1, size)),
        breaks="covers",
    ),
    Mutant(
        "no-remainder",
        "Every block has q div c queues; no consumer takes the remainder.",
        encoding(size=lambda q, c, index: smt.If(q <= c, 1, q / c)),
        breaks="covers",
    ),
    Mutant(
        "remainder-to-first",
        "The first consumer takes the whole remainder.",
        encoding(
            size=lambda q, c, index: smt.If(index == 0, q / c + q % c, q / c),
            start=lambda q, c, index, size: smt.If(index == 0, 0, index * (q / c) + q % c),
        ),
        breaks="balanced",
    ),
    Mutant(
        "remainder-behind-the-first",
        "The consumers after the first one each get one queue more.",
        encoding(
            size=lambda q, c, index: smt.If(q <= c, 1, q / c + smt.If(smt.And(0 < index, index <= q % c), 1, 0)),
            start=lambda q, c, index, size: smt.If(
                smt.Or(q <= c, index == 0), index, index * (q / c) + smt.If(index <= q % c, index - 1, q % c)
            ),
        ),
        breaks="shares",
    ),
    Mutant(
        "two-at-least",
        "If there are no more queues than consumers, a block has two queues instead of one.",
        encoding(size=lambda q, c, index: smt.If(q <= c, 2, size(q, c, index))),
        breaks="idle",
    ),
    Mutant(
        "dealt",
        "Queues are dealt around the consumers, as in AVG_BY_CIRCLE.",
        replace(
            encoding(), owns=lambda q, c, index, position: smt.And(0 <= position, position < q, position % c == index)
        ),
        breaks="contiguous",
    ),
    Mutant(
        "ge-for-lt",
        "The block size is chosen by `index >= mod` instead of `index < mod`.",
        encoding(size=lambda q, c, index: smt.If(q <= c, 1, smt.If(index >= q % c, q / c + 1, q / c))),
        breaks="shrink",
    ),
    Mutant(
        "rotated",
        "Each consumer takes the block of the next consumer; the last consumer takes the first block.",
        renumbered(lambda c, index: smt.If(index + 1 == c, 0, index + 1)),
        breaks="shift",
    ),
    Mutant(
        "remainder-to-last-ones",
        "The last q mod c consumers get one queue more, not the first ones.",
        encoding(
            size=lambda q, c, index: smt.If(q <= c, 1, smt.If(index >= c - q % c, q / c + 1, q / c)),
            start=lambda q, c, index, size: smt.If(
                q <= c, index, index * (q / c) + smt.If(index >= c - q % c, index - (c - q % c), 0)
            ),
        ),
        breaks="moved",
    ),
    Mutant(
        "mirrored",
        "The last consumer takes the first block.",
        renumbered(lambda c, index: c - 1 - index),
        breaks="bound",
    ),
    Mutant(
        "first-two-alike",
        "The second consumer takes the block of the first.",
        renumbered(lambda c, index: smt.If(index == 1, 0, index)),
        breaks="unread",
    ),
    Mutant(
        "last-two-exchanged",
        "The last two consumers swap their blocks.",
        renumbered(
            lambda c, index: smt.If(smt.And(index == c - 1, c > 1), c - 2, smt.If(index == c - 2, c - 1, index))
        ),
        breaks="sides",
    ),
    Mutant(
        "all-for-the-first",
        "If c divides q, the first consumer takes all queues and the others take none.",
        encoding(
            size=lambda q, c, index: smt.If(q % c == 0, smt.If(index == 0, q, 0), size(q, c, index)),
        ),
        breaks="prepended",
    ),
    Mutant(
        "none-for-the-last",
        "If there are several consumers, the last one gets no block.",
        encoding(size=lambda q, c, index: smt.If(smt.And(c > 1, index == c - 1), 0, size(q, c, index))),
        breaks="served",
    ),
    Mutant(
        "le-in-start",
        "The block start is chosen by `index <= mod` instead of `index < mod`.",
        encoding(start=lambda q, c, index, size: smt.If(index <= q % c, index * size, index * size + q % c)),
        breaks="restart",
    ),
    Mutant(
        "rounded-up",
        "Every block has q div c + 1 queues while queues are left.",
        encoding(
            size=lambda q, c, index: smt.If(q <= c, 1, q / c + 1),
            start=lambda q, c, index, size: index * size,
        ),
        breaks="appended",
    ),
    Mutant(
        "remainder-to-last",
        "The last consumer takes the whole remainder.",
        encoding(
            size=lambda q, c, index: smt.If(index == c - 1, q / c + q % c, q / c),
            start=lambda q, c, index, size: index * (q / c),
        ),
        breaks="attained",
    ),
)

AVERAGELY = Strategy(
    name="avg",
    rocketmq_name="AVG",
    source="org.apache.rocketmq.client.consumer.rebalance.AllocateMessageQueueAveragely#allocate",
    allocate=allocate,
    encoding=encoding(),
    holds=frozenset({"disjoint", "covers", "sublist", "balanced", "shares", "idle", "served", "contiguous"}),
    mutants=MUTANTS,
)
