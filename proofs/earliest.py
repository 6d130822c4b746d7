"""Earliest times at which the actions of a schedule are possible."""

from collections.abc import Iterable, Sequence

from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.solver import Optimize, sat
from rebalance_proofs.proofs.numerals import number


def earliest(times: Sequence[smt.IntTerm], constraints: Iterable[smt.BoolTerm]) -> list[int] | None:
    """Return the smallest values of the unknown times that satisfy the constraints.

    The last time is minimized first, then each time in order. None if the constraints have no solution.
    """
    solver = Optimize()
    solver.add(*constraints)
    for time in (times[-1], *times):
        solver.minimize(time)
    if solver.check() != sat:
        return None
    model = solver.model()
    return [number(model.eval(time, model_completion=True)) for time in times]
