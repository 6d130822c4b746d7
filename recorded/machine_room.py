"""Check ``machine_room.tsv``: MACHINE_ROOM of the Java client.

Broker names are with and without rooms. ``machine_room_divergence.tsv`` has rows on which Go or Rust returned something
else. Both files are parts of one set, but different parts, so a row that is missing in the second file is no evidence
about Go and Rust. The second file names rows by their number in the whole set. Its column for Java shows that the model
numbers them correctly: for another row, Java would have returned something else.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from itertools import combinations_with_replacement, product
from typing import NamedTuple

from rebalance_proofs.model.allocation.machine_room_nearby import MachineRoomResolver
from rebalance_proofs.model.allocation.strategy import Strategy
from rebalance_proofs.model.profiles import GO, JAVA_V5, RUST, Profile
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.recorded.avg import MOST_QUEUES, check_digits, computed_shares, shipped
from rebalance_proofs.recorded.rows import TOPIC, Row, RowError, Table, anything, expect, fitting, number, quoted
from rebalance_proofs.recorded.tally import Format, Part

# Check ``machine_room_nearby.tsv``: MACHINE_ROOM_NEARBY with two inner strategies.
# The rows have all choices of machine rooms for a few queues and ids. Java and Rust computed the same. Go, which
# ignores rooms, was not recorded here.

CLIENTS = (JAVA_V5, RUST)
INNER: Mapping[str, Callable[[Profile], Strategy]] = {
    "inner=AVG": lambda profile: shipped(profile, "AVG"),
    "inner=CONSISTENT_HASH(10)": lambda profile: shipped(profile, "CONSISTENT_HASH", virtual_nodes=10),
}
"""Name of a column with results -> the inner strategy that was used."""
NEARBY_ROWS = Table(dict.fromkeys(("rooms_of_queues", "rooms_of_consumers", *INNER), anything))
MOST_CONSUMERS = 100


def check_nearby_row(row: Row) -> None:
    """Check that every consumer gets the recorded positions in mqAll, in the returned order."""
    queue_rooms, consumer_rooms, *_ = row
    q, c = len(queue_rooms), len(consumer_rooms)
    expect(1 <= q <= MOST_QUEUES, f"rooms of {q} queues, not 1 to {MOST_QUEUES}")
    expect(1 <= c <= MOST_CONSUMERS, f"rooms of {c} consumers, not 1 to {MOST_CONSUMERS}")
    for column in INNER:
        check_digits(row[column], q, c, column)
    for profile in CLIENTS:
        for column, inner in INNER.items():
            what = f"MACHINE_ROOM_NEARBY of queues {queue_rooms}, consumers {consumer_rooms}, {column}"
            computed = compute_nearby(profile, inner(profile), queue_rooms, consumer_rooms)
            outer = shipped(profile, "MACHINE_ROOM_NEARBY").name
            row.compare(profile, what, row[column], computed, [outer, f"{outer}-{inner(profile).name}"])


def compute_nearby(profile: Profile, inner: Strategy, queue_rooms: str, consumer_rooms: str) -> str:
    """Return every consumer's positions in mqAll by the model, one digit each.

    Return the client's error as text if it throws.
    """
    brokers = {f"broker-{place}": room for place, room in enumerate(queue_rooms)}
    consumers = {f"c{place}": room for place, room in enumerate(consumer_rooms)}
    resolver = MachineRoomResolver(lambda queue: brokers.get(queue.broker_name), consumers.get)
    strategy = shipped(profile, "MACHINE_ROOM_NEARBY", inner=inner.allocate, resolver=resolver)
    return computed_shares(profile, strategy, [MessageQueue(TOPIC, name, 0) for name in brokers], [*consumers])


NEARBY_FORMAT = Format((Part("machine_room_nearby.tsv", NEARBY_ROWS, check_nearby_row),))


# Inputs of ``machine_room.tsv``: consumeridcs, broker of each queue, number of consumers.

Kinds = dict[str, str]
"""Digit that stands for a broker -> brokerName."""


class RoomRow(NamedTuple):
    """Inputs of one row, as the file writes them."""

    mode: str
    rooms: str
    """The setting consumeridcs, as the file writes it."""
    kinds: str
    """One digit for each queue of mqAll, which stands for its broker."""
    consumers: int

    @property
    def what(self) -> str:
        """Return the inputs as text for messages."""
        return f"MACHINE_ROOM of {self.rooms} with queues {self.kinds}, c={self.consumers}"


SORTED_ROOMS = ("<none>", "room1", "room2", "room1+room2", "<empty>", "<empty>+room1", "room1+room3")
SEQUENCE_ROOMS = ("room1", "room2", "room1+room2")
CONSUMERS = range(1, 5)


@cache
def whole_set() -> tuple[RoomRow, ...]:
    """Return all rows of the set, of which the recorded rows are a part, in order.

    Row numbers of ``machine_room_divergence.tsv`` refer to this set. ``sorted`` has every choice of up to four of the
    eight kinds in the order of their names, ``seq`` every sequence of up to five of four kinds.
    """
    return (
        *rows_of("sorted", SORTED_ROOMS, combinations_with_replacement, "01234567", 4),
        *rows_of("seq", SEQUENCE_ROOMS, lambda kinds, size: product(kinds, repeat=size), "1367", 5),
    )


def rows_of(
    mode: str,
    rooms: Sequence[str],
    choose: Callable[[str, int], Iterable[tuple[str, ...]]],
    kinds: str,
    most: int,
) -> list[RoomRow]:
    """Return the rows of one mode, with one to ``most`` queues.

    ``choose`` returns the choices of brokers (digits in ``kinds``) for a number of queues.
    """
    chosen = sorted("".join(found) for size in range(1, most + 1) for found in choose(kinds, size))
    return [RoomRow(mode, where, queues, consumers) for queues, where, consumers in product(chosen, rooms, CONSUMERS)]


def chosen_rooms(text: str) -> list[str]:
    """Parse consumeridcs: ``<none>`` is no room, ``<empty>`` the room with an empty name."""
    if text == "<none>":
        return []
    return ["" if room == "<empty>" else room for room in text.split("+")]


def compute(profile: Profile, row: RoomRow, kinds: Kinds) -> str:
    """Return every consumer's positions in mqAll by the model, in the file's notation.

    Return the client's error as text if it throws.
    """
    strategy = shipped(profile, "MACHINE_ROOM", consumeridcs=chosen_rooms(row.rooms))
    mq_all = [MessageQueue(TOPIC, kinds[kind], queue_id) for queue_id, kind in enumerate(row.kinds)]
    cid_all = [f"c{index}" for index in range(row.consumers)]
    return computed_shares(profile, strategy, mq_all, cid_all)


ROWS, DIVERGENCE = "machine_room.tsv", "machine_room_divergence.tsv"


class RoomTable(Table):
    """Rows of ``machine_room.tsv``.

    Its header also contains a broker name for each kind of queue.
    """

    def check_header(self, text: str, *known: Kinds) -> None:
        (kinds,) = known
        match text.split("\t"):
            case ["kind", digit, name] if len(digit) == 1 and digit not in kinds:
                kinds[digit] = name
            case columns if columns != [*self.columns]:
                raise RowError(f"the header {quoted('#' + text)} is neither a new kind nor the list of columns")


TABLE = RoomTable(
    {
        "mode": fitting(("sorted", "seq").__contains__, "neither sorted nor seq"),
        "consumeridcs": anything,
        "kinds_of_mqAll_in_order": anything,
        "c": number,
        "positions_per_consumer": anything,
    }
)
DIVERGENCE_TABLE = Table(
    {
        "row (0-based among the data rows of machine_room.tsv)": lambda text, what: number(text, "row"),
        "java": anything,
        "go (= when same)": anything,
        "rust (= when same)": anything,
    }
)
SAME = "="


def check_row(row: Row, kinds: Kinds) -> None:
    """Check that every consumer gets the recorded positions in mqAll."""
    c, mode = row.read("c", "mode")
    _, rooms, queues, _, recorded = row
    expect(1 <= len(queues) <= MOST_QUEUES, f"{len(queues)} queues, not 1 to {MOST_QUEUES}")
    for kind in queues:
        expect(kind in kinds, f"no #kind line defines kind {quoted(kind)}")
    check_digits(recorded, len(queues), c, "positions_per_consumer")
    inputs = RoomRow(mode, rooms, queues, c)
    row.compare(JAVA_V5, inputs.what, recorded, compute(JAVA_V5, inputs, kinds), code(JAVA_V5))


def check_divergence(row: Row, kinds: Kinds) -> None:
    """Check that the consumers of Java, Go and Rust get the recorded positions in mqAll."""
    number_of_row, java, *others = row
    known = 0 <= number_of_row < len(whole_set())
    expect(known, f"row is {number_of_row}, the whole set has {len(whole_set())} rows")
    inputs = whole_set()[number_of_row]
    for kind in inputs.kinds:
        expect(kind in kinds, f"no #kind line of machine_room.tsv defines kind {quoted(kind)}")
    go, rust = (java if other == SAME else other for other in others)
    recorded = ((JAVA_V5, java), (GO, go), (RUST, rust))
    for profile, shares in recorded:
        check_digits(shares, len(inputs.kinds), inputs.consumers, str(profile.recorded_as))
    for profile, shares in recorded:
        what = f"{inputs.what} (row {number_of_row})"
        row.compare(profile, what, shares, compute(profile, inputs, kinds), code(profile))


def code(profile: Profile) -> list[str]:
    """Return the name of the client's MACHINE_ROOM in the model, for the counts."""
    return [shipped(profile, "MACHINE_ROOM").name]


FORMAT = Format(
    (
        Part(ROWS, TABLE, check_row, uses=(ROWS,)),
        Part(DIVERGENCE, DIVERGENCE_TABLE, check_divergence, uses=(ROWS,)),
    )
)
