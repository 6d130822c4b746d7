"""Random cases of a client, evaluated by its terms and run on its code."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import product
from types import SimpleNamespace
from typing import Any

from hypothesis import strategies as st

from rebalance_proofs.model.client.effects import MAX_OFFSET, QUERY_OFFSET, READ_OFFSET, SEARCH_OFFSET, Effect
from rebalance_proofs.model.client.process_queue_table import ProcessQueue
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.kernel import compile_kernel
from rebalance_proofs.model.terms.simplified import simplify
from rebalance_proofs.model.transition.client import Client, Mode
from rebalance_proofs.model.transition.clients import CLIENTS
from rebalance_proofs.model.transition.drivers import NOW
from rebalance_proofs.model.transition.numbers import KINDS, NO_OFFSET, queried, stored
from rebalance_proofs.model.transition.rounds import Rounds, run
from rebalance_proofs.model.transition.step import Asked, Entry, Step, Thrown, TransitionEncoding
from rebalance_proofs.model.transition.variables import CONSUMER, MODE, QUEUE, ROUND, Case, Variable, name_of
from rebalance_proofs.model.transition.view import asked_of, entry_of, table_of

ANY_MODE = tuple(Mode("any", *flags) for flags in product(range(len(KINDS)), *[(0, 1)] * 4))
FARTHEST = 10**6
"""Largest age and offset that is tried."""

Effects = tuple[tuple[Any, ...], ...]
"""Effects of one queue, without the queue."""


def modes(client: Client) -> tuple[Mode, ...]:
    """All modes of a client, including those that its users cannot choose; Node has no other kinds of consumers."""
    return client.modes if client.name == "node" else ANY_MODE


def value(variable: Variable) -> st.SearchStrategy[int]:
    """A value of each kind that a client distinguishes, or any other one in the range."""
    low = -FARTHEST if variable.lowest is None else variable.lowest
    high = FARTHEST if variable.highest is None else variable.highest
    return st.sampled_from(variable.values) | st.integers(low, high)


def numbers(known: Sequence[Variable]) -> st.SearchStrategy[dict[str, int]]:
    """Values for a group of variables."""
    return st.fixed_dictionaries({variable.name: value(variable) for variable in known})


@st.composite
def cases(draw: st.DrawFn, most_queues: int = 3, most_rounds: int = 2) -> Case:
    """Tables with and without the queues, in any state, and any answers."""
    queues, rounds = draw(st.integers(1, most_queues)), draw(st.integers(1, most_rounds))
    return Case(
        draw(numbers(CONSUMER)),
        tuple(draw(numbers(QUEUE)) for _ in range(queues)),
        tuple(tuple(draw(numbers(ROUND)) for _ in range(queues)) for _ in range(rounds)),
    )


@st.composite
def used(draw: st.DrawFn, most_queues: int = 3, most_rounds: int = 2) -> tuple[Client, Mode, Case]:
    """Any client, in any mode, in any case."""
    client = draw(st.sampled_from(CLIENTS))
    return client, draw(st.sampled_from(modes(client))), draw(cases(most_queues, most_rounds))


def sampled(client: Client, queues: int, rounds: int, source: random.Random) -> tuple[Mode, Case]:
    """A random case; half of the values are benign, the others of any kind."""

    def numbers(known: Sequence[Variable]) -> dict[str, int]:
        return {v.name: v.benign if source.random() < 0.5 else source.choice(v.values) for v in known}

    case = Case(
        numbers(CONSUMER),
        tuple(numbers(QUEUE) for _ in range(queues)),
        tuple(tuple(numbers(ROUND) for _ in range(queues)) for _ in range(rounds)),
    )
    return source.choice(modes(client)), case


def names(queues: int, rounds: int) -> list[str]:
    """Names of the unknowns for that many queues and rounds."""
    found = [variable.name for variable in (*MODE, *CONSUMER)]
    for queue in range(queues):
        found += [name_of(variable.name, queue) for variable in QUEUE]
        found += [name_of(variable.name, queue, round_) for round_ in range(rounds) for variable in ROUND]
    return found


def assignment(mode: Mode, case: Case) -> dict[str, int]:
    """Values of the unknowns that describe the case."""
    found = {variable.name: getattr(mode, variable.name) for variable in MODE} | dict(case.consumer)
    for queue, state in enumerate(case.queues):
        found |= {name_of(name, queue): number for name, number in state.items()}
        for round_, asked in enumerate(case.rounds):
            found |= {name_of(name, queue, round_): number for name, number in asked[queue].items()}
    return found


@dataclass(frozen=True)
class State:
    """State of a queue's entry."""

    dropped: bool
    locked: bool
    pull_age: int
    lock_age: int
    consume_lock: int
    cached: bool
    tries: int

    @classmethod
    def of(cls, entry: ProcessQueue | None) -> "State | None":
        """The entry's current state."""
        if entry is None:
            return None
        return cls(
            entry.dropped,
            entry.locked,
            NOW - entry.last_pull_timestamp,
            NOW - entry.last_lock_timestamp,
            entry.consume_lock,
            bool(entry.cached),
            entry.try_unlock_times,
        )


