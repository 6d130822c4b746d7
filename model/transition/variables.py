"""Unknown integers that decide the result of a rebalance for one queue.

Each has a default value and other values that clients distinguish.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import SimpleNamespace

from rebalance_proofs.model.client.java_v5_2 import UNLOCK_DELAY_TIME_MILLS
from rebalance_proofs.model.client.process_queue_table import FREE, HELD, INTERRUPTED, PULL_MAX_IDLE_TIME
from rebalance_proofs.model.terms import smt
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


@dataclass(frozen=True)
class Variable:
    """An unknown integer of a case, with the values that clients may distinguish."""

    name: str
    values: tuple[int, ...]
    """One value of each class that clients distinguish, the default first."""
    meaning: str
    lowest: int | None = None
    highest: int | None = None
    """Range of the unknown in SMT terms, with ``lowest``; None for no bound on that side."""
    besides: int | None = None
    """One more possible value, outside the range."""
    limit: int | None = None
    """Greatest value that clients treat like the default; the next greater one is in ``values``."""

    @property
    def benign(self) -> int:
        """The default value: that of a rebalance in which nothing happens."""
        return self.values[0]

    def in_range(self, term: smt.IntTerm) -> list[smt.BoolTerm]:
        """Return the conditions on a term that is a value of the variable."""
        low = [] if self.lowest is None else [term >= self.lowest]
        within = low + ([] if self.highest is None else [term <= self.highest])
        return within if self.besides is None else [smt.Or(smt.And(within), term == self.besides)]


def _choice(name: str, count: int, meaning: str) -> Variable:
    return Variable(name, tuple(range(count)), meaning, 0, count - 1)


def _flag(name: str, benign: int, meaning: str) -> Variable:
    return Variable(name, (benign, 1 - benign), meaning, 0, 1)


QUEUE = (
    _flag("mine", 1, "the queue belongs to the rebalanced topic"),
    _flag("present", 1, "the queue has a process queue in processQueueTable"),
    _flag("dropped", 0, "the process queue is dropped"),
    _flag("locked", 1, "the client believes that it holds the broker's lock"),
    Variable("pull_age", (0, PULL_MAX_IDLE_TIME + 1), "time since the last pull, in ms", 0, limit=PULL_MAX_IDLE_TIME),
    Variable(
        "lock_age",
        (0, UNLOCK_DELAY_TIME_MILLS + 1),
        "time since the broker's lock was last renewed, in ms",
        0,
        limit=UNLOCK_DELAY_TIME_MILLS,
    ),
    Variable("consume_lock", (FREE, HELD, INTERRUPTED), "whether the listener runs", FREE, INTERRUPTED),
    _flag("cached", 0, "there are pulled messages that are not consumed"),
    Variable("memory", (55, NO_OFFSET), "the queue's offset in the client's memory", 0, besides=NO_OFFSET),
    _flag("static", 0, "the queue belongs to a static topic, so its broker name is only logical"),
)
"""Unknowns of one queue's state before the first rebalance."""

ROUND = (
    _flag("in_set", 1, "the queue is in mqSet"),
    _choice("lock", len(LOCKS), "the broker's answer to the lock request"),
    Variable(
        "stored",
        (100, NOT_FOUND, UNANSWERED, BROKER_ERROR, THROWN),
        "the committed offset that the offset store returns",
        THROWN,
    ),
    Variable("queried", (77, -1, FAILED, THROWN), "the answer of maxOffset and searchOffset", THROWN),
    _choice("persist", len(PERSISTS), "the result of persisting the offset"),
)
"""Unknown inputs of one queue in one rebalance."""

CONSUMER = (
    _choice("where", len(WHERES), "ConsumeFromWhere"),
    _flag("retry", 0, "the topic is a group's retry topic"),
)
"""Unknowns that all queues share, besides the mode of use."""

MODE = (
    _choice("kind", 3, "push, pull or lite pull"),
    _flag("order", 0, "the argument isOrder"),
    _flag("orderly", 0, "the listener is an ordered one"),
    _flag("broadcasting", 0, "broadcasting: every consumer gets every queue"),
    _flag("own_store", 0, "the offset store is user-defined"),
)

ENTRY = tuple(variable for variable in QUEUE if variable.name not in ("mine", "present", "memory", "static"))
"""The unknowns of a queue's process queue; all have their defaults for a queue without one."""


@dataclass(frozen=True)
class Case:
    """Values of all unknowns: of the consumer, and of each queue, before and in each rebalance."""

    consumer: Mapping[str, int]
    queues: tuple[Mapping[str, int], ...]
    rounds: tuple[tuple[Mapping[str, int], ...], ...]
    """The values for each rebalance and queue: ``rounds[rebalance][queue]``."""

    @property
    def departures(self) -> int:
        """The number of values that are not the default, without the mode of use."""
        pairs = [(CONSUMER, self.consumer), *((QUEUE, numbers) for numbers in self.queues)]
        pairs += [(ROUND, numbers) for round_ in self.rounds for numbers in round_]
        return sum(numbers[variable.name] != variable.benign for known, numbers in pairs for variable in known)


def name_of(name: str, queue: int, round_: int | None = None) -> str:
    """Return the name of a queue's unknown in a rebalance.

    Examples: ``present``, ``present_2`` for the second queue, ``in_set_again`` for a second rebalance.
    """
    return name + (f"_{queue + 1}" if queue else "") + ("_again" if round_ else "")


def values_of(v: SimpleNamespace, known: Sequence[Variable], queue: int, round_: int | None = None) -> SimpleNamespace:
    """Return the SMT terms of one queue's unknowns in one rebalance, under their plain names."""
    return SimpleNamespace(**{variable.name: getattr(v, name_of(variable.name, queue, round_)) for variable in known})


def possible(known: Sequence[Variable], terms: SimpleNamespace) -> list[smt.BoolTerm]:
    """Return the conditions that each term is a possible value of its unknown."""
    return [formula for variable in known for formula in variable.in_range(getattr(terms, variable.name))]
