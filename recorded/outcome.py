"""What one call of ``allocate`` gives, in the notation of the vector files."""

from collections.abc import Sequence
from typing import Any

from rebalance_proofs.model.allocation.strategy import Strategy
from rebalance_proofs.model.profiles.profile import ClientError, Profile
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.recorded.notation import POSITIONS, Notation
from rebalance_proofs.recorded.readers import unfit

Outcome = list[int | None] | list[str | None] | dict[str, str | None] | None
"""Queues in the file's notation; or ``{"x": exception, "m": message}``; or null for a client that returned no list."""

NULL_POINTER = "java.lang.NullPointerException"


def outcome(
    profile: Profile,
    strategy: Strategy,
    current_cid: str | None,
    mq_all: Sequence[MessageQueue | None] | None,
    cid_all: Sequence[str | None] | None,
    notation: Notation = POSITIONS,
) -> Outcome:
    """``profile.allocate`` with the same arguments; never raises ``ClientError`` but returns it."""
    try:
        result = profile.allocate(strategy, current_cid, mq_all, cid_all)
    except ClientError as error:
        return thrown(error)
    return None if result is None else notation.write(result, mq_all)


def thrown(error: ClientError) -> Outcome:
    """What the client threw."""
    return {"x": error.exception, "m": error.message}


def read_outcome(found: Any, q: int, profile: Profile, what: str, notation: Notation = POSITIONS) -> Outcome:
    """What was recorded of one call with ``q`` queues. Raises ``RowError`` when it is nothing of the kind."""
    match found:
        case None:
            # A client that does not throw returns nil, which is its empty list; null is no list anywhere else.
            return [] if profile.refusal is None else None
        case {"x": str() as exception, "m": str() | None as message, **rest} if not rest:
            return {"x": exception, "m": message}
    return notation.read(found, what, q)


def read_outcomes(
    found: Any, count: int, q: int, profile: Profile, what: str, notation: Notation = POSITIONS
) -> list[Outcome]:
    """The same of ``count`` calls, one for each client id."""
    if not isinstance(found, list) or len(found) != count:
        raise unfit(found, what, f"not a list of {count} results, one for each cid")
    return [read_outcome(item, q, profile, what, notation) for item in found]


def pinned(result: Outcome) -> Outcome:
    """What of a result is compared: the text of a NullPointerException is the virtual machine's own and is not."""
    if isinstance(result, dict) and result["x"] == NULL_POINTER:
        return {"x": NULL_POINTER}
    return result
