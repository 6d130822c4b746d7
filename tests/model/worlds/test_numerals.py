"""Digits by number."""

from itertools import product

import pytest

from rebalance_proofs.model.worlds.groups import alike, numeral, skipping


@pytest.mark.parametrize("radices", [(), (1,), (5,), (2, 3), (3, 1, 2), (2, 2, 2)])
def test_numerals_count_upwards(radices):
    every = list(product(*map(range, radices)))
    assert [numeral(number, radices) for number in range(len(every))] == every


@pytest.mark.parametrize(("digit", "radix", "length"), [(0, 4, 3), (1, 4, 3), (3, 4, 2), (1, 2, 1), (2, 3, 0)])
def test_index_of_equal_digits_is_computed(digit, radix, length):
    assert numeral(alike(digit, radix, length), (radix,) * length) == (digit,) * length


@pytest.mark.parametrize("left_out", [(), (0,), (7,), (0, 7), (2, 3), (0, 1, 2)])
def test_excluded_strings_are_skipped(left_out):
    kept = [number for number in range(8) if number not in left_out]
    assert [skipping(number, left_out) for number in range(len(kept))] == kept
