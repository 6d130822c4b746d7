"""The earliest times at which a schedule is possible."""

from collections.abc import Iterable, Sequence

import z3

from rebalance_proofs.proofs.numerals import number

__all__ = ["earliest"]


def earliest(times: Sequence[z3.ArithRef], constraints: Iterable[z3.BoolRef]) -> list[int] | None:
    """The smallest values of these unknowns: first the last one is minimized, then each in order.

    None if the constraints have no solution.
    """
    solver = z3.Optimize()
    solver.add(*constraints)
    for time in (times[-1], *times):
        solver.minimize(time)
    if solver.check() != z3.sat:
        return None
    model = solver.model()
    return [number(model.eval(time, model_completion=True)) for time in times]
