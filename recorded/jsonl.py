"""Rows of JSON-lines vector files: one object a line, with queues, ids and results of clients."""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from rebalance_proofs.model.profiles import RECORDED, Profile
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.recorded.files import Line
from rebalance_proofs.recorded.tally import RowError, Tally
from rebalance_proofs.recorded.text import printable, quoted
from rebalance_proofs.recorded.values import TOPIC, int32

Row = Mapping[str, Any]


def row_object(text: str) -> Row:
    """The line's JSON object; no key may stand in an object twice."""
    try:
        row = json.loads(text, object_pairs_hook=_distinct)
    except ValueError as error:
        raise RowError(f"not JSON: {error}") from error
    if not isinstance(row, dict):
        raise RowError(f"{quoted(row)} is not an object")
    return row


def value(row: Row, key: str) -> Any:
    """The value of a key that has to be there."""
    if key not in row:
        raise RowError(f"no {quoted(key)}")
    return row[key]


def queues(found: Any, what: str, topic: str = TOPIC) -> list[MessageQueue | None]:
    """Queues, written ``[[brokerName, queueId], ...]``; a queue or a brokerName can be null."""
    if not isinstance(found, list):
        raise RowError(f"{what} is {quoted(found)}, not a list of queues")
    return [None if item is None else _queue(item, what, topic) for item in found]


def queues_value(mq_all: Sequence[MessageQueue | None]) -> list[list[str | int | None] | None]:
    """The inverse of ``queues``."""
    return [None if queue is None else [queue.broker_name, queue.queue_id] for queue in mq_all]


def whole_number(found: Any, what: str) -> int:
    """A number without a fraction."""
    if not _is_int(found):
        raise RowError(f"{what} is {quoted(found)}, not a number")
    return found


def text(found: Any, what: str) -> str:
    """A string."""
    if not isinstance(found, str):
        raise RowError(f"{what} is {quoted(found)}, not a text")
    return found


def client_ids(found: Any, what: str) -> list[str | None]:
    """Client ids; one can be null."""
    if not isinstance(found, list) or not all(item is None or isinstance(item, str) for item in found):
        raise RowError(f"{what} is {quoted(found)}, not a list of client ids")
    return found


def positions_value(found: Any, q: int, what: str) -> list[int | None]:
    """Positions in mqAll of ``q`` queues; null where the client returned a null element."""
    if not isinstance(found, list) or not all(item is None or _is_int(item) for item in found):
        raise RowError(f"{what} is {quoted(found)}, not a list of positions")
    for position in found:
        if position is not None and not 0 <= position < q:
            raise RowError(f"{what} has position {quoted(position)}, which is outside mqAll of {q} queues")
    return found


def recorded_of_clients(row: Row, inputs: Collection[str], tally: Tally, line: Line) -> Iterator[tuple[Profile, Any]]:
    """Who was observed, and what was recorded. Any other key is a disagreement."""
    profiles = {profile.recorded_as: profile for profile in RECORDED}
    outputs = [key for key in row if key not in inputs]
    if not outputs:
        raise RowError("no client's result")
    for key in outputs:
        if key in profiles:
            yield profiles[key], row[key]
        else:
            tally.uncomputed(line, "neither an input nor a client that is modelled", printable(key), "its result")


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands twice in one object")
    return found


def _queue(item: Any, what: str, topic: str) -> MessageQueue:
    match item:
        case [str() | None as broker_name, queue_id] if _is_int(queue_id):
            return MessageQueue(topic, broker_name, int32(queue_id))
    raise RowError(f"{what} has {quoted(item)}, which is not [brokerName, queueId]")


def _is_int(item: Any) -> bool:
    """``true`` is an int to Python."""
    return isinstance(item, int) and not isinstance(item, bool)
