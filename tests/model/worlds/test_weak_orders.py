"""Weak orders: digits describe each of them once."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rebalance_proofs.model.worlds.two_rings import (
    admits,
    blocks,
    count,
    count_apart,
    digits_of,
    nth_order,
    radices,
    ranks_of,
)

FUBINI = (1, 1, 3, 13, 75, 541, 4683, 47293, 545835)
numbers = st.lists(st.integers(-3, 3) | st.integers(), max_size=8)


def all_digits(things):
    return [digits for digits in product(*map(range, radices(things))) if admits(digits)]


def compared(numbers):
    """How each of the numbers compares with each."""
    return [[(left > right) - (left < right) for right in numbers] for left in numbers]


@pytest.mark.parametrize(("things", "orders"), list(enumerate(FUBINI)))
def test_number_of_weak_orders_is_the_fubini_number(things, orders):
    assert count(things) == orders


@pytest.mark.parametrize("things", range(7))
def test_number_of_valid_digit_strings_is_the_count(things):
    assert len(all_digits(things)) == count(things)


@pytest.mark.parametrize("things", range(6))
def test_digits_and_ranks_are_one_to_one(things):
    """Ranks are exactly the weak orders: functions onto the first few numbers."""
    found = {digits: ranks_of(digits) for digits in all_digits(things)}
    onto = {row for row in product(range(things), repeat=things) if set(row) == set(range(len(set(row))))}
    assert sorted(found.values()) == sorted(onto)
    assert {digits: digits_of(row) for digits, row in found.items()} == {digits: digits for digits in found}


@given(numbers)
def test_order_of_any_numbers_is_kept(numbers):
    digits = digits_of(numbers)
    assert admits(digits)
    assert all(digit < radix for digit, radix in zip(digits, radices(len(numbers)), strict=True))
    assert compared(ranks_of(digits)) == compared(numbers)


@given(numbers, st.integers(1, 9), st.integers(-9, 9))
def test_only_the_order_of_numbers_matters(numbers, factor, offset):
    assert digits_of([factor * number + offset for number in numbers]) == digits_of(numbers)


@pytest.mark.parametrize(
    ("digits", "found"),
    [
        pytest.param((), (), id="nothing"),
        pytest.param((0, 0), (1, 0), id="in front"),
        pytest.param((0, 1), (0, 0), id="into the block"),
        pytest.param((0, 2), (0, 1), id="behind"),
        pytest.param((0, 2, 2), (0, 2, 1), id="between"),
        pytest.param((0, 2, 3, 4), (0, 1, 1, 2), id="into the second block, and behind it"),
    ],
)
def test_ranks_equal_the_ranks_by_hand(digits, found):
    assert ranks_of(digits) == found
    assert digits_of(found) == digits


def test_equal_numbers_form_one_block():
    assert blocks({"a": 7, "b": -1, "c": 7, "d": 0}) == (("b",), ("d",), ("a", "c"))
    assert blocks({}) == ()


@pytest.mark.parametrize("digits", [(1,), (0, 3), (0, 1, 3), (0, 1, 1, 3)])
def test_digit_without_a_block_is_refused(digits):
    assert not admits(digits)


@pytest.mark.parametrize("apart", range(4))
@pytest.mark.parametrize("others", range(3))
def test_orders_with_distinct_first_items_are_counted(apart, others):
    every = product(*(range(radix) for radix in radices(apart + others)))
    found = [ranks_of(digits)[:apart] for digits in every if admits(digits)]
    assert count_apart(apart, others) == sum(len(set(ranks)) == apart for ranks in found)


@pytest.mark.parametrize("things", range(6))
@pytest.mark.parametrize("apart", range(6))
def test_orders_are_numbered_by_their_digits(things, apart):
    if apart <= things:
        wanted = [digits for digits in all_digits(things) if len(set(ranks_of(digits)[:apart])) == apart]
        number = count_apart(apart, things - apart)
        assert [nth_order(things, place, apart) for place in range(number)] == wanted


def test_greatest_order_has_the_greatest_number():
    for things in range(1, 10):
        assert nth_order(things, count(things) - 1) == tuple(radix - 1 for radix in radices(things))
        assert nth_order(things, 0) == (0,) * things
