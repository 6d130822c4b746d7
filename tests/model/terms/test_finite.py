"""Terms over finite domains, by their values."""

import pytest
import z3
from hypothesis import given
from hypothesis import strategies as st

from rebalance_proofs.model.terms.finite import finite, greatest, how_many, least

x = z3.Int("x")
numbers = st.lists(st.integers(-9, 9), min_size=1, max_size=6)


def value(term):
    return z3.simplify(term).as_long()


@pytest.mark.parametrize(("low", "high"), [(0, 0), (1, 4), (-2, 3)])
def test_finite_is_the_term_itself_in_its_range(low, high):
    term = finite(x, low, high)
    assert [value(z3.substitute(term, (x, z3.IntVal(number)))) for number in range(low, high + 1)] == [
        *range(low, high + 1)
    ]


def test_finite_is_a_choice_between_numerals():
    def choices(term):
        if z3.is_int_value(term):
            return [term.as_long()]
        _, then, otherwise = term.children()
        return choices(then) + choices(otherwise)

    assert choices(finite(x, 1, 4)) == [1, 2, 3, 4]


@given(st.lists(st.booleans(), max_size=6))
def test_how_many_counts_the_conditions_that_hold(conditions):
    assert value(how_many([z3.BoolVal(condition) for condition in conditions])) == sum(conditions)


@given(numbers)
def test_least_and_greatest_are_the_extremes(listed):
    terms = [z3.IntVal(number) for number in listed]
    assert (value(least(terms)), value(greatest(terms))) == (min(listed), max(listed))
