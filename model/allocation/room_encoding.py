"""MACHINE_ROOM as terms: which queues are kept, and how the list of the kept ones is divided.

The kept queues are numbered by their rank, 0 .. p - 1. Each consumer has a block of p div c of them, and the remainder
is dealt from the end.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from rebalance_proofs.model.allocation.broker_names import KINDS, go_rule, java_rule, of_kind, rust_rule
from rebalance_proofs.model.allocation.strategy import Count, Encoding, Owns
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.mutant import Mutant

__all__ = ["MUTANTS", "MUTANTS_GO", "MUTANTS_RUST", "ROOM", "ROOM_GO", "ROOM_RUST", "RoomEncoding"]

PLAIN, OTHER_ROOM, NO_ROOM, NO_BROKER, TRAILING, THREE_PARTS, EMPTY_ROOM = range(len(KINDS))


OfKind = Callable[[smt.IntTerm], smt.BoolTerm]
Takes = Callable[[smt.IntTerm, smt.IntTerm, smt.IntTerm, smt.IntTerm, smt.BoolTerm, smt.IntTerm], smt.BoolTerm]


@dataclass(frozen=True)
class RoomEncoding(Encoding):
    """An ``Encoding`` over the list of kept queues (q is their number, a position is a rank), and what is kept."""

    keeps: OfKind
    """``keeps(kind)``: a queue of a broker of that kind (a place in ``KINDS``) is kept."""
    in_room: OfKind
    """``in_room(kind)``: a broker of that kind is in a listed room, as the client reads names. The specification of
    ``keeps``; no mutant changes it."""
    takes: Takes
    """``takes(p, c, index, position, kept, rank)``: the consumer takes that position of mqAll, of whose queues p are
    kept; ``kept`` says whether this one is, ``rank`` how many kept ones stand before it."""


def block(p: smt.IntTerm, c: smt.IntTerm, index: smt.IntTerm | int, rank: smt.IntTerm) -> smt.BoolTerm:
    """Whether the rank is one of index * (p div c) .. (index + 1) * (p div c) - 1."""
    return smt.And(index * (p / c) <= rank, rank < (index + 1) * (p / c))


def rest(p: smt.IntTerm, c: smt.IntTerm, index: smt.IntTerm, rank: smt.IntTerm) -> smt.BoolTerm:
    """One more rank for each of the first p mod c consumers: of the last p mod c ranks, the one at its own index."""
    return smt.And(index < p % c, rank == index + (p / c) * c)


def count(p: smt.IntTerm, c: smt.IntTerm, index: smt.IntTerm) -> smt.IntTerm:
    """The length of the block, plus 1 for a consumer that gets a queue of the remainder."""
    return p / c + smt.If(index < p % c, 1, 0)


def owner(p: smt.IntTerm, c: smt.IntTerm, rank: smt.IntTerm) -> smt.IntTerm:
    """Index of the consumer that owns the rank; the blocks end at (p div c) * c."""
    return smt.If(rank < (p / c) * c, rank / (p / c), rank - (p / c) * c)


def one_of(*kinds: int) -> OfKind:
    """The test whether a kind of broker name is one of ``kinds``."""
    return lambda kind: smt.Or([kind == kept for kept in kinds])


def encoding(block: Owns = block, rest: Owns = rest, count: Count = count) -> RoomEncoding:
    """The encoding from its parts; a mutant replaces one of them."""

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
    """``takes`` where the block is taken from the whole of mqAll, the remainder from the kept queues."""

    def takes(
        p: smt.IntTerm, c: smt.IntTerm, index: smt.IntTerm, position: smt.IntTerm, kept: smt.BoolTerm, rank: smt.IntTerm
    ) -> smt.BoolTerm:
        return smt.Or(block(p, c, index, position), smt.And(kept, rest(p, c, index, rank)))

    return takes


ROOM = encoding()
ROOM_GO = replace(ROOM, keeps=one_of(PLAIN, NO_BROKER), in_room=of_kind(go_rule), takes=whole_list())
ROOM_RUST = replace(ROOM, keeps=one_of(PLAIN), in_room=of_kind(rust_rule))


def rest_from_the_front(p: smt.IntTerm, c: smt.IntTerm, index: smt.IntTerm, rank: smt.IntTerm) -> smt.BoolTerm:
    """Wrong ``rest``: the remainder is taken from the first ranks."""
    return smt.And(index < p % c, rank == index)


def rounded_up(p: smt.IntTerm, c: smt.IntTerm, index: smt.IntTerm, rank: smt.IntTerm) -> smt.BoolTerm:
    """Wrong ``block``: every block has the size of the largest share."""
    return block(p + c - 1, c, index, rank)


MUTANTS = (
    Mutant(
        "whole-list-for-kept-list",
        "The block is taken from mqAll, not from the queues that were kept (rocketmq#2477).",
        replace(ROOM, takes=whole_list()),
        breaks="listed",
    ),
    Mutant(
        "no-remainder",
        "Every consumer has its block; nobody takes the remainder.",
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
        "`index <= mod` for `index < mod` where the remainder is counted.",
        encoding(count=lambda p, c, index: p / c + smt.If(index <= p % c, 1, 0)),
        breaks="shares",
    ),
    Mutant(
        "no-remainder-for-the-first",
        "The remainder is dealt to the consumers behind the first.",
        encoding(
            rest=lambda p, c, index, rank: smt.And(index > 0, rest(p, c, index, rank)),
            count=lambda p, c, index: p / c + smt.If(smt.And(index > 0, index < p % c), 1, 0),
        ),
        breaks="idle",
    ),
    Mutant(
        "remainder-twice",
        "The second consumer takes the remainder of the first.",
        encoding(rest=lambda p, c, index, rank: rest(p, c, smt.If(index == 1, 0, index), rank)),
        breaks="unread",
    ),
    Mutant(
        "no-remainder-for-the-second",
        "The second consumer is left out where the remainder is dealt.",
        encoding(
            rest=lambda p, c, index, rank: smt.And(index != 1, rest(p, c, index, rank)),
            count=lambda p, c, index: smt.If(index == 1, p / c, count(p, c, index)),
        ),
        breaks="served",
    ),
    Mutant(
        "another-room",
        "The queues of another room are kept.",
        replace(ROOM, keeps=one_of(OTHER_ROOM)),
        breaks="listed",
    ),
    Mutant(
        "empty-parts-count",
        "Empty parts at the end of a broker's name count, as in Go.",
        replace(ROOM, keeps=one_of(PLAIN, NO_BROKER)),
        breaks="listed",
    ),
)
MUTANTS_RUST = (
    Mutant(
        "another-room",
        "The queues of another room are kept.",
        replace(ROOM_RUST, keeps=one_of(OTHER_ROOM)),
        breaks="listed",
    ),
    Mutant(
        "empty-parts-dropped",
        "Empty parts at the end of a broker's name do not count, as in Java.",
        replace(ROOM_RUST, keeps=one_of(PLAIN, TRAILING)),
        breaks="listed",
    ),
    Mutant(
        "nothing-behind",
        "A broker's name may end with its room and `@`, as in Go.",
        replace(ROOM_RUST, keeps=one_of(PLAIN, NO_BROKER)),
        breaks="listed",
    ),
    Mutant(
        "split-once",
        "What stands behind the first `@` may have another in it.",
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
        "Whoever has something of the remainder takes the whole of it.",
        replace(ROOM_GO, takes=whole_list(rest=lambda p, c, index, rank: smt.And(index < p % c, rank >= (p / c) * c))),
        breaks="disjoint",
    ),
)
