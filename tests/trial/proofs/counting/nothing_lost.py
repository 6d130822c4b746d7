"""When both workers are done, the counter has gone up by two."""

from types import SimpleNamespace

import z3

from rebalance_proofs.proofs.counting.machine import BEGINS, DONE, HAS_READ, NOBODY, CountingEncoding, Run, State
from rebalance_proofs.proofs.counting.schedules import Situation
from rebalance_proofs.proofs.guarantee import Guarantee, always
from rebalance_proofs.proofs.obligation import Obligation, Statement

NAMES = ("start", "counter", "place0", "place1", "seen0", "seen1", "holder", "goes")


def _state(v: SimpleNamespace) -> State:
    return State(v.counter, (v.place0, v.place1), (v.seen0, v.seen1), v.holder)


def _possible(v: SimpleNamespace) -> dict[str, z3.BoolRef]:
    return {
        "the places are places": z3.And([z3.And(0 <= place, place <= DONE) for place in (v.place0, v.place1)]),
        "the lock is held by somebody or nobody": z3.And(0 <= v.holder, v.holder <= NOBODY),
    }


def _well(state: State, start: z3.ArithRef) -> z3.BoolRef:
    """The counter is ahead by those who are done; who has read holds the lock, and has read what the counter is."""
    done = z3.Sum([z3.If(place == DONE, 1, 0) for place in state.place])
    readers = [
        z3.And(
            z3.Implies(place == HAS_READ, z3.And(state.holder == worker, seen == state.counter)),
            z3.Implies(state.holder == worker, place == HAS_READ),
        )
        for worker, (place, seen) in enumerate(zip(state.place, state.seen, strict=True))
    ]
    return z3.And(state.counter == start + done, *readers)


def _goes(e: CountingEncoding, v: SimpleNamespace, given: dict[str, z3.BoolRef]) -> Statement:
    """A worker goes, and all is well then; if both are done then, the counter is ahead by two."""
    given = _possible(v) | given | {"a worker goes": z3.And(0 <= v.goes, v.goes <= 1)}
    then = e.step(_state(v), v.goes)
    done = z3.And([place == DONE for place in then.place])
    return Statement(given, z3.And(_well(then, v.start), z3.Implies(done, then.counter == v.start + 2)))


def _first(e: CountingEncoding, v: SimpleNamespace) -> Statement:
    nobody = z3.And(v.place0 == BEGINS, v.place1 == BEGINS, v.holder == NOBODY, v.counter == v.start)
    return _goes(e, v, {"nobody has begun": nobody})


def _next(e: CountingEncoding, v: SimpleNamespace) -> Statement:
    return _goes(e, v, {"all is well": _well(_state(v), v.start)})


def _numbers(v: SimpleNamespace, bound: int):
    yield "start beyond the bound", z3.Or(v.start >= bound, v.start <= -bound)


STEPS = (
    Obligation("first-step", "After the first step all is well.", NAMES, _first, goals=_numbers),
    Obligation("next-step", "A step keeps it well; in the end two are added.", NAMES, _next, goals=_numbers),
)


def violated(found: Situation) -> z3.BoolRef:
    """Both are done, and one addition is lost."""
    end = found.end
    return z3.And(found.possible, end.place[0] == DONE, end.place[1] == DONE, end.counter != 2)


def violation(found: Run) -> str | None:
    """What the counter is, where it is not two."""
    if not found.finished or found.counters[-1] == 2:
        return None
    return f"both have added one, and the counter is {found.counters[-1]}."


NOTHING_LOST = Guarantee(
    "nothing-lost",
    "When both are done, the counter has gone up by two",
    "a test of this project",
    always(*STEPS),
    violated,
    violation,
)
