"""Permutations by number agree with itertools, without enumerating them."""

from itertools import permutations
from math import factorial

import pytest

from rebalance_proofs.model.permutations import order, order_number


@pytest.mark.parametrize("n", range(8))
def test_orders_equal_those_of_itertools(n: int) -> None:
    expected = list(permutations(range(n)))
    assert [order(n, number) for number in range(factorial(n))] == expected
    assert [order_number(one) for one in expected] == list(range(factorial(n)))


@pytest.mark.parametrize("n", [13, 90, 500])
def test_huge_order_numbers_are_decoded(n: int) -> None:
    assert order(n, 0) == tuple(range(n))
    assert order(n, factorial(n) - 1) == tuple(reversed(range(n)))
    number = factorial(n) * 3 // 7
    assert order_number(order(n, number)) == number


@pytest.mark.parametrize(("n", "number"), [(0, 1), (3, 6), (3, -1), (200, factorial(200))])
def test_order_number_out_of_range_is_refused(n: int, number: int) -> None:
    with pytest.raises(ValueError, match=f"^no permutation of {n} elements has the index "):
        order(n, number)
