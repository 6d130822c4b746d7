"""The integers that stand for states and answers in the terms, and the client's own values for them."""

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
"""The values of ``consumeFromWhere``; the last one stands for all three that are deprecated."""

NO_OFFSET = -10
"""The number for an offset that the client's memory does not have."""

UNANSWERED, BROKER_ERROR = -2, -3
"""Numbers for answers without a stored offset: no answer; an error of the broker other than "there is none". An offset
store of the user's own may mean anything by them."""

FAILED, THROWN = -8, -9
"""Numbers for answers without an offset: the query throws ``MQClientException``; it throws what nobody expects."""


def stored(number: int) -> int | str:
    """The offset store's answer that the number stands for."""
    return THROWS if number == THROWN else number


def queried(number: int) -> int | str:
    """The broker's answer to ``maxOffset`` and ``searchOffset`` that the number stands for."""
    return {FAILED: FAILS, THROWN: THROWS}.get(number, number)
