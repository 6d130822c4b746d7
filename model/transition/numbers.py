"""The integers that stand for states and answers in the terms, and the client's own values for them."""

from model.client.environment import (
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
from model.client.pull_from_where import ConsumeFromWhere
from model.client.settings import KINDS

__all__ = ["FAILED", "KINDS", "LOCKS", "NOT_FOUND", "NO_OFFSET", "PERSISTS", "THROWN", "WHERES", "queried", "stored"]

LOCKS = (OK, DENIED, EXC, UNLOCK_EXC, NO_BROKER)
PERSISTS = (OK, THROW_SECOND, THROW)
WHERES = (
    ConsumeFromWhere.LAST_OFFSET,
    ConsumeFromWhere.FIRST_OFFSET,
    ConsumeFromWhere.TIMESTAMP,
    ConsumeFromWhere.MIN_OFFSET,
)
"""The last one stands for all three that are deprecated."""

NO_OFFSET = -10
"""In the place of an offset: the client's memory has none."""

FAILED, THROWN = -8, -9
"""In the place of an offset: the query throws ``MQClientException``, or what nobody expects."""


def stored(number: int) -> int | str:
    """What the offset store answers for it."""
    return THROWS if number == THROWN else number


def queried(number: int) -> int | str:
    """What the broker answers for it to ``maxOffset`` and ``searchOffset``."""
    return {FAILED: FAILS, THROWN: THROWS}.get(number, number)
