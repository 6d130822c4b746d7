"""Constructor arguments of the strategies, as rows of JSON-lines vector files give them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from rebalance_proofs.model.allocation.fault import Fault
from rebalance_proofs.model.allocation.machine_room_nearby import MachineRoomResolver
from rebalance_proofs.model.allocation.strategy import Allocate
from rebalance_proofs.model.profiles import Profile
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.recorded.jsonl import Row, queues, text, value, whole_number
from rebalance_proofs.recorded.tally import RowError
from rebalance_proofs.recorded.text import quoted
from rebalance_proofs.recorded.values import virtual_nodes


@dataclass(frozen=True)
class Arguments:
    """The constructor arguments of one strategy."""

    keys: frozenset[str]
    """The row's keys that hold them."""
    read: Callable[[Row, Profile], dict[str, Any]]
    """``read(row, profile)``: what ``Strategy.configured`` takes, for the strategy as that client ships it."""


def hash_arguments(row: Row, profile: Profile) -> dict[str, Any]:
    """``v`` virtual nodes a consumer."""
    return {"virtual_nodes": virtual_nodes(whole_number(value(row, "v"), "v"))}


def room_arguments(row: Row, profile: Profile) -> dict[str, Any]:
    """``idcs``: a list of rooms, or null."""
    rooms = value(row, "idcs")
    if rooms is not None and (not isinstance(rooms, list) or not all(isinstance(room, str) for room in rooms)):
        raise RowError(f"idcs is {quoted(rooms)}, not a list of rooms")
    return {"consumeridcs": rooms}


def nearby_arguments(row: Row, profile: Profile) -> dict[str, Any]:
    """``inner``: the name of a strategy, or null; ``bRoom`` and ``cRoom``: rooms of brokers and consumers.

    The inner strategy's own arguments can stand in the row, too. Both are null, or are not there, for a null resolver.
    """
    if row.get("bRoom") is None and row.get("cRoom") is None:
        return {"inner": inner(row, profile), "resolver": None}
    rooms = resolver(rooms_of(row, "bRoom"), rooms_of(row, "cRoom"))
    return {"inner": inner(row, profile), "resolver": rooms}


def inner(row: Row, profile: Profile) -> Allocate | None:
    """The inner strategy, or null; raises ``ClientError`` when it cannot be constructed."""
    name = value(row, "inner")
    if name is None:
        return None
    strategy = profile.strategy(text(name, "inner"))
    if strategy is None:
        raise RowError(f"inner is {quoted(name)}, which {profile.recorded_as} does not ship")
    if name == NEARBY:
        raise RowError(f"inner is {quoted(name)}, and nothing says which strategy is inside that")
    arguments = ARGUMENTS[name]
    return (
        profile.configured(strategy, **arguments.read(row, profile)) if arguments.keys & row.keys() else strategy
    ).allocate


def rooms_of(row: Row, key: str) -> Mapping[str, str | None]:
    """Name -> room; a name that is left out is in no room."""
    found = value(row, key)
    if not isinstance(found, dict) or not all(room is None or isinstance(room, str) for room in found.values()):
        raise RowError(f"{key} is {quoted(found)}, not an object of rooms")
    return found


def resolver(broker_rooms: Mapping[str, str | None], consumer_rooms: Mapping[str, str | None]) -> MachineRoomResolver:
    """A resolver that looks names up."""

    def broker_deploy_in(queue: MessageQueue) -> str | None:
        if queue is None:
            raise Fault("the resolver was asked for the room of a null queue")
        return broker_rooms.get(queue.broker_name)

    return MachineRoomResolver(broker_deploy_in, consumer_rooms.get)


def config_arguments(row: Row, profile: Profile) -> dict[str, Any]:
    """``list`` of queues; without it none was set."""
    return {"queues": None if row.get("list") is None else queues(row["list"], "list")}


NEARBY = "MACHINE_ROOM_NEARBY"

NONE = Arguments(frozenset(), lambda row, profile: {})

ARGUMENTS: Mapping[str, Arguments] = {
    "AVG": NONE,
    "AVG_BY_CIRCLE": NONE,
    "CONSISTENT_HASH": Arguments(frozenset({"v"}), hash_arguments),
    "MACHINE_ROOM": Arguments(frozenset({"idcs"}), room_arguments),
    NEARBY: Arguments(frozenset({"inner", "bRoom", "cRoom"}), nearby_arguments),
    "CONFIG": Arguments(frozenset({"list"}), config_arguments),
}
"""By RocketMQ's name of the strategy."""
INNER = [name for name in ARGUMENTS if name != NEARBY]


def argument_keys(row: Row, strategy: str) -> frozenset[str]:
    """The row's keys that can hold arguments of the strategy, or of the one inside."""
    keys, inside = ARGUMENTS[strategy].keys, row.get("inner")
    return keys | ARGUMENTS[inside].keys if strategy == NEARBY and inside in INNER else keys
