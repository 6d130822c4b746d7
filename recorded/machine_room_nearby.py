"""``machine_room_nearby.tsv``: MACHINE_ROOM_NEARBY with two inner strategies, for all rooms of a few queues and ids.

Java computed it, and Rust the same. Go, which divides without looking at rooms, was not recorded here.
"""

from collections.abc import Mapping

from rebalance_proofs.model.allocation.machine_room_nearby import MachineRoomResolver
from rebalance_proofs.model.allocation.strategy import Allocate
from rebalance_proofs.model.profiles import Profile
from rebalance_proofs.model.profiles.java_v5 import JAVA_V5
from rebalance_proofs.model.profiles.rust import RUST
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.recorded.digits import MOST_QUEUES, check_shares, shares_text
from rebalance_proofs.recorded.files import Line, VectorFile
from rebalance_proofs.recorded.format import Format
from rebalance_proofs.recorded.records import FileReport
from rebalance_proofs.recorded.shipped import configured, shipped
from rebalance_proofs.recorded.tally import RowError, Tally, check_rows
from rebalance_proofs.recorded.tsv import cells
from rebalance_proofs.recorded.values import TOPIC

__all__ = ["FORMAT"]

FILE = "machine_room_nearby.tsv"
CLIENTS = (JAVA_V5, RUST)
COLUMNS = ("rooms_of_queues", "rooms_of_consumers", "inner=AVG", "inner=CONSISTENT_HASH(10)")
MOST_CONSUMERS = 100


def check_row(tally: Tally, line: Line) -> None:
    """Every consumer's positions, in the order returned, have to be the recorded ones."""
    queue_rooms, consumer_rooms, *results = cells(line.text, COLUMNS)
    if not 1 <= len(queue_rooms) <= MOST_QUEUES:
        raise RowError(f"rooms of {len(queue_rooms)} queues, not 1 to {MOST_QUEUES}")
    if not 1 <= len(consumer_rooms) <= MOST_CONSUMERS:
        raise RowError(f"rooms of {len(consumer_rooms)} consumers, not 1 to {MOST_CONSUMERS}")
    inners = COLUMNS[2:]
    for inner, recorded in zip(inners, results, strict=True):
        check_shares(recorded, len(queue_rooms), len(consumer_rooms), inner)
    for profile in CLIENTS:
        for inner, recorded in zip(inners, results, strict=True):
            what = f"MACHINE_ROOM_NEARBY of queues {queue_rooms}, consumers {consumer_rooms}, {inner}"
            computed = compute(profile, inner_strategy(profile, inner), queue_rooms, consumer_rooms)
            tally.compare(line, profile, what, recorded, computed)


def inner_strategy(profile: Profile, column: str) -> Allocate:
    """The inner strategy that a column names."""
    if column == "inner=AVG":
        return shipped(profile, "AVG").allocate
    return configured(profile, "CONSISTENT_HASH", virtual_nodes=10).allocate


def compute(profile: Profile, inner: Allocate, queue_rooms: str, consumer_rooms: str) -> str:
    """Every consumer's positions, a digit each; what the client throws where it does."""
    mq_all = [MessageQueue(TOPIC, f"broker-{place}", 0) for place in range(len(queue_rooms))]
    cid_all = [f"c{place}" for place in range(len(consumer_rooms))]
    rooms_of_brokers = dict(zip([queue.broker_name for queue in mq_all], queue_rooms, strict=True))
    rooms_of_ids = dict(zip(cid_all, consumer_rooms, strict=True))
    resolver = MachineRoomResolver(lambda queue: rooms_of_brokers.get(queue.broker_name), rooms_of_ids.get)
    strategy = configured(profile, "MACHINE_ROOM_NEARBY", inner=inner, resolver=resolver)
    return shares_text(profile, strategy, mq_all, cid_all)


def check(found: Mapping[str, VectorFile]) -> tuple[FileReport, ...]:
    """The one file of this format."""
    return (check_rows(found[FILE], check_row, "\t".join(COLUMNS)),)


FORMAT = Format(files=(FILE,), check=check)
