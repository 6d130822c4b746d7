"""Self-tests of evaluating formulas in recorded models.

Numbers that make a formula false must not count as a model.
"""

from collections.abc import Sequence
from functools import partial

from rebalance_proofs.evidence.self_tests.trial import Trial
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.smt import BoolTerm
from rebalance_proofs.proofs.models.ask import is_known
from rebalance_proofs.proofs.models.evaluated import Evaluated, Model

_X, _Y = smt.Ints("x y")
FORMULAS: dict[str, tuple[BoolTerm, Model, Model]] = {
    "a formula is false": (_X < _Y, {"x": 1, "y": 2}, {"x": 2, "y": 2}),
    "a choice is false": (smt.If(_X == _Y, _X, 7) > 6, {"x": 1, "y": 2}, {"x": 1, "y": 1}),
    "a quotient is wrong": (smt.And(_X / _Y == 3, _X % _Y == 1), {"x": -8, "y": -3}, {"x": -9, "y": -3}),
    "a negation is false": (smt.Not(smt.Implies(smt.Bool("x"), _Y >= 0)), {"x": 1, "y": -1}, {"x": 0, "y": -1}),
}
"""Name of a fault -> a formula, a model of it, and numbers that make it false."""


def _untrue(formulas: Sequence[BoolTerm], model: Model) -> Sequence[str]:
    if is_known("a question", formulas, Evaluated([model])):
        return ()
    at = ", ".join(f"{name} = {number}" for name, number in model.items())
    return (f"{' and '.join(map(str, formulas))} is not true at {at}",)


def trials() -> list[Trial]:
    """Return a self-test for each formula, and one for a second formula that is false."""
    found = [
        Trial(f"evaluated: {name}", partial(_untrue, [formula], right), partial(_untrue, [formula], wrong))
        for name, (formula, right, wrong) in FORMULAS.items()
    ]
    both = partial(_untrue, [_X > 0, _Y > 0])
    known = {"x": 1}
    return [
        *found,
        Trial(
            "evaluated: the second of two formulas is false",
            partial(both, known | {"y": known["x"]}),
            partial(both, known),
        ),
    ]
