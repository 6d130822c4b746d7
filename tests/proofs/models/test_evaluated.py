"""Terms have the values that Z3 gives them, in each model."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.operators import INT, array_sort
from rebalance_proofs.proofs.models.evaluated import LARGEST, Evaluated, NoValue, true_in
from tests.each import each
from tests.model.terms.random_terms import VALUES, booleans, value

x, y, z = smt.Ints("x y z")


@settings(deadline=None, max_examples=150)
@given(formulas=st.lists(booleans(2), min_size=1, max_size=3), models=st.lists(VALUES, max_size=4))
def test_first_model_that_satisfies_all_formulas_is_found(formulas, models):
    found = Evaluated(models).first(formulas)
    for model in models:
        told = [value(formula, model) for formula in formulas]
        if model is found:
            assert False not in told
            break
        assert None in told or False in told
    else:
        assert found is None


@settings(deadline=None, max_examples=50)
@given(first=booleans(2), second=booleans(2), models=st.lists(VALUES, min_size=1, max_size=3))
def test_earlier_evaluations_change_nothing(first, second, models):
    several = Evaluated(models)
    several.first([first])
    assert several.first([second]) == Evaluated(models).first([second])


def test_missing_value_is_0_and_truth_values_are_numbers():
    assert Evaluated([{"x": 1}]).first([x == 1, y == 0, smt.Bool("x"), smt.Not(smt.Bool("y"))]) == {"x": 1}


MINUS = {"x": -7, "y": -2, "z": 0}
TRUE = [
    x + y + z == -9,
    x - y == -5,
    x * y == 14,
    -x == 7,
    x / y == 4,
    x / 2 == -4,
    x / z == 0,
    smt.And(x % y == 1, x % 2 == 1, -x % y == 1),
    smt.And(x <= -7, x >= -7, smt.Not(x < -7), smt.Not(x > -7)),
    smt.And(x < -6, x > -8, x != y, smt.Not(x != -7), smt.Not(x == y)),
    smt.Or(x > 0, y > 0, z == 0),
    smt.Not(smt.Or(x > 0, y > 0)),
    smt.Implies(x > 0, y > 0),
    smt.Implies(x < 0, y < 0),
    smt.Not(smt.Implies(x < 0, y > 0)),
    smt.And(smt.If(x < 0, y, z) == -2, smt.If(x > 0, y, z) == 0),
    smt.And([]),
    smt.Not(smt.Or([])),
    smt.Not(smt.Bool("z")),
    smt.Bool("y"),
]
"""Formulas that are true there."""


@each("formula", TRUE, ids=str)
def test_each_operator_is_evaluated(formula):
    assert Evaluated([MINUS]).first([formula]) == MINUS
    assert Evaluated([MINUS]).first([smt.Not(formula)]) is None
    assert true_in(MINUS, [formula]) in (True, None)
    assert true_in(MINUS, [smt.Not(formula)]) in (False, None)


ARRAY = smt.Const("a", array_sort(INT, INT))
LARGE = [
    smt.Sum(x * 2**30, x * 2**30, x) > 0,
    x - (-(x * 2**31)) > 0,
    x % (x * 2**31 + y) > 0,
    x * x * 2 > 0,
    smt.If(y == 0, x, 1) * x * 2 > 0,
    smt.If(y == 0, 1, x) * x * 2 > 0,
    (x / 2) * x * 4 > 0,
    x < 2**63,
    x > -(2**63),
]
"""With x as large as may be, NumPy's numbers do not hold all that is computed."""


@each(
    "formula", [smt.Function("f", INT, INT)(x) == 0, smt.Store(ARRAY, x, y) == ARRAY, ARRAY == ARRAY, *LARGE], ids=str
)
def test_formula_without_a_value_is_refused(formula):
    with pytest.raises(NoValue):
        Evaluated([{"x": LARGEST}]).first([formula])
    with pytest.raises(NoValue):
        Evaluated([{"x": -LARGEST}]).first([formula])


def test_model_with_large_numbers_is_evaluated_separately():
    assert true_in({"x": 2**70}, [x * x == 2**140, x % 3 == 1]) is True
    assert true_in({"x": 2**70}, [x * x == 2**140, x % 3 == 2]) is False
    assert true_in({}, [smt.Function("f", INT, INT)(x) == 0, x == 0]) is None
    assert true_in({}, [smt.Function("f", INT, INT)(x) == 0, x == 1]) is False


def test_large_numbers_are_exact():
    big = {"x": LARGEST, "y": LARGEST - 1}
    assert Evaluated([big]).first([x + y == 2 * LARGEST - 1, x - y == 1, x * 2**30 - y * 2**30 == 2**30]) == big


def test_models_are_learnt_only_during_recording():
    silent, learning = Evaluated(), Evaluated(learning=True)
    for one in (silent, learning):
        one.first([x == 3])
        one.learn({"y": 4})
        one.first([x == 3, y + x == 3])
        one.learn({"x": 3, "y": 0})
        one.learn({"x": LARGEST + 1})
        one.learn({"x": 5, "y": -LARGEST - 1})
    assert (silent.models, learning.models) == ([], [{"y": 4}, {"x": 3}])
    assert learning.first([x == 3, y + x == 3]) == {"x": 3}
    assert learning.first([y + x == 4]) == {"y": 4}
