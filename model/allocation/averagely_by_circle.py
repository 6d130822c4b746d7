"""AVG_BY_CIRCLE: queues are dealt around the consumers one by one, like cards."""

from collections.abc import Sequence

from rebalance_proofs.model.allocation.strategy import Count, Encoding, Owns, Strategy, check
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.values import Mutant


def allocate(current_cid: str, mq_all: Sequence[MessageQueue], cid_all: Sequence[str]) -> list[MessageQueue]:
    """Mirror of ``AllocateMessageQueueAveragelyByCircle.allocate``.

    See ``model.allocation.strategy.Allocate``.
    """
    result: list[MessageQueue] = []
    if not check(current_cid, mq_all, cid_all):
        return result
    index = cid_all.index(current_cid)
    for i in range(index, len(mq_all)):
        if i % len(cid_all) == index:
            result.append(mq_all[i])
    return result


def dealt(q: smt.IntTerm, c: smt.IntTerm, index: smt.IntTerm, position: smt.IntTerm) -> smt.BoolTerm:
    """Return whether the client's loop reaches the position and its test accepts it."""
    return smt.And(index <= position, position < q, position % c == index)


def count(q: smt.IntTerm, c: smt.IntTerm, index: smt.IntTerm) -> smt.IntTerm:
    """Return the number of queues that the consumer gets.

    These are the full rounds of dealing, plus 1 if the incomplete last round reaches the consumer.
    """
    return q / c + smt.If(index < q % c, 1, 0)


def encoding(owns: Owns = dealt, count: Count = count) -> Encoding:
    """Build the strategy's encoding from its two parts. A mutant replaces one of the parts."""
    return Encoding(
        owns=owns,
        count=count,
        element=lambda q, c, index, k: index + k * c,
        rank=lambda q, c, index, position: position / c,
        owner=lambda q, c, position: position % c,
    )


MUTANTS = (
    Mutant(
        "le-for-lt",
        "The loop runs to `i <= mqAll.size()`.",
        encoding(owns=lambda q, c, index, position: smt.And(index <= position, position <= q, position % c == index)),
        breaks="sublist",
    ),
    Mutant(
        "index-off-by-one",
        "The loop starts after the consumer's own index.",
        encoding(owns=lambda q, c, index, position: smt.And(dealt(q, c, index, position), index < position)),
        breaks="covers",
    ),
    Mutant(
        "modulus-off-by-one",
        "The test is `i % (cidAll.size() + 1)` instead of `i % cidAll.size()`.",
        encoding(
            owns=lambda q, c, index, position: smt.And(index <= position, position < q, position % (c + 1) == index)
        ),
        breaks="covers",
    ),
    Mutant(
        "ge-for-eq",
        "`i % cidAll.size() >= index` for `==`.",
        encoding(owns=lambda q, c, index, position: smt.And(index <= position, position < q, position % c >= index)),
        breaks="disjoint",
    ),
    Mutant(
        "last-round-to-the-first",
        "The first consumer gets all queues of the last round.",
        encoding(
            owns=lambda q, c, index, position: smt.And(
                0 <= position, position < q, smt.If(position < (q / c) * c, position % c, 0) == index
            ),
            count=lambda q, c, index: q / c + smt.If(index == 0, q % c, 0),
        ),
        breaks="balanced",
    ),
    Mutant(
        "count-rounded-up",
        "The count assumes that every consumer gets a queue of the last round.",
        encoding(count=lambda q, c, index: (q + c - 1) / c),
        breaks="shares",
    ),
    Mutant(
        "one-more-in-last-round",
        "The queues of the last round are counted by `index <= mod` instead of `index < mod`.",
        encoding(count=lambda q, c, index: q / c + smt.If(index <= q % c, 1, 0)),
        breaks="idle",
    ),
    Mutant(
        "one-more-behind-last-round",
        "The queues of the last round are counted by `index >= mod` instead of `index < mod`.",
        encoding(count=lambda q, c, index: q / c + smt.If(index >= q % c, 1, 0)),
        breaks="shrink",
    ),
    Mutant(
        "first-two-alike",
        "The second consumer gets the queues of the first one.",
        encoding(
            owns=lambda q, c, index, position: smt.And(
                0 <= position, position < q, position % c == smt.If(index == 1, 0, index)
            )
        ),
        breaks="unread",
    ),
    Mutant(
        "from-the-end",
        "Queues are dealt from the last position to the first one.",
        encoding(
            owns=lambda q, c, index, position: smt.And(0 <= position, position < q, (q - 1 - position) % c == index)
        ),
        breaks="turned",
    ),
    Mutant(
        "none-for-the-last",
        "If there are several consumers, the last one gets no queue.",
        encoding(
            owns=lambda q, c, index, position: smt.And(dealt(q, c, index, position), smt.Or(c == 1, index < c - 1)),
            count=lambda q, c, index: smt.If(smt.And(c > 1, index == c - 1), 0, count(q, c, index)),
        ),
        breaks="served",
    ),
    Mutant(
        "counted-from-one",
        "The dealing counts positions from 1.",
        encoding(owns=lambda q, c, index, position: smt.And(0 <= position, position < q, (position + 1) % c == index)),
        breaks="kept",
    ),
    Mutant(
        "in-pairs",
        "Queues are dealt two at a time.",
        encoding(owns=lambda q, c, index, position: smt.And(0 <= position, position < q, (position / 2) % c == index)),
        breaks="apart",
    ),
    Mutant(
        "dealt-backwards",
        "Queues are dealt around the consumers in reverse order, from the last to the first.",
        encoding(
            owns=lambda q, c, index, position: smt.And(0 <= position, position < q, position % c == c - 1 - index)
        ),
        breaks="reshuffle",
    ),
)

AVERAGELY_BY_CIRCLE = Strategy(
    name="circle",
    rocketmq_name="AVG_BY_CIRCLE",
    source="org.apache.rocketmq.client.consumer.rebalance.AllocateMessageQueueAveragelyByCircle#allocate",
    allocate=allocate,
    encoding=encoding(),
    holds=frozenset({"disjoint", "covers", "sublist", "balanced", "shares", "idle", "served"}),
    fails=frozenset({"contiguous"}),
    mutants=MUTANTS,
)