@dataclass(frozen=True)
class Outcome:
    """Effects of one round on one queue."""

    effects: Effects
    after: State | None
    fresh: bool
    """Whether the entry was made after the first round began."""
    former: State | None
    """The entry as it was before the round."""
    memory: int


class Written:
    """Symbolic steps, compiled into one kernel that evaluates them."""

    def __init__(self, unknowns: Sequence[str], steps: Sequence[Step], more: Sequence[smt.BoolTerm] = ()) -> None:
        self._names = unknowns
        self._steps = steps
        terms = [*more, *(term for step in steps for term in _terms(step))]
        self._ids = {term: place for place, term in enumerate(terms)}
        self._kept, self._more = terms, more
        self._kernel = compile_kernel(unknowns, *terms)

    def __call__(self, values: Mapping[str, int]) -> tuple[list["Values"], list[bool]]:
        """Values of every step, and of the terms in ``more``."""
        row = self._kernel(*(values[name] for name in self._names))
        read = partial(self._read, row)
        return [Values(step, read) for step in self._steps], [bool(read(term)) for term in self._more]

    def _read(self, row: Sequence[Any], term: smt.Term) -> int:
        return int(row[self._ids[term]])


def _terms(step: Step) -> list[smt.Term]:
    found = [term for term in vars(step).values() if smt.is_expr(term)]
    for entry in (step.after, step.former):
        found += vars(entry).values()
    for slot in step.slots:
        found += [slot.happens, *(part for part in slot.details if smt.is_expr(part))]
    return found


class Values:
    """Values of one step; ``read`` evaluates a term."""

    def __init__(self, step: Step, read) -> None:
        self._step, self._read = step, read

    def flag(self, name: str) -> bool:
        """A truth value of the step: ``out``, ``entered``, ``changed``, ..."""
        return bool(self._read(getattr(self._step, name)))

    def effects(self, part: str) -> Effects:
        """Effects in ``removal``, ``addition`` or all ``slots``, with answers in the client's own words."""
        happened = [slot for slot in getattr(self._step, part) if self._read(slot.happens)]
        return tuple(worded(slot.effect(None, self._read)) for slot in happened)

    def state(self, part: str) -> State | None:
        """State in ``after`` or ``former``; None without an entry."""
        entry = getattr(self._step, part)
        if not self._read(entry.present):
            return None
        found = {name: self._read(getattr(entry, name)) for name in State.__dataclass_fields__}
        flags = ("dropped", "locked", "cached")
        return State(**found | {name: bool(found[name]) for name in flags})

    @property
    def outcome(self) -> Outcome:
        """The whole outcome."""
        after = self.state("after")
        fresh = after is not None and bool(self._read(self._step.after.fresh))
        return Outcome(self.effects("slots"), after, fresh, self.state("former"), self._read(self._step.after.memory))


