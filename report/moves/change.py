"""A change from any group to any other; the topic may grow meanwhile."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.allocation.averagely_by_circle import AVERAGELY_BY_CIRCLE
from rebalance_proofs.model.allocation.consistent_hash import (
    CONSISTENT_HASH,
    CONSISTENT_HASH_GO,
    VIRTUAL_NODES,
    VirtualNode,
    crc32_hash,
    go_queue_key,
    md5_hash,
)
from rebalance_proofs.model.allocation.consistent_hash import queue_key as java_key
from rebalance_proofs.model.allocation.machine_room import MACHINE_ROOM
from rebalance_proofs.model.allocation.machine_room_nearby import MACHINE_ROOM_NEARBY, MACHINE_ROOM_NEARBY_GO
from rebalance_proofs.model.allocation.machine_room_others import MACHINE_ROOM_GO, MACHINE_ROOM_RUST
from rebalance_proofs.model.allocation.strategy import Strategy, queues_for
from rebalance_proofs.model.queues import MessageQueue, one_broker
from rebalance_proofs.model.topics.kafka_range import KAFKA_RANGE
from rebalance_proofs.model.topics.kafka_round_robin import KAFKA_ROUND_ROBIN
from rebalance_proofs.report.allocation.owners import Owners, owners_of

# Events that change a group: a consumer joins, leaves or crashes, or the topic grows.


class Event(StrEnum):
    """An event that changes a group; its value is the name in the option ``--event``."""

    JOIN = "join"
    LEAVE = "leave"
    CRASH = "crash"
    GROW = "grow"


@dataclass(frozen=True)
class Group:
    """One topic and its consumers before the event; all consumers see the same lists."""

    event: Event
    queues: int
    consumers: int
    ids: tuple[str, ...]
    """Sorted ids of all consumers that are in the group before or after the event."""
    grown: int = 0
    """Number of queues after the topic has grown; 0 for other events."""
    brokers: int = 1
    """Number of brokers, each with the same number of the topic's queues."""

    @property
    def fewer(self) -> int:
        """Return the number of consumers without the one that joins or leaves."""
        return len(self.ids) - 1

    @property
    def after(self) -> int:
        """Return the number of consumers after the event."""
        return {Event.JOIN: self.consumers + 1, Event.GROW: self.consumers}.get(self.event, self.consumers - 1)


# The owner of each queue under one strategy, computed once for the whole group.
# Calling ``allocate`` for each consumer takes the number of consumers times as long. Tests compare both ways.


def in_blocks(queues: int, consumers: int) -> list[int]:
    """Return the owners' indexes for one block each; the first blocks are longer by one."""
    least, longer = divmod(queues, consumers)
    return [index for index in range(consumers) for _ in range(least + (index < longer))]


def in_turn(queues: int, consumers: int) -> list[int]:
    """Return the owners' indexes if the queues are dealt around the consumers."""
    return [position % consumers for position in range(queues)]


def in_blocks_and_rest(queues: int, consumers: int) -> list[int]:
    """Return the owners' indexes for equal blocks; the rest is dealt from the first on."""
    least, rest = divmod(queues, consumers)
    return [index for index in range(consumers) for _ in range(least)] + list(range(rest))


FORMS: dict[str, Callable[[int, int], list[int]]] = {
    AVERAGELY.name: in_blocks,
    MACHINE_ROOM_NEARBY.name: in_blocks,
    MACHINE_ROOM_NEARBY_GO.name: in_blocks,
    KAFKA_RANGE.name: in_blocks,
    AVERAGELY_BY_CIRCLE.name: in_turn,
    KAFKA_ROUND_ROBIN.name: in_turn,
    MACHINE_ROOM.name: in_blocks_and_rest,
    MACHINE_ROOM_GO.name: in_blocks_and_rest,
    MACHINE_ROOM_RUST.name: in_blocks_and_rest,
}
"""Strategy -> owners by index, for strategies whose result depends only on the two numbers and the index.

All queues and consumers are in one room. For AVG and AVG_BY_CIRCLE, the claims ``disjoint`` and ``covers`` prove that
this owner is the only one.
"""


def by_index(strategy: Strategy) -> Callable[[int, int], list[int]] | None:
    """Return the function (queues, consumers) -> owners' indexes; None if names matter."""
    return FORMS.get(strategy.name)


