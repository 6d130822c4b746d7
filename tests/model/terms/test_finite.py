"""Terms over finite domains, by their values."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.simplified import finite, greatest, how_many, least, simplify

x = smt.Int("x")
numbers = st.lists(st.integers(-9, 9), min_size=1, max_size=6)


def value(term):
    return simplify(term).number


@pytest.mark.parametrize(("low", "high"), [(0, 0), (1, 4), (-2, 3)])
def test_finite_equals_the_term_in_its_range(low, high):
    term = finite(x, low, high)
    assert [value(smt.substitute(term, (x, smt.IntVal(number)))) for number in range(low, high + 1)] == [
        *range(low, high + 1)
    ]


def test_finite_is_a_choice_between_numerals():
    def choices(term):
        if smt.is_int_value(term):
            return [term.number]
        _, then, otherwise = term.children
        return choices(then) + choices(otherwise)

    assert choices(finite(x, 1, 4)) == [1, 2, 3, 4]


@given(st.lists(st.booleans(), max_size=6))
def test_how_many_counts_the_true_conditions(conditions):
    assert value(how_many([smt.BoolVal(condition) for condition in conditions])) == sum(conditions)


@given(numbers)
def test_least_and_greatest_are_the_extremes(listed):
    terms = [smt.IntVal(number) for number in listed]
    assert (value(least(terms)), value(greatest(terms))) == (min(listed), max(listed))
