"""Formulas for the effect of one rebalance on a queue, as integer columns, and their meaning.

A row of values for the columns describes one result. A round is one rebalance of the topic.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from operator import attrgetter
from types import SimpleNamespace
from typing import NamedTuple

import numpy as np

from rebalance_proofs.model.client.effects import (
    ERROR,
    REBALANCE_LATER,
    Effect,
)
from rebalance_proofs.model.client.environment import DENIED, Answers
from rebalance_proofs.model.client.process_queue_table import ProcessQueue
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.kernel import Kernel, compile_kernel
from rebalance_proofs.model.terms.simplified import simplify
from rebalance_proofs.model.transition.client import Client, Mode
from rebalance_proofs.model.transition.drivers import NOW
from rebalance_proofs.model.transition.numbers import (
    KINDS,
    LOCKS,
    MEANINGS,
    NO_OFFSET,
    PERSISTS,
    WHERES,
    queried,
    stored,
)
from rebalance_proofs.model.transition.rounds import queue_of
from rebalance_proofs.model.transition.step import Entry, Step, Thrown, TransitionEncoding
from rebalance_proofs.model.transition.variables import CONSUMER, MODE, QUEUE, ROUND, Variable
from rebalance_proofs.model.transition.view import asked_of, entry_of
from rebalance_proofs.proofs.transition.scenario import THROWN_NAMES
from rebalance_proofs.spark_enum.check import Check, Keep, Told, distinct
from rebalance_proofs.spark_enum.results import Totals
from rebalance_proofs.spark_enum.transition.space import LETTERS, NAMES, departures, of_mode

OTHERS = NOTHING, EVER, ADDING, REMOVING = (0, 0, 0), (0, 0, 1), (0, 1, 1), (1, 1, 1)
"""Exceptions of other queues: none, after this queue's addition, before it, before its removal.

Each element has three flags for whether an exception occurred: before the removal, before the addition, at any time.
"""

FIELDS = ("dropped", "locked", "pull_age", "lock_age", "consume_lock", "cached", "tries")
"""Fields of a process queue in the columns, in the order of ``State``."""

State = tuple[int, ...]
"""State of a process queue: a number for each of ``FIELDS``, with times instead of ages."""

QUIET, IN_REMOVAL, IN_ADDITION = range(3)
"""Phase in which an exception left the client's method: none, removal, or addition of queues."""


class Became(NamedTuple):
    """The state of a queue after a rebalance."""

    former: State | None
    """The earlier process queue, in its state after the rebalance; None if there was none."""
    after: State | None
    """The process queue in the table after the rebalance; None if there is none."""
    fresh: bool
    """True if the process queue in the table is another object than before."""
    memory: int
    """The queue's offset in the client's memory; ``NO_OFFSET`` if there is none."""


class Outcome(NamedTuple):
    """All effects of a rebalance on one queue."""

    effects: tuple[Effect, ...]
    became: Became
    changed: bool
    phase: int
    """Phase in which this queue causes an exception that leaves the client's method."""
    denied: bool
    """True if a denied lock makes the client request another rebalance soon.

    Only some clients do so.
    """


@dataclass(frozen=True)
class DetailColumn:
    """A detail of an effect, such as an offset, whose value is in a column."""

    column: int
    means: Callable[[int], int | str]


@dataclass(frozen=True)
class Layout:
    """The meaning of the columns, without formulas, so that it can be sent to other processes."""

    slots: tuple[tuple[str, tuple[object, ...]], ...]
    """Name and details of each possible effect, in the program's order.

    The first columns say which of these effects happen.
    """
    columns: tuple[str, ...]
    """Names of all columns."""
    after: int
    """Index of the first column about the process queue in the table after the rebalance."""
    former: int
    """Index of the first column about the process queue from before the rebalance."""
    rest: int
    """Index of the first column about the queue as a whole, such as its offset in memory."""

    def outcome(self, row: Sequence[int], queue: MessageQueue) -> Outcome:
        """Return the effects on the queue that one row of values describes."""
        effects = tuple(
            (
                name,
                queue,
                *(part.means(row[part.column]) if isinstance(part, DetailColumn) else part for part in details),
            )
            for happens, (name, details) in zip(row, self.slots, strict=False)
            if happens
        )
        memory, fresh, changed, removing, adding, denied = row[self.rest :]
        return Outcome(
            effects=effects,
            became=Became(_state(row[self.former :]), _state(row[self.after :]), bool(fresh), memory),
            changed=bool(changed),
            phase=IN_REMOVAL if removing else IN_ADDITION if adding else QUIET,
            denied=bool(denied),
        )