def owners(strategy: Strategy, queues: Sequence[MessageQueue], ids: Sequence[str]) -> Owners:
    """Return the owners' indexes in the sorted ids, if all consumers see these sorted lists."""
    form = by_index(strategy)
    if form:
        return tuple(form(len(queues), len(ids)))
    if strategy in (CONSISTENT_HASH, CONSISTENT_HASH_GO):
        places = {one: place for place, one in enumerate(ids)}
        return tuple(places[one] for one in _routed(strategy, tuple(queues), tuple(ids)))
    return owners_of(strategy, queues, ids)


def owners_by_id(strategy: Strategy, queues: Sequence[MessageQueue], ids: Collection[str]) -> tuple[str | None, ...]:
    """Return the owners' ids. ``ids`` are sorted."""
    listed = tuple(ids)
    return tuple(None if place is None else listed[place] for place in owners(strategy, queues, listed))


def _routed(strategy: Strategy, queues: tuple[MessageQueue, ...], ids: tuple[str, ...]) -> list[str]:
    """Return the owner of each queue on the hash ring; a later node replaces an earlier one with the same hash."""
    on_ring: dict[int, str] = {}
    for one in ids:
        on_ring.update(_nodes(strategy, one))
    hashes = sorted(on_ring)
    named = [on_ring[hash_] for hash_ in hashes]
    find = bisect_left if strategy is CONSISTENT_HASH else bisect_right
    named.append(named[0])  # behind the last node, the search goes on at the first one
    return [named[find(hashes, key)] for key in _keys(strategy, queues)]


@lru_cache(maxsize=1 << 12)
def _nodes(strategy: Strategy, client_id: str) -> tuple[tuple[int, str], ...]:
    """Return the hashes of the virtual nodes of an id."""
    if strategy is CONSISTENT_HASH:
        keys = [md5_hash(VirtualNode(client_id, replica).key) for replica in range(VIRTUAL_NODES)]
    else:
        keys = [crc32_hash(f"{replica}{client_id}") for replica in range(VIRTUAL_NODES)]
    return tuple((key, client_id) for key in keys)


@lru_cache(maxsize=16)
def _keys(strategy: Strategy, queues: tuple[MessageQueue, ...]) -> tuple[int, ...]:
    """Return the hashes of the queues."""
    if strategy is CONSISTENT_HASH:
        return tuple(md5_hash(java_key(queue)) for queue in queues)
    return tuple(crc32_hash(go_queue_key(queue)) for queue in queues)


@dataclass(frozen=True)
class Step:
    """One event of a change with known ids: ids that leave, and ids that join after that."""

    leaves: str = ""
    joins: str = ""
    grows: bool = False
    """True if the topic grows in this step."""

    def __str__(self) -> str:
        """Return the step in words: ``d joins``, ``a leaves``, ``a restarts as b``."""
        if self.grows:
            return "the topic grows"
        if self.leaves and self.joins:
            return f"{self.leaves} restarts as {self.joins}"
        return f"{self.joins} joins" if self.joins else f"{self.leaves} leaves"


@dataclass(frozen=True)
class Named:
    """The client ids of a change, if the user gives them."""

    before: tuple[str, ...]
    """Sorted ids before the change."""
    steps: tuple[Step, ...]
    """Events that lead to the ids after the change, in any order."""


@dataclass(frozen=True)
class Change:
    """Sizes of a group before and after a change; all consumers see the same lists."""

    queues: int
    before: int
    leave: int = 0
    join: int = 0
    restart: int = 0
    """Number of consumers that restart, each with a new id."""
    grown: int = 0
    """Number of queues after the topic has grown; 0 if it does not grow."""
    brokers: int = 1
    named: Named | None = None

    @property
    def after(self) -> int:
        """Return the number of consumers after the change."""
        return self.before - self.leave + self.join

    @property
    def stay(self) -> int:
        """Return the number of ids that are in the group before and after the change."""
        return self.before - self.leave - self.restart

    @property
    def events(self) -> int:
        """Return the number of events that the change consists of, one after the other."""
        return self.leave + self.join + self.restart + bool(self.grown)


def topic(strategy: Strategy, count: int, brokers: int) -> tuple[MessageQueue, ...]:
    """Return the topic's queues in the clients' sort order, spread evenly over the brokers."""
    if brokers == 1:
        return queues_for((strategy,), count)
    names = [f"broker-{number:02}" for number in range(brokers)]
    return tuple(queue for name in names for queue in one_broker(count // brokers, broker_name=name))


def old_places(strategy: Strategy, change: Change) -> list[int]:
    """Return the new position of each old queue, in the order of the old positions."""
    old, new = (topic(strategy, count, change.brokers) for count in (change.queues, change.grown or change.queues))
    places: Mapping[MessageQueue, int] = {queue: place for place, queue in enumerate(new)}
    return [places[queue] for queue in old]
