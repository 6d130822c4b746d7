"""Both solvers parse text, and answer only the question asked."""

import re

import pytest
import z3

from rebalance_proofs.proofs.solvers import SOLVERS, Outcome, Solver
from rebalance_proofs.proofs.solvers.z3_ import NO_LIMIT, solutions

pytestmark = pytest.mark.parametrize("solver", SOLVERS.values(), ids=SOLVERS)

HARD = """
(set-logic QF_NIA)
(declare-const x Int)
(declare-const y Int)
(declare-const z Int)
(assert (= (+ (* x x x) (* y y y) (* z z z)) 114))
(check-sat)
"""
"""Whether 114 is a sum of three cubes is not known."""


def script(*asserted: str, constants: tuple[str, ...] = ("x", "y")) -> str:
    declarations = [f"(declare-const {name} Int)" for name in constants]
    assertions = [f"(assert {formula})" for formula in asserted]
    return "\n".join(["(set-logic QF_LIA)", *declarations, *assertions, "(check-sat)"]) + "\n"


def test_model_names_every_constant(solver: Solver) -> None:
    outcome, model, reason = solver.solve(script("(< 2 x)", "(= (+ x y) 0)", "(< x 4)"))
    assert (outcome, model, reason) == (Outcome.SAT, {"x": 3, "y": -3}, "")


@pytest.mark.parametrize("value", [0, -1, 10**30, -(10**30)])
def test_values_of_any_sign_and_size_are_read(solver: Solver, value: int) -> None:
    numeral = str(value) if value >= 0 else f"(- {-value})"
    outcome, model, _ = solver.solve(script(f"(= x {numeral})", "(= y 1)"))
    assert (outcome, model) == (Outcome.SAT, {"x": value, "y": 1})


def test_quoted_names_are_read(solver: Solver) -> None:
    name = "((q div c) * ((p - (q mod c)) div (q div c)))"
    outcome, model, _ = solver.solve(script(f"(= |{name}| (- 5))", constants=(f"|{name}|",)))
    assert (outcome, model) == (Outcome.SAT, {name: -5})


def test_unsat_answer_has_no_model(solver: Solver) -> None:
    assert solver.solve(script("(< x y)", "(< y x)")) == (Outcome.UNSAT, {}, "")


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="empty"),
        pytest.param("; nothing but a comment\n", id="comment only"),
        pytest.param(script("(< x y)").replace("(check-sat)\n", ""), id="no question"),
        pytest.param(script("(< x w)"), id="unknown constant"),
        pytest.param(script("(+ x y)"), id="not a condition"),
        pytest.param(script("(frobnicate x)"), id="unknown function"),
        pytest.param(script("(< x y)").replace("(check-sat)", "(frobnicate)\n(check-sat)"), id="unknown command"),
        pytest.param(script("(< x y"), id="unbalanced"),
        pytest.param("unsat\n", id="no script"),
    ],
)
def test_invalid_text_raises(solver: Solver, text: str) -> None:
    with pytest.raises((ValueError, RuntimeError, z3.Z3Exception)):
        solver.solve(text)


@pytest.mark.parametrize("seed", [1, 20, 2**31 - 1])
@pytest.mark.parametrize(("formula", "expected"), [("(< x y)", Outcome.SAT), ("(< x x)", Outcome.UNSAT)])
def test_seeds_change_no_answer(solver: Solver, seed: int, formula: str, expected: Outcome) -> None:
    assert solver.solve(script(formula), seed=seed)[0] is expected


def test_soft_limit_gives_unknown_with_a_reason(solver: Solver) -> None:
    outcome, model, reason = solver.solve(HARD, seconds=0.3)
    assert (outcome, model) == (Outcome.UNKNOWN, {})
    assert "timeout" in reason.lower()


def test_queries_are_independent(solver: Solver) -> None:
    texts = [script("(= x 1)", "(= y 0)"), script("(< x x)"), script("(= x 2)", constants=("x",)), script("(= y x 3)")]
    said = [
        (Outcome.SAT, {"x": 1, "y": 0}, ""),
        (Outcome.UNSAT, {}, ""),
        (Outcome.SAT, {"x": 2}, ""),
        (Outcome.SAT, {"x": 3, "y": 3}, ""),
    ]
    assert [solver.solve(text) for text in texts] == said
    assert solver.solve_all(texts, seconds=20) == said


def test_soft_limit_is_per_query(solver: Solver) -> None:
    outcomes = [outcome for outcome, _, _ in solver.solve_all([HARD, script("(< x y)"), HARD], seconds=0.3)]
    assert outcomes == [Outcome.UNKNOWN, Outcome.SAT, Outcome.UNKNOWN]


def test_invalid_text_among_valid_ones_raises(solver: Solver) -> None:
    with pytest.raises((ValueError, RuntimeError, z3.Z3Exception)):
        solver.solve_all([script("(< x y)"), script("(< x w)", constants=("x",))])


def test_version_has_three_numbers(solver: Solver) -> None:
    assert re.match(r"\d+\.\d+\.\d+", solver.version())


def test_limit_ends_with_its_query(solver: Solver) -> None:
    """Z3 applies a limit set in one context to everything later in the process."""
    solver.solve(script("(< x y)"), seconds=0.5)
    solver.solve_all([script("(< x y)")], seconds=0.5)
    list(solutions(script("(= x 1)", constants=("x",)), seconds=5))
    assert int(z3.get_param("timeout")) == NO_LIMIT
