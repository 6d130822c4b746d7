"""Terms have the values that Z3 gives them, in each model."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.sorts import INT, array_sort
from rebalance_proofs.proofs.models.evaluated import LARGEST, Evaluated, NoValue
from tests.each import each
from tests.model.terms.random_terms import VALUES, booleans, value

x, y = smt.Ints("x y")


@settings(deadline=None, max_examples=150)
@given(formulas=st.lists(booleans(2), min_size=1, max_size=3), models=st.lists(VALUES, max_size=4))
def test_the_first_model_is_found_in_which_all_formulas_are_true(formulas, models):
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
def test_what_was_evaluated_before_changes_nothing(first, second, models):
    several = Evaluated(models)
    several.first([first])
    assert several.first([second]) == Evaluated(models).first([second])


def test_what_a_model_does_not_name_is_0_and_truth_values_are_numbers():
    assert Evaluated([{"x": 1}]).first([x == 1, y == 0, smt.Bool("x"), smt.Not(smt.Bool("y"))]) == {"x": 1}


@each(
    "formula",
    [
        smt.Function("f", INT, INT)(x) == 0,
        smt.Store(smt.Const("a", array_sort(INT, INT)), x, y) == smt.Const("a", array_sort(INT, INT)),
        x * x > 0,
        x * 2**30 > 0,
    ],
)
def test_what_has_no_value_here_is_refused(formula):
    """The last two are of numbers that NumPy could not hold."""
    with pytest.raises(NoValue):
        Evaluated([{"x": LARGEST}]).first([formula])


def test_large_numbers_are_exact():
    big = {"x": LARGEST, "y": LARGEST - 1}
    assert Evaluated([big]).first([x + y == 2 * LARGEST - 1, x - y == 1, x * 2**20 - y * 2**20 == 2**20]) == big


def test_models_are_learnt_only_while_they_are_recorded():
    silent, learning = Evaluated(), Evaluated(learning=True)
    for one in (silent, learning):
        one.first([x == 3])
        one.learn({"x": 3, "y": 0})
        one.learn({"x": LARGEST + 1})
    assert (silent.models, learning.models) == ([], [{"x": 3}])
    assert learning.first([x == 3]) == {"x": 3}
