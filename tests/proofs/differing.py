"""Actions on which two encodings differ in some state."""

from collections.abc import Callable, Iterable
from typing import Any

import z3


def differing(
    actions: Iterable[str], turns: Callable[[str], tuple[Any, Any]], given: Iterable[z3.BoolRef], *parts: str
) -> list[str]:
    """The ``actions`` whose two ``turns`` differ in the guard, or in one of these ``parts``; "" is the whole state."""
    return [name for name in actions if _differ(*turns(name), given, parts)]


def _differ(one: Any, other: Any, given: Iterable[z3.BoolRef], parts: Iterable[str]) -> bool:
    same = [one.guard == other.guard]
    for part in parts:
        left, right = (vars(getattr(turn.after, part) if part else turn.after) for turn in (one, other))
        same += [z3.Implies(one.guard, left[name] == right[name]) for name in left]
    solver = z3.Solver()
    solver.add(*given, z3.Not(z3.And(same)))
    return solver.check() != z3.unsat
