"""Which actions of two encodings do not do the same in some state."""

from collections.abc import Callable, Iterable
from typing import Any

import z3


def differing(
    actions: Iterable[str], turns: Callable[[str], tuple[Any, Any]], given: Iterable[z3.BoolRef], *parts: str
) -> list[str]:
    """Those of ``actions`` whose two ``turns`` are not possible at once, or differ in one of these ``parts``
    of the state; "" is all of it."""
    return [name for name in actions if _differ(*turns(name), given, parts)]


def _differ(one: Any, other: Any, given: Iterable[z3.BoolRef], parts: Iterable[str]) -> bool:
    same = [one.can == other.can]
    for part in parts:
        left, right = (vars(getattr(turn.after, part) if part else turn.after) for turn in (one, other))
        same += [z3.Implies(one.can, left[name] == right[name]) for name in left]
    solver = z3.Solver()
    solver.add(*given, z3.Not(z3.And(same)))
    return solver.check() != z3.unsat