def _state(row: Sequence[int]) -> State | None:
    """Return the process queue that a part of a row describes; None if there is no process queue."""
    if not row[0]:
        return None
    dropped, locked, pull_age, lock_age, *rest = row[1 : 1 + len(FIELDS)]
    return (dropped, locked, NOW - pull_age, NOW - lock_age, *rest)


def columns_of(step: Step, before: Entry) -> tuple[Layout, tuple[smt.Term, ...]]:
    """Return the meaning of the columns, and the formula of each column.

    Fields of missing process queues have the value 0.
    """
    found: list[tuple[str, smt.Term]] = [(slot.name, slot.happens) for slot in step.slots]
    slots = []
    for slot in step.slots:
        details: list[object] = []
        for part in slot.details:
            if smt.is_expr(part):
                assert isinstance(part, smt.IntTerm)
                details.append(DetailColumn(len(found), MEANINGS.get(slot.name, int)))
                found.append((f"{slot.name} detail", smt.If(slot.happens, part, 0)))
            else:
                details.append(part)
        slots.append((slot.name, tuple(details)))
    starts = []
    for which, entry, present in (
        ("after", step.after, step.after.present),
        ("former", step.former, before.present),
    ):
        starts.append(len(found))
        found.append((f"{which} present", present))
        found += [(f"{which} {field}", _where(present, getattr(entry, field))) for field in FIELDS]
    starts.append(len(found))
    found += [
        ("memory", step.after.memory),
        ("fresh", smt.And(step.after.present, step.after.fresh)),
        ("changed", step.changed),
        ("removing throws", step.removing_throws),
        ("adding throws", step.adding_throws),
        ("denied", step.denied),
    ]
    return Layout(tuple(slots), tuple(name for name, _ in found), *starts), tuple(term for _, term in found)


def _where(present: smt.BoolTerm, value: smt.Term) -> smt.Term:
    if smt.is_bool(value):
        return smt.And(present, value)
    assert isinstance(value, smt.IntTerm)
    return smt.If(present, value, 0)


@cache
def step_kernel(client: Client) -> tuple[Layout, Kernel]:
    """Return the meaning of the columns, and a compiled function that computes them for one queue.

    Its arguments are the variables ``NAMES`` (state and answers) and ``THROWN_NAMES`` (exceptions of other queues).
    """
    v = SimpleNamespace(**{name: smt.Int(name) for name in (*NAMES, *THROWN_NAMES)})
    layout, terms = step_terms(client, v)
    return layout, compile_kernel((*NAMES, *THROWN_NAMES), *terms)


def step_terms(client: Client, v: SimpleNamespace) -> tuple[Layout, tuple[smt.Term, ...]]:
    """Return the meaning of the columns, and the formula of each column over the variables ``v``."""
    before, thrown = entry_of(v), Thrown(*(getattr(v, name) == 1 for name in THROWN_NAMES))
    return columns_of(client.encoding.step(before, asked_of(v), thrown), before)


def possible(encoding: TransitionEncoding, own_store: int) -> tuple[tuple[int, int, int], ...]:
    """Return the elements of ``OTHERS`` that are possible with this kind of offset store."""
    own = smt.BoolVal(bool(own_store))
    told = [(thrown, Thrown(*(smt.BoolVal(bool(flag)) for flag in thrown))) for thrown in OTHERS]
    return tuple(thrown for thrown, flags in told if smt.is_true(simplify(encoding.possible(flags, own))))


def shaped(found: Sequence[np.ndarray], rows: int) -> list[np.ndarray]:
    """Return the columns as 64-bit integers, each of length ``rows``. They must not be changed.

    A constant is stored once.
    """
    return [np.broadcast_to(np.asarray(column).astype(np.int64, copy=False), (rows,)) for column in found]


# A consumer that runs the modelled client's rebalance many times, with little overhead.

STATE = (
    "dropped",
    "locked",
    "last_pull_timestamp",
    "last_lock_timestamp",
    "consume_lock",
    "cached",
    "try_unlock_times",
)
"""Attributes of a ``ProcessQueue`` object, in the order of ``State``."""
state_of = attrgetter(*STATE)
"""Function that returns the ``State`` of a ``ProcessQueue`` object."""


def restore(entry: ProcessQueue, state: State) -> None:
    """Set the attributes of a process queue to the given state."""
    for name, value in zip(STATE, state, strict=True):
        setattr(entry, name, value)


