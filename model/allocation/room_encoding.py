"""MACHINE_ROOM as SMT terms: which queues are selected, and how their list is divided.

The selected queues are those of rooms in consumeridcs. They have ranks 0 .. p - 1. Each consumer has a block of p div c
ranks, and the remainder is dealt from the end of the list.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from rebalance_proofs.model.allocation.broker_names import KINDS, go_rule, java_rule, of_kind, rust_rule
from rebalance_proofs.model.allocation.strategy import Count, Encoding, Owns
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.mutant import Mutant

PLAIN, OTHER_ROOM, NO_ROOM, NO_BROKER, TRAILING, THREE_PARTS, EMPTY_ROOM = range(len(KINDS))


OfKind = Callable[[smt.IntTerm], smt.BoolTerm]
Takes = Callable[[smt.IntTerm, smt.IntTerm, smt.IntTerm, smt.IntTerm, smt.BoolTerm, smt.IntTerm], smt.BoolTerm]


@dataclass(frozen=True)
class RoomEncoding(Encoding):
    """SMT encoding of MACHINE_ROOM: an ``Encoding`` over the selected queues, and the selection.

    In the ``Encoding``, q is the number of selected queues, and a position is a rank.
    """

    keeps: OfKind
    """``keeps(kind)``: true if the client selects queues of a broker of that kind.

    ``kind`` is an index in ``KINDS``.
    """
    in_room: OfKind
    """``in_room(kind)``: true if the client should select queues of a broker of that kind.

    The client's own rule for broker names decides. This is the specification of ``keeps``; no mutant changes it.
    """
    takes: Takes
    """``takes(p, c, index, position, kept, rank)``: true if the consumer takes the queue.

    ``position`` is the queue's index in mqAll. ``p`` is the number of selected queues. ``kept`` is true if the
    queue is selected, and ``rank`` is the number of selected queues before it.
    """


def block(p: smt.IntTerm, c: smt.IntTerm, index: smt.IntTerm | int, rank: smt.IntTerm) -> smt.BoolTerm:
    """Return whether the rank is in the consumer's block.

    The block has the ranks index * (p div c) .. (index + 1) * (p div c) - 1.
    """
    return smt.And(index * (p / c) <= rank, rank < (index + 1) * (p / c))


def rest(p: smt.IntTerm, c: smt.IntTerm, index: smt.IntTerm, rank: smt.IntTerm) -> smt.BoolTerm:
    """Return whether the consumer gets the rank as its queue of the remainder.

    The remainder is the last p mod c ranks. Each of the first p mod c consumers gets the one at its own index.
    """
    return smt.And(index < p % c, rank == index + (p / c) * c)


def count(p: smt.IntTerm, c: smt.IntTerm, index: smt.IntTerm) -> smt.IntTerm:
    """Return the number of queues that the consumer gets.

    These are its block, and at most one queue of the remainder.
    """
    return p / c + smt.If(index < p % c, 1, 0)


def owner(p: smt.IntTerm, c: smt.IntTerm, rank: smt.IntTerm) -> smt.IntTerm:
    """Return the index of the consumer that owns the rank. The blocks end at (p div c) * c."""
    return smt.If(rank < (p / c) * c, rank / (p / c), rank - (p / c) * c)


def one_of(*kinds: int) -> OfKind:
    """Return a test that is true for a broker name of one of these ``kinds``."""
    return lambda kind: smt.Or([kind == kept for kept in kinds])


def encoding(block: Owns = block, rest: Owns = rest, count: Count = count) -> RoomEncoding:
    """Build the strategy's encoding from its parts. A mutant replaces one of the parts."""

    def owns(p: smt.IntTerm, c: smt.IntTerm, index: smt.IntTerm, rank: smt.IntTerm) -> smt.BoolTerm:
        return smt.Or(block(p, c, index, rank), rest(p, c, index, rank))

    return RoomEncoding(
        owns=owns,
        count=count,
        element=lambda p, c, index, k: smt.If(k < p / c, index * (p / c) + k, index + (p / c) * c),
        rank=lambda p, c, index, rank: smt.If(rank < (p / c) * c, rank - index * (p / c), p / c),
        owner=owner,
        keeps=one_of(PLAIN, TRAILING),
        in_room=of_kind(java_rule),
        takes=lambda p, c, index, position, kept, rank: smt.And(kept, owns(p, c, index, rank)),
    )


def whole_list(block: Owns = block, rest: Owns = rest) -> Takes:
    """Return a condition ``takes`` by which consumers take their blocks from all of mqAll.

    The remainder is still taken from the selected queues.
    """

    def takes(
        p: smt.IntTerm, c: smt.IntTerm, index: smt.IntTerm, position: smt.IntTerm, kept: smt.BoolTerm, rank: smt.IntTerm
    ) -> smt.BoolTerm:
        return smt.Or(block(p, c, index, position), smt.And(kept, rest(p, c, index, rank)))

    return takes


ROOM = encoding()
ROOM_GO = replace(ROOM, keeps=one_of(PLAIN, NO_BROKER), in_room=of_kind(go_rule), takes=whole_list())
ROOM_RUST = replace(ROOM, keeps=one_of(PLAIN), in_room=of_kind(rust_rule))


