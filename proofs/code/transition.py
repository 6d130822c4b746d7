"""Obligations that a client's code and terms have the same effects on a queue.

There is one obligation per mode of use (such as push or pull), over all paths through the code.
"""

from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, partial
from types import SimpleNamespace
from typing import Any, TypeVar

from rebalance_proofs.model.client import offset_stores
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
from rebalance_proofs.model.transition.step import Slot, Step, TransitionEncoding
from rebalance_proofs.model.transition.variables import CONSUMER, MODE, QUEUE, ROUND, possible, values_of
from rebalance_proofs.model.transition.view import table_of
from rebalance_proofs.proofs.code.run import Run, Unsupported
from rebalance_proofs.proofs.code.terms import Number, Truth
from rebalance_proofs.proofs.obligation import Obligation, Statement

# One symbolic rebalance of a table with at most one queue, run by the client's code.


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

    This affects the only module of the client's code that calls it.
    """
    vars(offset_stores)["isinstance"] = is_instance
    try:
        yield
    finally:
        del vars(offset_stores)["isinstance"]


# Comparison of the effects of the client's code with the client's terms.


class Comparison:
    """Comparison of the outcomes of many paths with the same terms.

    Common parts are built once.
    """

    def __init__(self, step: Step) -> None:
        self._step = step
        self._effects: dict[tuple[Hashable, ...], smt.BoolTerm] = {}

    def same(self, outcome: Outcome) -> smt.BoolTerm:
        """Return the condition that the outcome agrees with the terms.

        The effects, their order and the final state must be equal.
        """
        step, after = self._step, self._step.after
        thrown = smt.Or(step.removing_throws, step.adding_throws)
        found = [self._done(outcome.effects), after.memory == _number(outcome.memory)]
        if outcome.changed is None:
            found.append(thrown)
        else:
            found += [smt.Not(thrown), step.changed == _truth(outcome.changed)]
        entry = outcome.entry
        if entry is None:
            return smt.And(*found, smt.Not(after.present))
        return smt.And(
            *found,
            after.present,
            after.dropped == _truth(entry.dropped),
            after.locked == _truth(entry.locked),
            after.pull_age == NOW - _number(entry.last_pull_timestamp),
            after.lock_age == NOW - _number(entry.last_lock_timestamp),
            after.consume_lock == _number(entry.consume_lock),
            after.cached == (_number(entry.cached) > 0),
            after.tries == _number(entry.try_unlock_times),
            after.fresh == _truth(outcome.fresh),
        )

    def _done(self, effects: tuple[Effect, ...]) -> smt.BoolTerm:
        key = tuple((name, *map(_key, details)) for name, _, *details in effects)
        if key not in self._effects:
            self._effects[key] = _sequence(self._step.slots, effects)
        return self._effects[key]


def _sequence(slots: tuple[Slot, ...], effects: tuple[Effect, ...]) -> smt.BoolTerm:
    """Return the condition that exactly ``effects`` happen, in this order."""
    behind = [smt.BoolVal(False)] * len(effects) + [smt.BoolVal(True)]
    for slot in reversed(slots):
        here = [smt.And(_is(slot, effect), behind[place + 1]) for place, effect in enumerate(effects)]
        here.append(smt.BoolVal(False))
        behind = [smt.If(slot.happens, one, other) for one, other in zip(here, behind, strict=True)]
    return behind[0]


def _is(slot: Slot, effect: Effect) -> smt.BoolTerm:
    name, _, *details = effect
    if (name, len(details)) != (slot.name, len(slot.details)):
        return smt.BoolVal(False)
    return smt.And([_detail(term, found) for term, found in zip(slot.details, details, strict=True)])


def _detail(expected: Any, found: Any) -> smt.BoolTerm:
    if smt.is_expr(expected) or isinstance(found, Number):
        answers = {THROWS: THROWN, FAILS: FAILED}
        given = answers.get(found, found) if isinstance(found, str) else found
        number = None if isinstance(given, str) or isinstance(expected, str) else _number(given)
        return smt.BoolVal(False) if number is None else number == expected
    return smt.BoolVal(expected == found)


def _key(detail: Any) -> Hashable:
    return ("term", str(detail.term)) if isinstance(detail, Number) else detail


def _number(value: int | Number) -> smt.IntTerm:
    return value.term if isinstance(value, Number) else smt.IntVal(value)


def _truth(value: bool | Truth) -> smt.BoolTerm:
    return value.condition if isinstance(value, Truth) else smt.BoolVal(value)


UNKNOWNS = tuple(variable.name for known in (QUEUE, ROUND, CONSUMER) for variable in known)
MOST = 20_000
"""The largest number of paths through a rebalance of one queue."""

Answers = tuple[bool, ...]
Outcomes = dict[Answers, tuple[list[smt.BoolTerm], Outcome]]


def obligation(client: Client, mode: Mode) -> Obligation:
    """Return the obligation that code and terms agree in one mode of use.

    It covers any state of the queue and any answers. The table has no other queue.
    """
    sentence = (
        f"{client.rocketmq_name}, {mode.name}: code and terms have the same effects on a queue, in the same order."
    )
    return Obligation(mode.slug, sentence, UNKNOWNS, partial(_state, client, mode), logic="QF_LIA")


@cache
def outcomes(client: Client, mode: Mode) -> Outcomes:
    """Return the conditions and the outcome of each path through a rebalance of one queue.

    The keys are the branches of a path, in the order of evaluation: whether each condition is true.
    """
    found: Outcomes = {}
    waiting: list[Answers] = [()]
    while waiting:
        run = Run(waiting.pop())
        outcome = turn(run, client, mode)
        if run.guards:
            raise Unsupported("a division, or an index, in a rebalance")
        found[run.turning.answers] = run.turning.conditions, outcome
        waiting += run.turning.others
        if len(found) > MOST:
            raise Unsupported(f"more than {MOST} paths through a rebalance")
    return found


def _state(client: Client, mode: Mode, encoding: TransitionEncoding, v: SimpleNamespace) -> Statement:
    given = {
        "state and answers are in range": smt.And(
            [formula for known in (QUEUE, ROUND, CONSUMER) for formula in possible(known, values_of(v, known, 0))]
        ),
        "stored is an offset, or one of four other answers": offset_or_error(v.stored),
    }
    used = {one.name: smt.IntVal(getattr(mode, one.name)) for one in MODE}
    unknown = SimpleNamespace(**{name: smt.Int(name) for name in UNKNOWNS}, **used)
    (view,) = table_of(encoding, unknown, queues=1, rounds=1).views
    then = tree(outcomes(client, mode), Comparison(view.steps[0]))
    return Statement(given, smt.substitute(then, *((smt.Int(name), value) for name, value in vars(v).items())))


def tree(found: Outcomes, comparison: Comparison) -> smt.BoolTerm:
    """Return a decision tree over the paths' conditions, in the order of the code.

    A leaf compares a path's outcome with the terms. Raises ``KeyError`` if a path is missing.
    """
    ways = {
        answers[:place]: condition
        for answers, (conditions, _) in found.items()
        for place, condition in enumerate(conditions)
    }

    def below(answers: Answers) -> smt.BoolTerm:
        if answers in found:
            return comparison.same(found[answers][1])
        condition = ways[answers]
        yes, no = below((*answers, True)), below((*answers, False))
        return yes if yes is no else smt.If(condition, yes, no)

    return below(())
