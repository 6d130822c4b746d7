"""Integers that represent states and answers in SMT terms, and the values in Python code."""

from rebalance_proofs.model.client.effects import MAX_OFFSET, QUERY_OFFSET, READ_OFFSET, SEARCH_OFFSET
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
    "MEANINGS",
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
"""Numbers for answers without a stored offset.

In order: no answer; a broker error other than "not found". A user-defined offset store may give them any meaning.
"""

FAILED, THROWN = -8, -9
"""Numbers for failed queries: ``MQClientException``; an unexpected exception."""


def stored(number: int) -> int | str:
    """Return the offset store's answer in Python code for its number in SMT terms."""
    return THROWS if number == THROWN else number


def queried(number: int) -> int | str:
    """Return the answer to ``maxOffset`` and ``searchOffset`` in Python code for its number."""
    return {FAILED: FAILS, THROWN: THROWS}.get(number, number)


MEANINGS = {READ_OFFSET: stored, QUERY_OFFSET: stored, MAX_OFFSET: queried, SEARCH_OFFSET: queried}
"""Name of an effect -> function from the number in its details to the value in Python code."""
