"""Constructor arguments of allocation strategies, as in recorded results (JSON-lines files)."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from rebalance_proofs.model.allocation.fault import Fault
from rebalance_proofs.model.allocation.machine_room_nearby import MachineRoomResolver
from rebalance_proofs.model.allocation.strategy import Allocate
from rebalance_proofs.model.profiles import Profile
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.recorded.jsonl import list_of, queues, text, virtual_nodes
from rebalance_proofs.recorded.rows import Reader, Row, RowError, expect, fitting, unless
from rebalance_proofs.recorded.text import quoted

rooms = fitting(
    lambda found: isinstance(found, dict) and all(isinstance(room, str | None) for room in found.values()),
    "not an object of rooms",
)
"""Reader of machine rooms: name of a broker or client -> room; null means no room."""

ARGUMENT_KEYS: Mapping[str, Reader] = {
    "v": virtual_nodes,
    "idcs": unless(None, list_of(str, "not a list of rooms")),
    "inner": unless(None, text),
    "bRoom": rooms,
    "cRoom": rooms,
    "list": unless(None, queues),
}
"""Key in a row -> reader of this constructor argument.

The arguments are virtual nodes; consumeridcs; inner strategy; rooms of brokers and of consumers; queues of CONFIG.
"""


class Arguments(NamedTuple):
    """How a row gives the constructor arguments of one strategy."""

    keys: frozenset[str]
    """Keys of a row, among ``ARGUMENT_KEYS``, that contain the arguments."""
    read: Callable[[Row, Profile], dict[str, Any]]
    """Function ``read(row, profile)``: returns the arguments for ``Strategy.configured``."""


def nearby_arguments(row: Row, profile: Profile) -> dict[str, Any]:
    """Return the arguments of MACHINE_ROOM_NEARBY: inner strategy and machine room resolver.

    The inner strategy's own arguments can be in the row as well. The resolver is null if ``bRoom`` is null, or if both
    ``bRoom`` and ``cRoom`` are missing. Other names are in no room.
    """
    fields = row.fields
    null = fields.get("bRoom") is None and ("bRoom" in fields or fields.get("cRoom") is None)
    return {"inner": inner(row, profile), "resolver": None if null else resolver(row["bRoom"], row["cRoom"])}


def inner(row: Row, profile: Profile) -> Allocate | None:
    """Return the inner strategy of MACHINE_ROOM_NEARBY, or null.

    Raises ``ClientError`` if it cannot be constructed.
    """
    name = row["inner"]
    if name is None:
        return None
    strategy = profile.strategy(name)
    if strategy is None:
        raise RowError(f"inner is {quoted(name)}, which {profile.recorded_as} does not ship")
    expect(name != NEARBY, f"inner is {quoted(name)}, and no key names its inner strategy")
    arguments = ARGUMENTS[name]
    if arguments.keys & row.fields.keys():
        strategy = profile.configured(strategy, **arguments.read(row, profile))
    return strategy.allocate


def resolver(broker_rooms: Mapping[str, str | None], consumer_rooms: Mapping[str, str | None]) -> MachineRoomResolver:
    """Return a machine room resolver: broker or client -> its room in one of these mappings."""

    def broker_deploy_in(queue: MessageQueue) -> str | None:
        if queue is None:
            raise Fault("the resolver was called with a null queue")
        return broker_rooms.get(queue.broker_name)

    return MachineRoomResolver(broker_deploy_in, consumer_rooms.get)


NEARBY = "MACHINE_ROOM_NEARBY"

NONE = Arguments(frozenset(), lambda row, profile: {})

ARGUMENTS: Mapping[str, Arguments] = {
    "AVG": NONE,
    "AVG_BY_CIRCLE": NONE,
    "CONSISTENT_HASH": Arguments(frozenset({"v"}), lambda row, profile: {"virtual_nodes": row["v"]}),
    "MACHINE_ROOM": Arguments(frozenset({"idcs"}), lambda row, profile: {"consumeridcs": row["idcs"]}),
    NEARBY: Arguments(frozenset({"inner", "bRoom", "cRoom"}), nearby_arguments),
    "CONFIG": Arguments(frozenset({"list"}), lambda row, profile: {"queues": row.get("list")}),
}
"""RocketMQ's name of a strategy -> how rows give its constructor arguments."""
INNER = [name for name in ARGUMENTS if name != NEARBY]


def argument_keys(row: Row, strategy: str) -> frozenset[str]:
    """Return the row's keys that can be arguments of the strategy or its inner strategy."""
    keys, inside = ARGUMENTS[strategy].keys, row.fields.get("inner")
    return keys | ARGUMENTS[inside].keys if strategy == NEARBY and inside in INNER else keys
