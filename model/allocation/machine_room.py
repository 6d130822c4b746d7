"""MACHINE_ROOM: consumers share the queues of the rooms in consumeridcs, in equal blocks.

The remainder goes to the first consumers. The room of a queue is the part of its brokerName before ``@``.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from functools import reduce

from rebalance_proofs.model.allocation.strategy import Allocate, Count, Encoding, Fault, Owns, Strategy, check
from rebalance_proofs.model.queues import MessageQueue, one_broker
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.values import Mutant

# The specification of MACHINE_ROOM: which broker names belong to a room of consumeridcs.
# Clients have different rules. A rule depends on three features of a name: the number of ``@``, the number of ``@``
# at the end, and whether the text before the first ``@`` is a room in consumeridcs. So a rule covers every name.
# ``keeps`` in the encodings is written independently, for each kind of name.

ROOM = "room1"
"""The only room in consumeridcs of the consumers that claims are about."""

KINDS = (
    "room1@broker-a",
    "room2@broker-b",
    "broker-c",
    "room1@",
    "room1@broker-d@",
    "room1@broker-e@x",
    "@broker-f",
)
"""One broker name of each kind on which clients may differ, if room1 is in consumeridcs."""

Rule = Callable[[smt.IntTerm, smt.IntTerm, smt.IntTerm], smt.BoolTerm]
"""``rule(ats, ends, listed)``: true if the client finds a name in a room of consumeridcs.

The arguments are features of the broker name, see ``shape``.
"""


def shape(name: str, rooms: Collection[str]) -> tuple[int, int, int]:
    """Return the three features of a broker name.

    They are the number of ``@``, the number of ``@`` at the end, and 1 if the first part is a listed room, else 0.
    """
    return name.count("@"), len(name) - len(name.rstrip("@")), int(name.partition("@")[0] in rooms)


def java_rule(ats: smt.IntTerm, ends: smt.IntTerm, listed: smt.IntTerm) -> smt.BoolTerm:
    """Java's rule: ``String.split`` drops empty parts at the end, and two parts must remain."""
    return smt.And(listed == 1, ats - ends == 1)


def go_rule(ats: smt.IntTerm, ends: smt.IntTerm, listed: smt.IntTerm) -> smt.BoolTerm:
    """Go's rule: ``strings.Split`` drops nothing, and there must be exactly two parts."""
    return smt.And(listed == 1, ats == 1)


def rust_rule(ats: smt.IntTerm, ends: smt.IntTerm, listed: smt.IntTerm) -> smt.BoolTerm:
    """Rust's rule: there must be exactly two parts, and the part after ``@`` must not be empty."""
    return smt.And(listed == 1, ats == 1, ends == 0)


def of_kind(rule: Rule) -> Callable[[smt.IntTerm], smt.BoolTerm]:
    """Return the rule as a function of the kind of a broker name, an index in ``KINDS``."""
    shapes = [shape(name, (ROOM,)) for name in KINDS]

    def in_room(kind: smt.IntTerm) -> smt.BoolTerm:
        columns = (
            reduce(lambda rest, place: smt.If(kind == place, column[place], rest), range(len(KINDS)), smt.IntVal(-1))
            for column in zip(*shapes, strict=True)
        )
        return rule(*columns)

    return in_room


# MACHINE_ROOM as SMT terms: which queues are selected, and how their list is divided.
# The selected queues are those of rooms in consumeridcs. They have ranks 0 .. p - 1. Each consumer has a block of p
# div c ranks, and the remainder is dealt from the end of the list.

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