def worded(effect: tuple[Any, ...]) -> tuple[Any, ...]:
    """The effect without its queue, with answers in the client's words. Observed details are in these words already."""
    name, _, *details = effect
    if details and isinstance(details[-1], int):
        if (name == READ_OFFSET and len(details) == 2) or name == QUERY_OFFSET:
            details[-1] = stored(details[-1])
        if name in (MAX_OFFSET, SEARCH_OFFSET):
            details[-1] = queried(details[-1])
    return (name, *details)


def simplified(step: Step) -> Values:
    """Values of a step about numerals, by simplification."""

    def read(term: smt.Term) -> int:
        found = simplify(term)
        return found.number if smt.is_int_value(found) else int(smt.is_true(found))

    return Values(step, read)


@cache
def table_terms(encoding: TransitionEncoding, queues: int, rounds: int) -> Written:
    """All steps, queue by queue, and for each round whether something is thrown."""
    unknowns = names(queues, rounds)
    table = table_of(encoding, SimpleNamespace(**{name: smt.Int(name) for name in unknowns}), queues, rounds)
    return Written(unknowns, [step for view in table.views for step in view.steps], table.thrown)


FLAGS = ("thrown_removing", "thrown_adding", "thrown_ever")


@cache
def step_terms(encoding: TransitionEncoding) -> Written:
    """One step of one queue, where other queues throw as the unknowns in ``FLAGS`` say."""
    unknowns = [*names(1, 1), *FLAGS]
    v = SimpleNamespace(**{name: smt.Int(name) for name in unknowns})
    thrown = Thrown(*(getattr(v, name) == 1 for name in FLAGS))
    return Written(unknowns, [encoding.step(entry_of(v), asked_of(v), thrown)])


def numerals(mode: Mode, case: Case) -> tuple[Entry, Asked]:
    """One queue's entry and round as terms without unknowns."""
    v = SimpleNamespace(**{name: smt.IntVal(number) for name, number in assignment(mode, case).items()})
    return entry_of(v), asked_of(v)


class Recording:
    """A client's driver that records every queue's entry, former entry and offset in memory."""

    def __init__(self, driver) -> None:
        self._driver = driver
        self.table, self.memory = driver.table, driver.memory
        self.put = driver.put
        self.put_off = driver.put_off
        self.rounds: list[dict[str, Any]] = []

    def update(self, answers, topic, mq_set):
        """Do one round on the driver, and record it."""
        before = dict(self.table)
        done = self._driver.update(answers, topic, mq_set)
        former = {queue: State.of(entry) for queue, entry in before.items()}
        after = {queue: State.of(entry) for queue, entry in self.table.items()}
        self.rounds.append({"former": former, "after": after, "memory": dict(self._driver.memory)})
        return done


def played(client: Client, mode: Mode, case: Case) -> tuple[Rounds, list[list[Outcome]]]:
    """Outcomes of the client's code, for each round and each queue of the table."""
    made: list[Recording] = []

    def driver(settings, order, own_store):
        made.append(Recording(client.driver(settings, order, own_store)))
        return made[-1]

    rounds = run(replace(client, driver=driver), mode, case)
    found = []
    for seen, noted in zip(rounds.rounds, made[0].rounds, strict=True):
        found.append(
            [
                Outcome(
                    effects=own(watched.effects),
                    after=noted["after"].get(watched.queue),
                    fresh=bool(watched.after and watched.after.fresh),
                    former=noted["former"].get(watched.queue),
                    memory=noted["memory"].get(watched.queue, NO_OFFSET),
                )
                for watched in seen.queues
            ]
        )
    return rounds, found


def own(effects: Sequence[Effect]) -> Effects:
    """Effects on one queue, without the queue."""
    return tuple((effect[0], *effect[2:]) for effect in effects)
