"""Actions on which two encodings differ in some state."""

from collections.abc import Callable, Iterable
from typing import Any

from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.solver import Solver, unsat


def differing(
    actions: Iterable[str], turns: Callable[[str], tuple[Any, Any]], given: Iterable[smt.BoolTerm], *parts: str
) -> list[str]:
    """The ``actions`` whose two ``turns`` differ in the guard, or in one of these ``parts``; "" is the whole state."""
    return [name for name in actions if _differ(*turns(name), given, parts)]


def _differ(one: Any, other: Any, given: Iterable[smt.BoolTerm], parts: Iterable[str]) -> bool:
    same = [one.guard == other.guard]
    for part in parts:
        left, right = (vars(getattr(turn.after, part) if part else turn.after) for turn in (one, other))
        same += [smt.Implies(one.guard, left[name] == right[name]) for name in left]
    solver = Solver()
    solver.add(*given, smt.Not(smt.And(same)))
    return solver.check() != unsat
