"""One symbolic rebalance of a table with at most one queue, run by the client's code."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

from rebalance_proofs.model.client import local_file_offset_store, remote_broker_offset_store
from rebalance_proofs.model.client.effects import Effect, about
from rebalance_proofs.model.client.environment import FAILS, THROWS
from rebalance_proofs.model.client.process_queue_table import ProcessQueue
from rebalance_proofs.model.client.settings import Settings
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.transition.client import Client, Mode
from rebalance_proofs.model.transition.drivers import NOW
from rebalance_proofs.model.transition.numbers import (
    BROKER_ERROR,
    FAILED,
    LOCKS,
    NO_OFFSET,
    NOT_FOUND,
    PERSISTS,
    THROWN,
    UNANSWERED,
    WHERES,
)
from rebalance_proofs.model.transition.rounds import queue_of
from rebalance_proofs.model.transition.variables import QUEUE
from rebalance_proofs.proofs.code.run import Run
from rebalance_proofs.proofs.code.terms import Number, Truth

# Symbolic state of one queue, and symbolic broker answers about it.
# Each is decided only when the client's code reads it.

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


STORES = (local_file_offset_store, remote_broker_offset_store)
BENIGN = {known.name: known.benign for known in QUEUE} | {"memory": NO_OFFSET}


@dataclass(frozen=True)
class Outcome:
    """The observable outcome of one path through a rebalance.

    Its numbers and truth values may be symbolic.
    """

    effects: tuple[Effect, ...]
    changed: bool | None
    """Whether the rebalance returns that the table changed; None if it threw an exception."""
    entry: ProcessQueue | None
    """The queue's entry in the process queue table afterwards; None if there is none."""
    fresh: bool
    """Whether the entry is a new object, created by this rebalance."""
    memory: int | Number
    """The queue's offset in the client's offset store in memory; ``NO_OFFSET`` for none."""


def turn(run: Run, client: Client, mode: Mode) -> Outcome:
    """Run the rebalance from an arbitrary state, with arbitrary answers."""

    def holds(name: str) -> bool:
        return run.decide(smt.Int(name) == 1)

    mine = holds("mine")
    retry = mine and holds("retry")
    queue, topic = queue_of(0, mine, retry), queue_of(0, 1, retry).topic
    driver: Any = client.drive(mode, 0)  # the annotations are int, but the numbers are symbolic
    rebalance = driver._rebalance
    rebalance.settings = UnknownSettings(run, rebalance.settings)
    if run.decide(smt.Int("memory") >= 0):
        driver.memory[queue] = Value(run, smt.Int("memory"))
    before = None
    if holds("present"):
        driver.put(queue, BENIGN)
        before = driver.table[queue]
        before.dropped, before.locked = (Truth(run, smt.Int(name) == 1) for name in ("dropped", "locked"))
        before.last_pull_timestamp = Value(run, NOW - smt.Int("pull_age"))
        before.last_lock_timestamp = Value(run, NOW - smt.Int("lock_age"))
        before.consume_lock, before.cached = (Value(run, smt.Int(name)) for name in ("consume_lock", "cached"))
    mq_set = [queue] if holds("in_set") else []
    with _numbers_are_integers():
        done = driver.update({queue: UnknownAnswers(run)}, topic, mq_set)
    entry = driver.table.get(queue)
    return Outcome(
        effects=about(done.effects, queue),
        changed=done.changed,
        entry=entry,
        fresh=entry is not before,
        memory=driver.memory.get(queue, NO_OFFSET),
    )


@contextmanager
def _numbers_are_integers() -> Iterator[None]:
    """Make ``isinstance`` treat symbolic numbers as integers.

    This affects the two modules of the client's code that call it.
    """
    for module in STORES:
        vars(module)["isinstance"] = is_instance
    try:
        yield
    finally:
        for module in STORES:
            del vars(module)["isinstance"]
