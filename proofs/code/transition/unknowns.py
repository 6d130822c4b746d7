"""Symbolic state of one queue, and symbolic broker answers about it.

Each is decided only when the client's code reads it.
"""

from typing import Any, TypeVar

from rebalance_proofs.model.client.environment import FAILS, THROWS
from rebalance_proofs.model.client.settings import Settings
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.transition.numbers import (
    BROKER_ERROR,
    FAILED,
    LOCKS,
    NOT_FOUND,
    PERSISTS,
    THROWN,
    UNANSWERED,
    WHERES,
)
from rebalance_proofs.proofs.code.run import Run
from rebalance_proofs.proofs.code.terms import Number, Truth

T = TypeVar("T")


class Value(Number):
    """A symbolic number that the client also compares with strings and None.

    It equals none of them. As a dictionary key it differs from the negative numbers that represent failures: an
    earlier branch of the run excludes these.
    """

    def __eq__(self, other: object) -> bool | Truth:  # type: ignore[override]  # the result is symbolic
        return False if other is None or isinstance(other, str) else super().__eq__(other)

    def __ne__(self, other: object) -> bool | Truth:  # type: ignore[override]  # the result is symbolic
        return True if other is None or isinstance(other, str) else super().__ne__(other)

    def __hash__(self) -> int:
        return 1 << 59  # no dictionary of the client has a key with this hash


def is_instance(value: object, kind: Any) -> bool:
    """Replacement of ``isinstance`` for the client's code: symbolic numbers are integers."""
    return isinstance(value, kind) or (isinstance(value, Number) and kind is int)


def one_of(run: Run, name: str, values: tuple[T, ...]) -> T:
    """Return the element of ``values`` whose index is the value of the unknown ``name``."""
    for place, value in enumerate(values[:-1]):
        if run.decide(smt.Int(name) == place):
            return value
    return values[-1]


class UnknownAnswers:
    """Unknown answers of brokers and offset store, like ``model.client.environment.Answers``."""

    def __init__(self, run: Run) -> None:
        self._run = run

    @property
    def lock(self) -> str:
        """Return the answer to a lock request: any element of ``LOCKS``."""
        return one_of(self._run, "lock", LOCKS)

    @property
    def persist(self) -> str:
        """Return the result of persisting an offset: any element of ``PERSISTS``."""
        return one_of(self._run, "persist", PERSISTS)

    @property
    def stored(self) -> int | str | Value:
        """Return the stored offset: any number, or one of the four answers without an offset."""
        stored = smt.Int("stored")
        if self._run.decide(stored >= 0):
            return Value(self._run, stored)
        for number, answer in ((THROWN, THROWS), (NOT_FOUND, NOT_FOUND), (UNANSWERED, UNANSWERED)):
            if self._run.decide(stored == number):
                return answer
        return BROKER_ERROR

    @property
    def queried(self) -> str | Value:
        """Return the answer of a broker's offset query: any number, or one of the two failures."""
        queried = smt.Int("queried")
        if self._run.decide(queried >= 0):
            return Value(self._run, queried)
        for number, answer in ((THROWN, THROWS), (FAILED, FAILS)):
            if self._run.decide(queried == number):
                return answer
        return Value(self._run, queried)


def offset_or_error(stored: smt.IntTerm) -> smt.BoolTerm:
    """Return the assumption that ``stored`` is an offset, or one of four other answers.

    The other answers are numbered; they are the answers without an offset.
    """
    return smt.Or(stored >= 0, *(stored == number for number in (NOT_FOUND, UNANSWERED, BROKER_ERROR, THROWN)))


class UnknownSettings:
    """A consumer's settings, with an unknown ``consume_from_where``."""

    def __init__(self, run: Run, settings: Settings) -> None:
        self._run, self._settings = run, settings

    def __getattr__(self, name: str) -> Any:
        if name == "consume_from_where":
            return one_of(self._run, "where", WHERES)
        return getattr(self._settings, name)
