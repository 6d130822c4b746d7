"""Where unknown functions are tried: at sizes of every sort, and without premises at those that there cannot be."""

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


def test_sizes_are_of_every_sort_each_once_and_the_small_ones_first():
    assert {name for name, sort in SORTS.items() if any(sort(*size) for size in SIZES)} == {*SORTS}
    assert len({*SIZES}) == len(SIZES)
    assert SIZES[: len(texts.SIZES)] == texts.SIZES
    assert all(q >= 1 and c >= 1 for q, c in SIZES)


def test_as_many_are_of_each_sort_as_unknown_functions_need():
    found = Counter(name for name, sort in SORTS.items() for size in SIZES if sort(*size))
    assert [found[name] for name in SORTS] == [2, 3, 1, 3, 2]
    assert len(OUTSIDE) == 4


def test_outside_of_them_either_number_or_both_are_none_or_less():
    assert all(q < 1 or c < 1 for q, c in OUTSIDE)
    assert {(q < 1, c < 1) for q, c in OUTSIDE} == {(True, False), (False, True), (True, True)}
    assert {(q == 0) or (c == 0) for q, c in OUTSIDE} == {True, False}
