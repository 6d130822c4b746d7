"""Integers for states and answers in the terms, and the client's values for them."""

from rebalance_proofs.model.client.environment import (
    DENIED,
    EXC,
    FAILS,
    NO_BROKER,
    NOT_FOUND,
    OK,
    THROW,
    THROW_SECOND,
    THROWS,
    UNLOCK_EXC,
)
from rebalance_proofs.model.client.pull_from_where import ConsumeFromWhere
from rebalance_proofs.model.client.settings import KINDS

__all__ = [
    "BROKER_ERROR",
    "FAILED",
    "KINDS",
    "LOCKS",
    "NOT_FOUND",
    "NO_OFFSET",
    "PERSISTS",
    "THROWN",
    "UNANSWERED",
    "WHERES",
    "queried",
    "stored",
]

LOCKS = (OK, DENIED, EXC, UNLOCK_EXC, NO_BROKER)
PERSISTS = (OK, THROW_SECOND, THROW)
WHERES = (
    ConsumeFromWhere.LAST_OFFSET,
    ConsumeFromWhere.FIRST_OFFSET,
    ConsumeFromWhere.TIMESTAMP,
    ConsumeFromWhere.MIN_OFFSET,
)
"""The values of ``consumeFromWhere``; the last one represents all three deprecated values."""

NO_OFFSET = -10
"""Number for an offset that is missing in the client's memory."""

UNANSWERED, BROKER_ERROR = -2, -3
"""Numbers for answers without a stored offset: no answer; a broker error other than "not found".

A user-defined offset store may give them any meaning.
"""

FAILED, THROWN = -8, -9
"""Numbers for failed queries: ``MQClientException``; an unexpected exception."""


def stored(number: int) -> int | str:
    """Return the offset store's answer for the number."""
    return THROWS if number == THROWN else number


def queried(number: int) -> int | str:
    """Return the broker's answer to ``maxOffset`` and ``searchOffset`` for the number."""
    return {FAILED: FAILS, THROWN: THROWS}.get(number, number)
