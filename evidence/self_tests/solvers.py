"""Self-tests of the solvers' interface.

An undecided text must not count as proved, and numbers of a model must be right.
"""

from collections.abc import Sequence
from functools import partial

from rebalance_proofs.evidence.self_tests.trial import Trial
from rebalance_proofs.proofs.solvers import SOLVERS, Outcome

_CUBES = "(assert (= (+ (* x x x) (* y y y) (* z z z)) 114))"
"""An equation for which neither a solution nor a proof that there is none is known."""


def _text(asserted: str, first: str = "", ask: str = "(check-sat)") -> str:
    constants = "".join(f"(declare-const {name} Int)\n" for name in "xyz")
    return f"{first}(set-logic QF_NIA)\n{constants}{asserted}\n{ask}\n"


NUMBER = 5

UNDECIDED = {
    "z3": _text(_CUBES, ask="(check-sat-using skip)"),  # Z3 would keep a time limit for all later queries
    "cvc5": _text(_CUBES, first="(set-option :rlimit-per 1000)\n"),
}
"""Solver -> a text on which it gives up at once, in the same way on every machine."""


def _unproved(solver: str, text: str) -> Sequence[str]:
    outcome, _, _ = SOLVERS[solver].solve(text)
    return () if outcome is Outcome.UNSAT else (f"{solver} says {outcome}",)


def _misread(solver: str, number: int) -> Sequence[str]:
    outcome, model, _ = SOLVERS[solver].solve(_text(f"(assert (= x (- {NUMBER})))"))
    if outcome is Outcome.SAT and model.get("x") == number:
        return ()
    return (f"{solver} says {outcome}, with x = {model.get('x')}",)


def trials() -> list[Trial]:
    """Return self-tests of each solver.

    There is one with an undecided text, one with a satisfiable text, and one with a negative number.
    """
    found = []
    for name in SOLVERS:
        proved = partial(_unproved, name, _text("(assert (and (< x y) (< y x)))"))
        undecided = partial(_unproved, name, UNDECIDED[name])
        met = partial(_unproved, name, _text("(assert (< x y))"))
        found += [
            Trial(f"solvers: {name}, an undecided text", proved, undecided),
            Trial(f"solvers: {name}, a satisfiable text", proved, met),
            Trial(
                f"solvers: {name}, a number with the wrong sign",
                partial(_misread, name, -NUMBER),
                partial(_misread, name, NUMBER),
            ),
        ]
    return found