ROOM_ENCODING = encoding()
ROOM_GO = replace(ROOM_ENCODING, keeps=one_of(PLAIN, NO_BROKER), in_room=of_kind(go_rule), takes=whole_list())
ROOM_RUST = replace(ROOM_ENCODING, keeps=one_of(PLAIN), in_room=of_kind(rust_rule))


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
        replace(ROOM_ENCODING, takes=whole_list()),
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
        replace(ROOM_ENCODING, keeps=one_of(OTHER_ROOM)),
        breaks="listed",
    ),
    Mutant(
        "empty-parts-count",
        "Empty parts at the end of a broker name count, as in Go.",
        replace(ROOM_ENCODING, keeps=one_of(PLAIN, NO_BROKER)),
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


Split = Callable[[str], list[str]]
"""Split a brokerName at ``@``.

A queue whose brokerName does not have exactly two parts is in no room.
"""


def java_split(broker_name: str) -> list[str]:
    """Split like Java's ``split("@")``, which drops empty parts at the end.

    ``room1@`` has one part, and ``room1@b@`` has two.
    """
    parts = broker_name.split("@")
    while len(parts) > 1 and parts[-1] == "":
        parts.pop()
    return parts


def machine_room_of(consumeridcs: Collection[str] | None, split: Split, check: Callable[..., bool] = check) -> Allocate:
    """Return the MACHINE_ROOM strategy of a client that splits brokerNames by ``split``.

    ``check``: the client's check of the arguments.
    """

    def allocate(current_cid: str, mq_all: Sequence[MessageQueue], cid_all: Sequence[str]) -> list[MessageQueue]:
        """Mirror of ``AllocateMessageQueueByMachineRoom.allocate``."""
        result: list[MessageQueue] = []
        if not check(current_cid, mq_all, cid_all):
            return result
        index = cid_all.index(current_cid)
        premq_all: list[MessageQueue] = []
        for queue in mq_all:
            if queue is None or queue.broker_name is None:
                raise Fault("mqAll has a null queue or a null brokerName")
            parts = split(queue.broker_name)
            if len(parts) != 2:
                continue
            if consumeridcs is None:
                raise Fault("consumeridcs is null")
            if parts[0] in consumeridcs:
                premq_all.append(queue)
        average = len(premq_all) // len(cid_all)
        rem = len(premq_all) % len(cid_all)
        start_index = average * index
        end_index = start_index + average
        for i in range(start_index, end_index):
            result.append(premq_all[i])
        if rem > index:
            result.append(premq_all[index + average * len(cid_all)])
        return result

    return allocate


def machine_room(consumeridcs: Collection[str] | None = None) -> Allocate:
    """Return ``AllocateMessageQueueByMachineRoom`` after ``setConsumeridcs``.

    consumeridcs is null before that call.
    """
    return machine_room_of(consumeridcs, java_split)


def lists(current_cid: str | None, mq_all: Sequence[MessageQueue] | None, cid_all: Sequence[str] | None) -> bool:
    """Return whether ``current_cid`` is in ``cid_all``: the only check of 4.9.0 to 4.9.2.

    An empty mqAll or cidAll gives an empty share, so the client releases its queues of the topic. From 4.9.3 on, the
    client throws an error and keeps them. Raises ``Fault`` for a null list.
    """
    if cid_all is None:
        raise Fault("cidAll is null")
    if current_cid not in cid_all:
        return False
    if mq_all is None:
        raise Fault("mqAll is null")
    return True


def machine_room_unchecked(consumeridcs: Collection[str] | None = None) -> Allocate:
    """Return the strategy of 4.9.0 to 4.9.2, which does not check for empty arguments."""
    return machine_room_of(consumeridcs, java_split, lists)


ROOMS = frozenset({ROOM})
"""The configured ``consumeridcs`` of the consumers in claims."""


def room_queues(count: int) -> tuple[MessageQueue, ...]:
    """Return ``count`` queues of one broker in the room of ``ROOMS``."""
    return one_broker(count, broker_name=KINDS[0])


MACHINE_ROOM = Strategy(
    name="room",
    rocketmq_name="MACHINE_ROOM",
    source="org.apache.rocketmq.client.consumer.rebalance.AllocateMessageQueueByMachineRoom#allocate",
    allocate=machine_room(ROOMS),
    encoding=ROOM_ENCODING,
    holds=frozenset({"disjoint", "covers", "sublist", "balanced", "shares", "idle", "served"}),
    fails=frozenset({"contiguous"}),
    mutants=MUTANTS,
    configure=machine_room,
    queues=room_queues,
    over="over queues of rooms in consumeridcs",
)

MACHINE_ROOM_UNCHECKED = replace(MACHINE_ROOM, allocate=machine_room_unchecked(ROOMS), configure=machine_room_unchecked)
"""The strategy of Java 4.9.0 to 4.9.2.

It differs from ``MACHINE_ROOM`` only for empty or null arguments, which claims exclude.
"""