class Consumer:
    """A consumer of one client in one mode, which rebalances one topic."""

    def __init__(self, client: Client, mode: Mode, where: int = 0, retry: int = 0) -> None:
        driver = client.drive(mode, where)
        self.topic = queue_of(0, 1, retry).topic
        self.update = driver.update
        self.table = driver.table
        self.memory = driver.memory
        """The offsets in the client's memory, by queue."""
        self._put = driver.put

    def entry(self, numbers: Mapping[str, int]) -> ProcessQueue | None:
        """Return a new process queue with the described state; None if there is none.

        It is not in the consumer's table yet.
        """
        queue = queue_of(-1, 1)
        self._put(queue, numbers)
        self.memory.pop(queue, None)
        entry: ProcessQueue | None = self.table.pop(queue, None)
        return entry

    def became(self, queue: MessageQueue, before: ProcessQueue | None) -> Became:
        """Return the state of a queue after a rebalance; ``before`` is its process queue from before."""
        now = self.table.get(queue)
        former = None if before is None else state_of(before)
        after = former if now is before else None if now is None else state_of(now)
        return Became(former, after, now is not before and now is not None, self.memory.get(queue, NO_OFFSET))


def phase_of(thrown: str) -> int:
    """Return the phase of the exception with that message, which left the client's method."""
    return QUIET if not thrown else IN_REMOVAL if thrown in ("persist", "scripted update") else IN_ADDITION


def asks_again(client: Client) -> tuple[Effect, ...]:
    """Return the client's reaction to a denied lock: a request for another rebalance, or nothing."""
    queue = queue_of(0, 1)
    consumer = Consumer(client, Mode("", orderly=1, order=1))
    done = consumer.update({queue: Answers(lock=DENIED)}, consumer.topic, [queue])
    return tuple(effect for effect in done.effects if effect[0] == REBALANCE_LATER)


def told(effects: tuple[Effect, ...]) -> tuple[Effect, ...]:
    """Return the effects without messages that only inform the user."""
    return tuple(effect for effect in effects if effect[0] != ERROR)


# Cases and results in words, for messages about differences.

_SAID: Mapping[str, Callable[[int], object]] = {
    "kind": lambda number: KINDS[number].name,
    "where": lambda number: WHERES[number].name,
    "lock": lambda number: LOCKS[number],
    "persist": lambda number: PERSISTS[number],
    "stored": stored,
    "queried": queried,
    "memory": lambda number: "none" if number == NO_OFFSET else number,
}


def case_words(numbers: Mapping[str, int]) -> str:
    """Return a case in words: the consumer's mode, and the non-default values of one queue.

    Example: ``order 1, orderly 1: mine 0, stored -1``.
    """
    return f"{consumer_words(numbers)}: {queue_words(numbers)}"


def consumer_words(numbers: Mapping[str, int]) -> str:
    """Return the consumer's mode and settings in words."""
    return _departures(numbers, (*MODE, *CONSUMER)) or "push"


def queue_words(numbers: Mapping[str, int]) -> str:
    """Return the non-default values of one queue in words."""
    return _departures(numbers, (*QUEUE, *ROUND)) or "benign"


def _departures(numbers: Mapping[str, int], known: Sequence[Variable]) -> str:
    found = [variable.name for variable in known if numbers[variable.name] != variable.benign]
    return ", ".join(f"{name} {_said(name, int(numbers[name]))}" for name in found)


def _said(name: str, number: int) -> object:
    return _SAID[name](number) if name in _SAID else number


def effects_words(found: Sequence[Effect], numbered: bool = False) -> str:
    """Return the effects in order: ``drop, persist throw``; with queues' numbers: ``0 drop, 1 drop``."""
    said = [" ".join(map(str, (*_number(queue, numbered), name, *details))) for name, queue, *details in found]
    return ", ".join(said) or "nothing"


def _number(queue: MessageQueue | None, numbered: bool) -> tuple[int, ...]:
    return (queue.queue_id,) if numbered and queue is not None else ()


def outcome_words(found: Outcome) -> str:
    """Return the effects of a rebalance on one queue, in words."""
    return f"{effects_words(found.effects)}; {became_words(found.became)}; {returned_words(found.changed, found.phase)}"


def became_words(found: Became) -> str:
    """Return a queue's process queues after a rebalance in words: the earlier and the new one."""
    said = (
        ("no process queue")
        if found.after is None
        else f"{'new ' if found.fresh else ''}process queue {_state_words(found.after)}"
    )
    if found.former not in (None, found.after):
        said += f", former {_state_words(found.former)}"
    return said if found.memory == NO_OFFSET else f"{said}, offset {found.memory} in memory"


def _state_words(state: Sequence[int]) -> str:
    return str(tuple(map(int, state)))


