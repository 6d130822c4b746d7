"""Sizes at which unknown functions are tried: of every sort, and impossible sizes without premises."""

from collections import Counter

from rebalance_proofs.proofs import texts
from rebalance_proofs.proofs.mutation.ask import OUTSIDE, SIZES

SORTS = {
    "fewer queues than consumers": lambda q, c: q < c,
    "as many": lambda q, c: q == c,
    "a multiple": lambda q, c: q > c > 1 and q % c == 0,
    "one left over": lambda q, c: q > c and q % c == 1,
    "two left over": lambda q, c: q > c and q % c == 2,
}


def test_sizes_are_of_every_sort_and_ascending():
    assert {name for name, sort in SORTS.items() if any(sort(*size) for size in SIZES)} == {*SORTS}
    assert len({*SIZES}) == len(SIZES)
    assert SIZES[: len(texts.SIZES)] == texts.SIZES
    assert all(q >= 1 and c >= 1 for q, c in SIZES)


def test_each_sort_has_enough_sizes():
    found = Counter(name for name, sort in SORTS.items() for size in SIZES if sort(*size))
    assert [found[name] for name in SORTS] == [2, 3, 1, 3, 2]
    assert len(OUTSIDE) == 4


def test_outside_sizes_have_a_number_below_one():
    assert all(q < 1 or c < 1 for q, c in OUTSIDE)
    assert {(q < 1, c < 1) for q, c in OUTSIDE} == {(True, False), (False, True), (True, True)}
    assert {(q == 0) or (c == 0) for q, c in OUTSIDE} == {True, False}
