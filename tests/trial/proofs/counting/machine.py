"""Two workers, each of which adds one to a counter: it reads, and then writes; under a lock, or not."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import z3

from rebalance_proofs.model.terms.mutant import Mutant

BEGINS, HAS_READ, DONE = range(3)
NOBODY = 2
"""Who holds the lock, if it is neither worker."""


@dataclass(frozen=True)
class State:
    """Terms; ``place`` and ``seen`` have one for each worker."""

    counter: z3.ArithRef
    place: tuple[z3.ArithRef, z3.ArithRef]
    seen: tuple[z3.ArithRef, z3.ArithRef]
    holder: z3.ArithRef


@dataclass(frozen=True)
class CountingEncoding:
    """One step of one worker."""

    step: Callable[[State, z3.ArithRef], State]
    """``step(state, worker)``; ``worker`` is 0 or 1. One that has to wait, or is done, changes nothing."""


@dataclass(frozen=True)
class Machine:
    """The workers, by whether they use the lock."""

    name: str
    rocketmq_name: str
    locks: bool
    encoding: CountingEncoding
    mutants: tuple[Mutant, ...] = ()


@dataclass(frozen=True)
class Run:
    """What they did: who went, step by step, and the counter after each step."""

    machine: Machine
    schedule: tuple[int, ...]
    counters: tuple[int, ...]
    finished: bool


def run(machine: Machine, schedule: Sequence[int]) -> Run:
    """The two workers, as the schedule has them; the counter begins at 0."""
    counter, places, seen, holder, counters = 0, [BEGINS, BEGINS], [0, 0], NOBODY, []
    for worker in schedule:
        if places[worker] == BEGINS and (not machine.locks or holder == NOBODY):
            places[worker], seen[worker], holder = HAS_READ, counter, worker
        elif places[worker] == HAS_READ:
            places[worker], counter, holder = DONE, seen[worker] + 1, NOBODY
        counters.append(counter)
    return Run(machine, tuple(schedule), tuple(counters), places == [DONE, DONE])


def encoding(*, locks: bool, adds: int = 1, reads_more: int = 0) -> CountingEncoding:
    """The same as terms."""

    def step(state: State, worker: z3.ArithRef) -> State:
        place, seen = (z3.If(worker == 0, *pair) for pair in (state.place, state.seen))
        reads = z3.And(place == BEGINS, z3.Or(not locks, state.holder == NOBODY))
        writes = place == HAS_READ
        places = [
            z3.If(worker == one, z3.If(reads, HAS_READ, z3.If(writes, DONE, place)), state.place[one]) for one in (0, 1)
        ]
        return State(
            counter=z3.If(writes, seen + adds, state.counter),
            place=(places[0], places[1]),
            seen=(
                z3.If(z3.And(worker == 0, reads), state.counter + reads_more, state.seen[0]),
                z3.If(z3.And(worker == 1, reads), state.counter + reads_more, state.seen[1]),
            ),
            holder=z3.If(reads, worker, z3.If(writes, NOBODY, state.holder)),
        )

    return CountingEncoding(step)


def observed(machine: Machine) -> CountingEncoding:
    """One step as the code does it, from numerals to numerals."""

    def number(term: z3.ArithRef) -> int:
        return z3.simplify(term).as_long()

    def step(state: State, worker: z3.ArithRef) -> State:
        who = number(worker)
        counter, holder = number(state.counter), number(state.holder)
        places, seen = [*map(number, state.place)], [*map(number, state.seen)]
        if places[who] == BEGINS and (not machine.locks or holder == NOBODY):
            places[who], seen[who], holder = HAS_READ, counter, who
        elif places[who] == HAS_READ:
            places[who], counter, holder = DONE, seen[who] + 1, NOBODY
        one, two = map(z3.IntVal, places)
        first, second = map(z3.IntVal, seen)
        return State(z3.IntVal(counter), (one, two), (first, second), z3.IntVal(holder))

    return CountingEncoding(step)


LOCKED = encoding(locks=True)
MACHINES = (
    Machine(
        "with-lock",
        "Two workers with a lock",
        True,
        LOCKED,
        (
            Mutant("no-lock", "The lock keeps nobody out.", encoding(locks=False), "nothing-lost"),
            Mutant(
                "reads-too-much", "It reads one more than there is.", encoding(locks=True, reads_more=1), "nothing-lost"
            ),
            Mutant("adds-nothing", "A worker writes what it has read.", encoding(locks=True, adds=0), "nothing-lost"),
        ),
    ),
    Machine("without-lock", "Two workers without a lock", False, encoding(locks=False)),
)


def begun() -> State:
    """Nobody has begun."""
    zero, nobody = z3.IntVal(0), z3.IntVal(NOBODY)
    return State(zero, (z3.IntVal(BEGINS),) * 2, (zero, zero), nobody)


def after(code: CountingEncoding, schedule: Sequence[z3.ArithRef]) -> State:
    """The state when the workers have gone so."""
    state = begun()
    for worker in schedule:
        state = code.step(state, worker)
    return state