def returned_words(changed: bool | None, phase: int) -> str:
    """Return how the client's method ended."""
    if phase != QUIET:
        return f"throws while queues are {'removed' if phase == IN_REMOVAL else 'added'}"
    return "changed" if changed else "not changed"


# Representative cases ("letters") of a queue: one for each different effect of a rebalance.
# Combinations of queues are tried with these cases only.

MEMBERSHIP = ("mine", "present", "in_set")
"""Variables whose values always distinguish letters, even if the effects are the same."""

UNCHANGED = -1_000
"""Placeholder for an unchanged offset in memory."""


@dataclass(frozen=True)
class Alphabet:
    """All letters of a client in one mode: codes of cases in ``space.of_mode``.

    Cases with few non-default values come first. Each field distinguishes more cases than the field before it.
    """

    traces: tuple[int, ...]
    """One letter for each different list of effects and exceptions.

    Effects are compared under all exceptions of other queues.
    """
    behaviours: tuple[int, ...]
    """One letter for each different list of effects and different change of the process queue."""
    outcomes: tuple[int, ...]
    """One letter for each different list of effects, change, and final state of the process queue."""

    def at_most(self, count: int, groups: int = 3) -> tuple[int, ...]:
        """Return at most ``count`` letters, first ``traces``, then ``behaviours`` and ``outcomes``.

        If not all of a field fit, they are evenly spaced. ``groups``: how many of the three fields are used.
        """
        found: list[int] = []
        for more in (self.traces, self.behaviours, self.outcomes)[:groups]:
            rest = [letter for letter in more if letter not in set(found)]
            taken = min(count - len(found), len(rest))
            found += [rest[place * len(rest) // taken] for place in range(taken)]
        return tuple(found)


def alphabet(client: Client, mode: Mode) -> Alphabet:
    """Compute the letters of a mode with the compiled formulas for every case.

    The module ``singles`` compares these formulas with the client code.
    """
    layout, kernel = step_kernel(client)
    space = of_mode(client, mode)
    parts = [columns for _, columns in space.parts(0, space.size)]
    columns = {name: np.concatenate([part[name] for part in parts]) for name in NAMES}
    order = np.lexsort((np.arange(space.size), departures(columns)))
    columns = {name: column[order] for name, column in columns.items()}
    before = [columns.get(name, np.zeros(1, dtype=np.int64)) for name in FIELDS]
    effects, entries, changes = [columns[name] for name in MEMBERSHIP], [], []
    for thrown in possible(client.encoding, mode.own_store):
        rows = shaped(kernel(*(columns[name] for name in NAMES), *thrown), space.size)
        memory, fresh, *rest = rows[layout.rest :]
        effects += [*rows[: layout.after], rows[layout.after], rows[layout.former], fresh, *rest]
        for start, new in ((layout.after, fresh), (layout.former, 0)):
            for now, was in zip(rows[start + 1 : start + 1 + len(FIELDS)], before, strict=True):
                # a separate value for "unchanged": all others are at least 0
                changes.append(np.where((rows[start] == 1) & (new == 0) & (now == was), -1, now))
                entries.append(now)
        changes.append(np.where(memory == columns["memory"], UNCHANGED, memory))
        entries.append(memory)
    traces, trace = distinct(effects)
    behaviours, behaviour = distinct([trace, *changes])
    outcomes, _ = distinct([behaviour, *entries])
    return Alphabet(*(tuple(order[np.sort(first)].tolist()) for first in (traces, behaviours, outcomes)))


def letters(client: Client, mode: Mode) -> Check:
    """Return the check that computes and counts the letters of a client in one mode."""
    return Check(
        kind=LETTERS,
        name=f"letters of {client.name} {mode.name}",
        pieces=1,
        expected=of_mode(client, mode).size,
        do=lambda piece, keep: _letters(client, mode, keep),
        subject=client.name,
        setting=mode.name,
        record=_counts,
    )


def _letters(client: Client, mode: Mode, keep: Keep | None) -> Totals:
    space, found = of_mode(client, mode), alphabet(client, mode)
    if keep:
        digits = [[numbers[name] for name in NAMES] for numbers in space.cases(found.outcomes)]
        keep(queues=[1] * len(digits), digits=digits, numbers={"letter": found.outcomes})
    return Totals(counted=space.size, kept=vars(found))


def _counts(totals: Totals) -> Told:
    """Return the number of letters in each field of the alphabet; it also serves as digest."""
    numbers = {group: len(found) for group, found in totals.kept.items()}
    return {"numbers": numbers, "digest": "{traces} {behaviours} {outcomes}".format(**numbers)}
