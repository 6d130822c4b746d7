"""Linearization is sound: its assumptions hold for the products and quotients that the names stand for."""

from itertools import product

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.kernel import compile_kernel
from rebalance_proofs.model.terms.solver import Solver, unsat
from rebalance_proofs.proofs.smt.linear import linearize
from tests.model.terms.random_terms import UNKNOWNS, VALUES, booleans, integers
from tests.proofs.smt.names import constants, meaning

x, y, z = smt.Ints(" ".join(UNKNOWNS))
GRID = [dict(zip(UNKNOWNS, row, strict=True)) for row in product(range(-3, 4), repeat=len(UNKNOWNS))]


def evaluated(formulas, rows):
    """Each formula's values, by row; a row gives every unknown's value."""
    names = sorted(set().union(*map(constants, formulas)))
    columns = [np.array([row[name] for row in rows]) for name in names]
    return [np.broadcast_to(column, len(rows)).tolist() for column in compile_kernel(names, *formulas)(*columns)]


def assert_sound(formulas, rows):
    """Definitions and lemmas are true of the real products; the formulas keep their values."""
    linear = linearize(formulas)
    parts = [*linear.formulas, *linear.definitions, *linear.lemmas]
    names = set().union(*map(constants, parts))
    found = evaluated(parts, [{name: meaning(name, row) for name in names} for row in rows])
    assert found[: len(formulas)] == evaluated(formulas, rows)
    assumed = list(zip(parts, found, strict=True))[len(formulas) :]
    assert not [str(part) for part, column in assumed if not all(column)]


def nonlinear():
    """A random condition, a product and a quotient of random terms."""
    part = integers(1)
    return st.builds(
        lambda condition, a, b, c, d: smt.Implies(smt.And(condition, a * b <= c), (a - b) / d > c % d),
        *(booleans(1), part, part, part, part),
    )


@settings(deadline=None, max_examples=30, phases=[Phase.reuse, Phase.generate])  # shrinking takes minutes
@given(formula=nonlinear(), rows=st.lists(VALUES, min_size=1, max_size=4))
def test_linearization_of_random_formulas_is_sound(formula, rows):
    assert_sound([formula], rows)


@pytest.mark.parametrize(
    "formulas",
    [
        [x * y <= z, y * z <= x, x * z <= y],
        [x * x <= y * y],
        [(x + y) * (x - z) == 2 * x],
        [(x / y) * y + x % y == x, (z / y) * y <= z],
        [x / (y + z) < x % (y + z)],
        [x / smt.If(y < z, y, z + 1) == 2, x % smt.If(y < z, y, z + 1) == 1],
        [smt.If(x < y, x, z) * smt.If(y < z, y, 3) > 0],
        [(x * y) / z <= x * (y / z)],
        [(x / y) / z == x / (y * z)],
        [-x * -y == x * y, -(x / y) < 3],
        [x * y * z <= z * y * x],
        [(x / y) * (x % y) * z > 1],
    ],
    ids=str,
)
def test_linearization_of_products_and_quotients_is_sound(formulas):
    assert_sound(formulas, GRID)


@pytest.mark.parametrize(
    ("formula", "names"),
    [
        pytest.param(x * y >= 0, {"x * y"}, id="product"),
        pytest.param(smt.And(x * y >= 0, y * x <= 9), {"x * y"}, id="the same product in another order"),
        pytest.param(x / y + x % y >= 0, {"(x div y)", "(x mod y)"}, id="quotient and remainder"),
        pytest.param((x + z) * y >= 0, {"x * y", "y * z"}, id="a sum is multiplied out"),
        pytest.param((x - z) * y >= 0, {"x * y", "y * z"}, id="a difference is multiplied out"),
        pytest.param(smt.If(x < y, z, 3) * y >= 0, {"y * z"}, id="a choice is multiplied out"),
        pytest.param(3 * x * y >= 0, {"x * y"}, id="a numeral stays outside"),
        pytest.param(x / smt.If(x < y, y, 2) >= 0, {"(x div y)"}, id="a choice of divisors is divided by one by one"),
    ],
)
def test_products_and_quotients_are_named(formula, names):
    (rewritten,) = linearize([formula]).formulas
    assert constants(rewritten) - set(UNKNOWNS) == names


EXACT = [
    pytest.param(x / 3 == x % 3, id="divisor a numeral"),
    pytest.param(3 * x - y * -2 == 7 * (x + y), id="factor a numeral"),
    pytest.param(smt.If(x < y, smt.IntVal(2), 5) * z <= x, id="factor a choice between numerals"),
    pytest.param(x / smt.If(y < z, smt.IntVal(2), 5) <= x, id="divisor a choice between numerals"),
    pytest.param(x % (smt.IntVal(2) + 1) == 1, id="divisor a sum of numerals"),
    pytest.param(smt.If(smt.IntVal(2) < 1, y, x) > smt.If(smt.IntVal(1) < 2, y, z), id="choices already made"),
    pytest.param(smt.IntVal(2) * 3 * x == smt.IntVal(7) / 2, id="numerals only"),
]


@pytest.mark.parametrize("formula", EXACT)
def test_numerals_are_not_named(formula):
    linear = linearize([formula])
    assert linear.exact
    assert constants(linear.formulas[0]) <= set(UNKNOWNS)
    assert evaluated(linear.formulas, GRID) == evaluated([formula], GRID)


@pytest.mark.parametrize("formula", [x * y <= 3, x / y <= 3, x % y <= 3], ids=str)
def test_formula_with_a_name_is_not_exact(formula):
    assert not linearize([formula]).exact


@pytest.mark.parametrize(
    ("formula", "why"),
    [
        pytest.param(smt.And(y >= 1, x * y < 0, x >= 0), "monotone from 0", id="sign of a product"),
        pytest.param(smt.And(z >= 0, x <= y, x * z > y * z), "monotone", id="two products"),
        pytest.param(smt.And(z >= 1, x < y, x * z + z > y * z), "monotone by a step", id="strictly"),
        pytest.param(smt.And(y >= 1, x >= 0, x / y < 0), "Euclid", id="quotient"),
        pytest.param(smt.And(y >= 1, smt.Or(x % y < 0, x % y >= y)), "Euclid", id="remainder"),
        pytest.param(smt.And(y >= 1, (x / y) * y + x % y != x), "Euclid", id="quotient and remainder"),
    ],
)
def test_lemmas_are_sufficient(formula, why):
    linear = linearize([formula])
    solver = Solver()
    solver.add(*linear.formulas, *linear.definitions, *linear.lemmas)
    assert solver.check() == unsat, why
