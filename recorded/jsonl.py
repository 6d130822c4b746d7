"""JSON-lines files of recorded results: one object per line, and readers of common values."""

import json
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import UnionType
from typing import Any, NamedTuple

from rebalance_proofs.model.allocation.machine_room_nearby import MachineRoomResolver
from rebalance_proofs.model.allocation.strategy import Allocate, Fault
from rebalance_proofs.model.profiles import RECORDED, Profile
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.recorded.rows import (
    TOPIC,
    Reader,
    Row,
    RowError,
    expect,
    fitting,
    in_turn,
    int32,
    printable,
    quoted,
    unless,
)


@dataclass(frozen=True)
class Objects:
    """Rows of one JSON-lines file."""

    keys: Mapping[str, Reader]
    """Key -> reader of its values, for common keys.

    Each format decides which other keys a row may have.
    """

    def check_header(self, text: str, *known: dict[Any, Any]) -> None:
        """Accept any header; JSON-lines files need none."""

    def read(self, text: str) -> Row:
        """Return the line's JSON object.

        Raises ``RowError`` for anything else, and for a duplicate key.
        """
        try:
            found = json.loads(text, object_pairs_hook=_distinct)
        except ValueError as error:
            raise RowError(f"not JSON: {error}") from error
        if not isinstance(found, dict):
            raise RowError(f"{quoted(found)} is not an object")
        return self.row(found)

    def row(self, found: Mapping[str, Any], prefix: str = "") -> Row:
        """Return a row from an object.

        ``prefix``: for a part of a row, the beginning of its fields' names.
        """
        return Row(self.keys, found, prefix)


def of_type(kind: type, why: str) -> Reader:
    """Return a reader of values of one type; ``why`` ends the error message for all others."""
    return fitting(lambda found: isinstance(found, kind), why)


def list_of(kind: type | UnionType, why: str) -> Reader:
    """Return a reader of lists whose values have one type.

    ``why`` ends the error message for others.
    """
    return fitting(lambda found: isinstance(found, list) and all(isinstance(item, kind) for item in found), why)


def is_whole_number(found: Any) -> bool:
    """Return True for a whole number, but not for ``true``, which is an int in Python."""
    return isinstance(found, int) and not isinstance(found, bool)


MOST_VIRTUAL_NODES = 10_000
"""Largest number of virtual nodes per consumer that the model computes.

Users have some hundred.
"""
whole_number = fitting(is_whole_number, "not a number")
virtual_nodes = in_turn(
    whole_number,
    fitting(
        lambda number: number <= MOST_VIRTUAL_NODES,
        f"more virtual nodes than the {MOST_VIRTUAL_NODES} that are computed",
    ),
)
flag = of_type(bool, "neither true nor false")
text = of_type(str, "not a text")
texts = list_of(str, "not a list of texts")
json_object = of_type(dict, "not an object")
objects = list_of(dict, "not a list of objects")
client_ids = list_of(str | None, "not a list of client ids")
queue_list = of_type(list, "not a list of queues")


def queues(found: Any, what: str, topic: str = TOPIC) -> list[MessageQueue | None]:
    """Return the queues in ``[[brokerName, queueId], ...]``.

    A queue or a brokerName can be null.
    """
    return [None if item is None else _queue(item, what, topic) for item in queue_list(found, what)]


def queues_value(mq_all: Sequence[MessageQueue | None]) -> list[list[str | int | None] | None]:
    """Return queues as ``[[brokerName, queueId], ...]``; the inverse of ``queues``."""
    return [None if queue is None else [queue.broker_name, queue.queue_id] for queue in mq_all]


def recorded_of_clients(row: Row, inputs: Collection[str]) -> Iterator[tuple[Profile, Any]]:
    """Yield (profile of a recorded client, its results) for each client in a row.

    ``inputs``: keys that are not clients. Any other unknown key is a disagreement.
    """
    profiles = {profile.recorded_as: profile for profile in RECORDED}
    outputs = [key for key in row.fields if key not in inputs]
    expect(outputs, "no client's result")
    for key in outputs:
        if key in profiles:
            yield profiles[key], row.fields[key]
        else:
            row.uncomputed("neither an input nor a client that is modelled", printable(key), "its result")


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("an object contains the same key twice")
    return found


def _queue(item: Any, what: str, topic: str) -> MessageQueue:
    if not _is_queue(item):
        raise RowError(f"{what} has {quoted(item)}, which is not [brokerName, queueId]")
    broker_name, queue_id = item
    return MessageQueue(topic, broker_name, int32(queue_id))


def _is_queue(item: object) -> bool:
    match item:
        case [str() | None, queue_id]:
            return is_whole_number(queue_id)
    return False


# Constructor arguments of allocation strategies, as in recorded results (JSON-lines files).

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
