"""Check ``machine_room_nearby.tsv``: MACHINE_ROOM_NEARBY with two inner strategies.

The rows have all choices of machine rooms for a few queues and ids. Java and Rust computed the same. Go, which ignores
rooms, was not recorded here.
"""

from collections.abc import Callable, Mapping

from rebalance_proofs.model.allocation.machine_room_nearby import MachineRoomResolver
from rebalance_proofs.model.allocation.strategy import Strategy
from rebalance_proofs.model.profiles import Profile
from rebalance_proofs.model.profiles.java_v5 import JAVA_V5
from rebalance_proofs.model.profiles.rust import RUST
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.recorded.format import Format, Part
from rebalance_proofs.recorded.rows import TOPIC, Row, Table, anything, expect
from rebalance_proofs.recorded.shares import MOST_QUEUES, check_digits, computed_shares, shipped

CLIENTS = (JAVA_V5, RUST)
INNER: Mapping[str, Callable[[Profile], Strategy]] = {
    "inner=AVG": lambda profile: shipped(profile, "AVG"),
    "inner=CONSISTENT_HASH(10)": lambda profile: shipped(profile, "CONSISTENT_HASH", virtual_nodes=10),
}
"""Name of a column with results -> the inner strategy that was used."""
ROWS = Table(dict.fromkeys(("rooms_of_queues", "rooms_of_consumers", *INNER), anything))
MOST_CONSUMERS = 100


def check_row(row: Row) -> None:
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
            computed = compute(profile, inner(profile), queue_rooms, consumer_rooms)
            outer = shipped(profile, "MACHINE_ROOM_NEARBY").name
            row.compare(profile, what, row[column], computed, [outer, f"{outer}-{inner(profile).name}"])


def compute(profile: Profile, inner: Strategy, queue_rooms: str, consumer_rooms: str) -> str:
    """Return every consumer's positions in mqAll by the model, one digit each.

    Return the client's error as text if it throws.
    """
    brokers = {f"broker-{place}": room for place, room in enumerate(queue_rooms)}
    consumers = {f"c{place}": room for place, room in enumerate(consumer_rooms)}
    resolver = MachineRoomResolver(lambda queue: brokers.get(queue.broker_name), consumers.get)
    strategy = shipped(profile, "MACHINE_ROOM_NEARBY", inner=inner.allocate, resolver=resolver)
    return computed_shares(profile, strategy, [MessageQueue(TOPIC, name, 0) for name in brokers], [*consumers])


FORMAT = Format((Part("machine_room_nearby.tsv", ROWS, check_row),))