def rest_from_the_front(p: smt.IntTerm, c: smt.IntTerm, index: smt.IntTerm, rank: smt.IntTerm) -> smt.BoolTerm:
    """Return a wrong ``rest``: the remainder is taken from the first ranks."""
    return smt.And(index < p % c, rank == index)


def rounded_up(p: smt.IntTerm, c: smt.IntTerm, index: smt.IntTerm, rank: smt.IntTerm) -> smt.BoolTerm:
    """Return a wrong ``block``: every block has the size of the largest share."""
    return block(p + c - 1, c, index, rank)


MUTANTS = (
    Mutant(
        "whole-list-for-kept-list",
        "The block is taken from mqAll, not from the selected queues (rocketmq#2477).",
        replace(ROOM, takes=whole_list()),
        breaks="listed",
    ),
    Mutant(
        "no-remainder",
        "Every consumer gets its block; no consumer takes the remainder.",
        encoding(rest=lambda p, c, index, rank: smt.BoolVal(False), count=lambda p, c, index: p / c),
        breaks="covers",
    ),
    Mutant(
        "remainder-from-the-front",
        "The remainder is dealt from the first ranks.",
        encoding(rest=rest_from_the_front),
        breaks="disjoint",
    ),
    Mutant(
        "block-rounded-up",
        "Every block has the size of the largest share.",
        encoding(block=rounded_up),
        breaks="sublist",
    ),
    Mutant(
        "remainder-to-the-first",
        "The first consumer takes the whole remainder.",
        encoding(
            rest=lambda p, c, index, rank: smt.And(index == 0, (p / c) * c <= rank, rank < p),
            count=lambda p, c, index: p / c + smt.If(index == 0, p % c, 0),
        ),
        breaks="balanced",
    ),
    Mutant(
        "one-more-of-the-remainder",
        "The remainder is counted by `index <= mod` instead of `index < mod`.",
        encoding(count=lambda p, c, index: p / c + smt.If(index <= p % c, 1, 0)),
        breaks="shares",
    ),
    Mutant(
        "no-remainder-for-the-first",
        "The remainder is dealt to the consumers after the first one.",
        encoding(
            rest=lambda p, c, index, rank: smt.And(index > 0, rest(p, c, index, rank)),
            count=lambda p, c, index: p / c + smt.If(smt.And(index > 0, index < p % c), 1, 0),
        ),
        breaks="idle",
    ),
    Mutant(
        "remainder-twice",
        "The second consumer takes the first consumer's queue of the remainder.",
        encoding(rest=lambda p, c, index, rank: rest(p, c, smt.If(index == 1, 0, index), rank)),
        breaks="unread",
    ),
    Mutant(
        "no-remainder-for-the-second",
        "The second consumer gets no queue of the remainder.",
        encoding(
            rest=lambda p, c, index, rank: smt.And(index != 1, rest(p, c, index, rank)),
            count=lambda p, c, index: smt.If(index == 1, p / c, count(p, c, index)),
        ),
        breaks="served",
    ),
    Mutant(
        "another-room",
        "The queues of another room are selected.",
        replace(ROOM, keeps=one_of(OTHER_ROOM)),
        breaks="listed",
    ),
    Mutant(
        "empty-parts-count",
        "Empty parts at the end of a broker name count, as in Go.",
        replace(ROOM, keeps=one_of(PLAIN, NO_BROKER)),
        breaks="listed",
    ),
)
MUTANTS_RUST = (
    Mutant(
        "another-room",
        "The queues of another room are selected.",
        replace(ROOM_RUST, keeps=one_of(OTHER_ROOM)),
        breaks="listed",
    ),
    Mutant(
        "empty-parts-dropped",
        "Empty parts at the end of a broker name do not count, as in Java.",
        replace(ROOM_RUST, keeps=one_of(PLAIN, TRAILING)),
        breaks="listed",
    ),
    Mutant(
        "nothing-behind",
        "A broker name may end with its room and `@`, as in Go.",
        replace(ROOM_RUST, keeps=one_of(PLAIN, NO_BROKER)),
        breaks="listed",
    ),
    Mutant(
        "split-once",
        "The text after the first `@` may contain another `@`.",
        replace(ROOM_RUST, keeps=one_of(PLAIN, TRAILING, THREE_PARTS)),
        breaks="listed",
    ),
)
MUTANTS_GO = (
    Mutant(
        "remainder-from-the-front",
        "The remainder is dealt from the first ranks.",
        replace(ROOM_GO, takes=whole_list(rest=rest_from_the_front)),
        breaks="disjoint",
    ),
    Mutant(
        "block-rounded-up",
        "Every block has the size of the largest share.",
        replace(ROOM_GO, takes=whole_list(block=rounded_up)),
        breaks="disjoint",
    ),
    Mutant(
        "first-block-for-all",
        "Every consumer takes the first block.",
        replace(ROOM_GO, takes=whole_list(block=lambda p, c, index, rank: block(p, c, 0, rank))),
        breaks="disjoint",
    ),
    Mutant(
        "remainder-for-all",
        "A consumer that gets a queue of the remainder takes the whole remainder.",
        replace(ROOM_GO, takes=whole_list(rest=lambda p, c, index, rank: smt.And(index < p % c, rank >= (p / c) * c))),
        breaks="disjoint",
    ),
)
