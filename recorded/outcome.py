"""Outcomes of calls of ``allocate`` in JSON-lines files: queues, null, or an exception.

Queues are written by position in mqAll or by name.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from rebalance_proofs.model.allocation.strategy import Strategy
from rebalance_proofs.model.profiles import ClientError, Profile
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.recorded.jsonl import is_whole_number, list_of
from rebalance_proofs.recorded.rows import RowError, expect, fitting, quoted

Outcome = list[int | None] | list[str | None] | dict[str, str | None] | None
"""The returned queues; or ``{"x": exception, "m": message}``.

Or null if no list was returned.
"""

Queues = Sequence[MessageQueue | None]
NULL_POINTER = "java.lang.NullPointerException"


class Notation(NamedTuple):
    """How a file writes the queues of a result."""

    read: Callable[[Any, str, int], list[Any]]
    """Function ``read(found, what, q)`` for a recorded list and mqAll of q queues.

    It raises ``RowError``.
    """
    write: Callable[[Queues, Queues | None], list[Any]]
    """Function ``write(result, mq_all)`` that returns a computed list in the same notation."""


def places(result: Queues, mq_all: Queues | None) -> list[int | str | None]:
    """Return each queue's position in mqAll.

    A queue outside mqAll, which no file has, is returned as ``broker:queueId``. Queues are compared by identity,
    because mqAll can contain equal ones.
    """
    found = {id(queue): place for place, queue in enumerate(mq_all or ())}
    return [None if queue is None else found.get(id(queue), queue_name(queue)) for queue in result]


def queue_name(queue: MessageQueue | None) -> str | None:
    """Return the queue as ``broker:queueId``, or null."""
    return None if queue is None else f"{queue.broker_name}:{queue.queue_id}"


positions = fitting(
    lambda found: isinstance(found, list) and all(item is None or is_whole_number(item) for item in found),
    "not a list of positions",
)
names = list_of(str | None, "not a list of broker:queueId")


def read_positions(found: Any, what: str, q: int) -> list[int | None]:
    """Return recorded positions in mqAll; null elements become None."""
    listed: list[int | None] = positions(found, what)
    for position in listed:
        inside = position is None or 0 <= position < q
        expect(inside, f"{what} has position {quoted(position)}, which is outside mqAll of {q} queues")
    return listed


POSITIONS = Notation(read_positions, places)
NAMES = Notation(lambda found, what, q: names(found, what), lambda result, mq_all: [*map(queue_name, result)])
"""How files write queues that need not be in mqAll: those of CONFIG.

CONFIG can also be an inner strategy.
"""


def outcome(
    profile: Profile,
    strategy: Strategy,
    current_cid: str | None,
    mq_all: Queues | None,
    cid_all: Sequence[str | None] | None,
    notation: Notation = POSITIONS,
) -> Outcome:
    """Call ``profile.allocate`` and return its result or its ``ClientError``."""
    try:
        result = profile.allocate(strategy, current_cid, mq_all, cid_all)
    except ClientError as error:
        return thrown(error)
    return None if result is None else notation.write(result, mq_all)


def thrown(error: ClientError) -> Outcome:
    """Return the outcome of a call that threw this error.

    The text of a NullPointerException depends on the JVM and is omitted.
    """
    return pinned({"x": error.exception, "m": error.message})


def read_outcome(found: Any, q: int, profile: Profile, what: str, notation: Notation = POSITIONS) -> Outcome:
    """Return the recorded outcome of one call with ``q`` queues.

    Raises ``RowError`` for anything else.
    """
    match found:
        case None:
            # A client without errors returns nil, its empty list; for all others, null is no list.
            return [] if profile.refusal is None else None
        case {"x": str(), "m": str() | None, **rest} if not rest:
            return pinned(found)
    return notation.read(found, what, q)


def read_outcomes(
    found: Any, count: int, q: int, profile: Profile, what: str, notation: Notation = POSITIONS
) -> list[Outcome]:
    """Return the recorded outcomes of ``count`` calls, one per client id."""
    if not isinstance(found, list) or len(found) != count:
        raise RowError(f"{what} is {quoted(found)}, not a list of {count} results, one for each cid")
    return [read_outcome(item, q, profile, what, notation) for item in found]


def pinned(found: dict[str, str | None]) -> dict[str, str | None]:
    """Return the part of a recorded error that is compared.

    The text of a NullPointerException depends on the JVM and is omitted.
    """
    return {"x": NULL_POINTER} if found["x"] == NULL_POINTER else {"x": found["x"], "m": found["m"]}
