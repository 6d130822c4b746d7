"""The unknowns on which a round's outcome for one queue depends, with their default (benign) and other values."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import SimpleNamespace

from rebalance_proofs.model.client.java_v5_2 import UNLOCK_DELAY_TIME_MILLS
from rebalance_proofs.model.client.process_queue import FREE, HELD, INTERRUPTED, PULL_MAX_IDLE_TIME
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
    """An unknown integer; ``values`` has a representative of each class of values that clients distinguish."""

    name: str
    values: tuple[int, ...]
    """The representatives, the benign one first."""
    meaning: str
    lowest: int | None = None
    highest: int | None = None
    """The range of the unknown in the terms; None where it is not bounded on that side."""
    besides: int | None = None
    """One more value, outside of the range."""
    limit: int | None = None
    """The greatest value that clients treat like the benign one; the next greater one is the other of ``values``."""

    @property
    def benign(self) -> int:
        """The default: its value in a round in which nothing happens."""
        return self.values[0]

    def in_range(self, term: smt.IntTerm) -> list[smt.BoolTerm]:
        """The conditions on a term that is a value of the variable."""
        low = [] if self.lowest is None else [term >= self.lowest]
        within = low + ([] if self.highest is None else [term <= self.highest])
        return within if self.besides is None else [smt.Or(smt.And(within), term == self.besides)]


def _choice(name: str, count: int, meaning: str) -> Variable:
    return Variable(name, tuple(range(count)), meaning, 0, count - 1)


def _flag(name: str, benign: int, meaning: str) -> Variable:
    return Variable(name, (benign, 1 - benign), meaning, 0, 1)


QUEUE = (
    _flag("mine", 1, "the queue is of the topic that is rebalanced"),
    _flag("present", 1, "it has an entry in processQueueTable"),
    _flag("dropped", 0, "the entry is marked"),
    _flag("locked", 1, "the client believes to have the broker's lock"),
    Variable("pull_age", (0, PULL_MAX_IDLE_TIME + 1), "ms since the last pull", 0, limit=PULL_MAX_IDLE_TIME),
    Variable(
        "lock_age",
        (0, UNLOCK_DELAY_TIME_MILLS + 1),
        "ms since the broker's lock was last renewed",
        0,
        limit=UNLOCK_DELAY_TIME_MILLS,
    ),
    Variable("consume_lock", (FREE, HELD, INTERRUPTED), "whether the listener runs", FREE, INTERRUPTED),
    _flag("cached", 0, "messages were pulled and not consumed"),
    Variable("memory", (55, NO_OFFSET), "the queue's offset in the client's memory", 0, besides=NO_OFFSET),
    _flag("static", 0, "the queue is of a static topic, whose queues are on a broker in name only"),
)
"""The unknowns of one queue before the first round."""

ROUND = (
    _flag("in_set", 1, "the queue is in mqSet"),
    _choice("lock", len(LOCKS), "what the broker says to a lock"),
    Variable("stored", (100, NOT_FOUND, UNANSWERED, BROKER_ERROR, THROWN), "the offset that is stored", THROWN),
    Variable("queried", (77, -1, FAILED, THROWN), "what maxOffset and searchOffset say", THROWN),
    _choice("persist", len(PERSISTS), "what persisting the offset does"),
)
"""The unknowns of one queue in one round."""

CONSUMER = (
    _choice("where", len(WHERES), "ConsumeFromWhere"),
    _flag("retry", 0, "the topic is a group's retry topic"),
)
"""The unknowns that all queues share, besides the mode."""

MODE = (
    _choice("kind", 3, "push, pull or lite pull"),
    _flag("order", 0, "the argument isOrder"),
    _flag("orderly", 0, "the listener is an ordered one"),
    _flag("broadcasting", 0, "every consumer gets every queue"),
    _flag("own_store", 0, "the offset store is one of the user's own"),
)

ENTRY = tuple(variable for variable in QUEUE if variable.name not in ("mine", "present", "memory", "static"))
"""The unknowns of a queue's entry; all are benign for a queue without one."""


@dataclass(frozen=True)
class Case:
    """The numbers of one or more rounds: those of the consumer, of each queue, and of each queue in each round."""

    consumer: Mapping[str, int]
    queues: tuple[Mapping[str, int], ...]
    rounds: tuple[tuple[Mapping[str, int], ...], ...]
    """Indexed by round, then by queue."""

    @property
    def departures(self) -> int:
        """The number of values that are not benign (deviations); the mode is not counted."""
        pairs = [(CONSUMER, self.consumer), *((QUEUE, numbers) for numbers in self.queues)]
        pairs += [(ROUND, numbers) for round_ in self.rounds for numbers in round_]
        return sum(numbers[variable.name] != variable.benign for known, numbers in pairs for variable in known)


def name_of(name: str, queue: int, round_: int | None = None) -> str:
    """Name of a queue's unknown, in one round: ``present``, ``present_2``, ``in_set_again``, ``in_set_2_again``."""
    return name + (f"_{queue + 1}" if queue else "") + ("_again" if round_ else "")


def values_of(v: SimpleNamespace, known: Sequence[Variable], queue: int, round_: int | None = None) -> SimpleNamespace:
    """The terms of one group of variables, by their plain names."""
    return SimpleNamespace(**{variable.name: getattr(v, name_of(variable.name, queue, round_)) for variable in known})


def possible(known: Sequence[Variable], terms: SimpleNamespace) -> list[smt.BoolTerm]:
    """The conditions that each term is a value of its variable."""
    return [formula for variable in known for formula in variable.in_range(getattr(terms, variable.name))]
