"""Z3 solvers that take terms instead of SMT-LIB texts, for small auxiliary queries."""

from collections.abc import Iterable
from typing import Generic, TypeVar

import z3
from z3 import sat, unknown, unsat

from rebalance_proofs.model.terms.smt import BoolTerm, IntTerm, Term
from rebalance_proofs.model.terms.z3_terms import in_solver, of_z3, solvers_context, to_solver

__all__ = ["Model", "Optimize", "Solver", "sat", "unknown", "unsat"]

T = TypeVar("T", bound=Term)
Z3 = TypeVar("Z3", z3.Solver, z3.Optimize)


class Model:
    """A solution found by a solver."""

    def __init__(self, found: z3.ModelRef) -> None:
        self._found = found

    def eval(self, term: T, model_completion: bool = False) -> T:
        """Return the term's value.

        With ``model_completion``, also choose a value for a term that may have any.
        """
        value: T = of_z3(self._found.eval(to_solver(term), model_completion=model_completion))
        return value


class _Asked(Generic[Z3]):
    """The operations that ``Solver`` and ``Optimize`` share."""

    def __init__(self, solver: Z3) -> None:
        self._solver: Z3 = solver

    def add(self, *formulas: BoolTerm | Iterable[BoolTerm]) -> None:
        """Add formulas that a solution must satisfy."""
        for one in formulas:
            for formula in [one] if isinstance(one, Term) else one:
                self._assert(in_solver(formula))

    def _assert(self, formula: z3.Ast) -> None:
        """Add one formula, by the library's own function: z3py's takes several times as long."""
        raise NotImplementedError

    def check(self, *assumptions: BoolTerm) -> z3.CheckSatResult:
        """Return whether all added formulas can hold together, under these assumptions."""
        return self._solver.check(*map(to_solver, assumptions))

    def model(self) -> Model:
        """Return the solution that the last check has found."""
        return Model(self._solver.model())


class Solver(_Asked[z3.Solver]):
    """Z3's ``Solver``. A query that takes longer than ``seconds`` returns ``unknown``."""

    def __init__(self, seconds: float | None = None) -> None:
        super().__init__(z3.Solver(ctx=solvers_context()))
        if seconds is not None:
            self._solver.set("timeout", int(1000 * seconds))

    def _assert(self, formula: z3.Ast) -> None:
        z3.Z3_solver_assert(self._solver.ctx.ref(), self._solver.solver, formula)

    def push(self) -> None:
        """Remember the present set of formulas, to which the next ``pop`` returns."""
        self._solver.push()

    def pop(self) -> None:
        """Remove the formulas added since ``push``."""
        self._solver.pop()


class Optimize(_Asked[z3.Optimize]):
    """Z3's ``Optimize``, which finds a solution with the least or greatest number."""

    def __init__(self) -> None:
        super().__init__(z3.Optimize(ctx=solvers_context()))

    def _assert(self, formula: z3.Ast) -> None:
        z3.Z3_optimize_assert(self._solver.ctx.ref(), self._solver.optimize, formula)

    def minimize(self, number: IntTerm) -> None:
        """Find a solution with the least number, with lower priority than earlier objectives."""
        self._solver.minimize(to_solver(number))

    def maximize(self, number: IntTerm) -> None:
        """Find a solution with the greatest number, with lower priority than earlier objectives."""
        self._solver.maximize(to_solver(number))
