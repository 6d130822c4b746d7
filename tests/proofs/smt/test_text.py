"""Texts for the solvers depend on the formulas only, and both solvers parse them as intended."""

from itertools import permutations

import pytest
from hypothesis import assume, given, settings

from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.terms import smt
from rebalance_proofs.proofs import texts
from rebalance_proofs.proofs.allocation.disjoint import EXCLUSIVE
from rebalance_proofs.proofs.smt.text import Assertion, declared, render, shown, symbol
from rebalance_proofs.proofs.solvers import SOLVERS, Outcome
from tests.model.terms.random_terms import UNKNOWNS, VALUES, booleans, value

x, y, z = smt.Ints(" ".join(UNKNOWNS))
each_solver = pytest.mark.parametrize("solver", SOLVERS.values(), ids=lambda solver: solver.name)


def rendered(*formulas):
    return render("title", [Assertion("", formula) for formula in formulas], "QF_NIA")


def test_script_has_title_declarations_comments_and_queries():
    text = render("first line\nsecond line", [Assertion("why", y > x), Assertion("", x >= -5)])
    assert text.splitlines() == [
        "; first line",
        "; second line",
        "(set-logic QF_LIA)",
        "(declare-const x Int)",
        "(declare-const y Int)",
        "; why",
        "(assert (> y x))",
        "(assert (>= x (- 5)))",
        "(check-sat)",
    ]


def test_shared_terms_are_defined_once_in_order():
    text = rendered(x + y > z * z, (x + y) * (z * z) > 0)
    assert [line for line in text.splitlines() if line.startswith(("(define", "(assert"))] == [
        "(define-fun t0 () Int (+ x y))",
        "(define-fun t1 () Int (* z z))",
        "(assert (> t0 t1))",
        "(assert (> (* t0 t1) 0))",
    ]


PARTS = {
    "sum": lambda a, b, c: a + b,
    "quotient": lambda a, b, c: b / c,
    "choice": lambda a, b, c: smt.If(a < b, c, a + b),
}


def built(order, others):
    """A text whose parts were built in that order, after other terms."""
    kept = [smt.Int(f"other{number}") * number for number in range(others)]
    a, b, c = map(smt.Int, UNKNOWNS)
    part = {name: PARTS[name](a, b, c) for name in order}
    del kept
    equation = part["quotient"] == part["sum"] + part["choice"]
    return rendered(smt.And(part["sum"] > part["choice"], equation), part["quotient"] >= 0)


@pytest.mark.parametrize("order", list(permutations(PARTS)), ids=" ".join)
@pytest.mark.parametrize("others", [0, 50])
def test_text_does_not_depend_on_the_order_of_construction(order, others):
    assert built(order, others) == built(tuple(PARTS), 0)


def test_proof_text_does_not_depend_on_earlier_terms():
    def text(subject):
        return texts.proof(subject, EXCLUSIVE, AVERAGELY.encoding).removeprefix(f"; {subject} ")

    first = text("first")
    q, c, i, j, p = smt.Ints("q c i j p")
    kept = [p < j, i * (q / c), q / c, q % c, i < c, smt.Int("i * (q div c)") + p, j < c, q >= 1]
    assert text("second") == first
    assert kept


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("x", "x"),
        ("second_p", "second_p"),
        ("t0", "t0"),
        ("(q div c)", "|(q div c)|"),
        ("c * q", "|c * q|"),
        ("0x", "|0x|"),
        ("", "||"),
    ],
)
def test_symbol_is_quoted_if_necessary(name, expected):
    assert symbol(name) == expected


NAMES = ["b_1", "(q div c)", "c * q", "0x"]


def test_declared_returns_unquoted_names():
    assert declared(rendered(smt.Sum([smt.Int(name) for name in NAMES]) == 1)) == sorted(NAMES)


@each_solver
def test_both_solvers_read_quoted_names_and_negative_numerals(solver):
    numbers = dict(zip(NAMES, (-7, 0, 5, -1), strict=True))
    outcome, model, _ = solver.solve(rendered(*(smt.Int(name) == number for name, number in numbers.items())))
    assert (outcome, model) == (Outcome.SAT, numbers)


@each_solver
@settings(deadline=None, max_examples=25)
@given(formula=booleans(2), values=VALUES)
def test_both_solvers_read_a_formula_correctly(solver, formula, values):
    expected = value(formula, values)
    assume(expected is not None)
    fixed = [smt.Int(name) == number for name, number in values.items()]
    outcome, _, _ = solver.solve(rendered(*fixed, formula))
    assert outcome is (Outcome.SAT if expected else Outcome.UNSAT)


@pytest.mark.parametrize(
    ("term", "expected"),
    [
        (x, "x"),
        (smt.IntVal(-3), "-3"),
        (x / y, "(x div y)"),
        ((x + y + 1) % z, "(((x + y) + 1) mod z)"),
        (-x, "(- x)"),
        (smt.If(x < y, x, 2), "(ite (x < y) x 2)"),
    ],
)
def test_shown_term_is_readable(term, expected):
    assert shown(term) == expected


def test_unknown_may_have_the_name_of_a_shared_term() -> None:
    x, y, t0 = smt.Ints("x y t0")
    text = render("", [Assertion("", smt.And(x + y > 0, x + y < 5, t0 == 1))])
    assert [SOLVERS[name].solve(text)[0] for name in SOLVERS] == ["sat", "sat"]


@pytest.mark.parametrize("name", ["é", "x y", "0x", "(q div c)"])
def test_awkward_names_are_quoted(name: str) -> None:
    text = render("", [Assertion("", smt.Int(name) == 7)])
    assert [SOLVERS[solver].solve(text)[1] for solver in SOLVERS] == [{name: 7}, {name: 7}]


def test_empty_conjunction_is_true_and_empty_disjunction_false() -> None:
    x = smt.Int("x")
    for empty, outcome in ((smt.And([]), "sat"), (smt.Or([]), "unsat")):
        text = render("", [Assertion("", x == 1), Assertion("", empty)])
        assert [SOLVERS[solver].solve(text)[0] for solver in SOLVERS] == [outcome, outcome]
