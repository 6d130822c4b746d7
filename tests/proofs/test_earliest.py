"""The earliest times are minimal together, not only the last one."""

from itertools import product

from hypothesis import given
from hypothesis import strategies as some

from rebalance_proofs.model.machine.run import Happens, times_of
from rebalance_proofs.model.terms import smt
from rebalance_proofs.proofs.limit import earliest

SCHEDULE = (Happens(0, "begins"), Happens(0, "waits"), Happens(0, "ends"))


@given(some.lists(some.integers(0, 30), min_size=3, max_size=3), some.integers(0, 40))
def test_each_earliest_time_is_minimal(least, apart):
    """Each has its own minimum and follows the one before; that much lies between the last two."""
    times = times_of(SCHEDULE)
    asked = [time >= bound for time, bound in zip(times, least, strict=True)]
    asked += [times[1] >= times[0], times[2] >= times[1] + apart]
    first = least[0]
    second = max(first, least[1])
    assert earliest(times, asked) == [first, second, max(second + apart, least[2])]


def test_last_time_is_minimised_first():
    """Where an earlier one could be smaller with a later last one, the last one decides."""
    times = times_of(SCHEDULE)
    asked = [times[0] >= 0, times[1] >= times[0], times[2] >= 20 - times[0], times[2] >= times[1]]
    assert earliest(times, asked) == [10, 10, 10]


@given(*(some.lists(some.integers(-2, 2), min_size=3, max_size=3) for _ in range(3)), some.integers(0, 8))
def test_earliest_times_are_the_lexicographic_minimum(one, two, three, sum_):
    """Compared with all possible times, for any dependencies between them."""
    times, factors = times_of(SCHEDULE), (one, two, three)
    asked = [smt.And(time >= 0, time <= 4) for time in times]
    asked += [sum(by * time for by, time in zip(row, times, strict=True)) >= sum_ - 4 for row in factors]
    ways = [
        way
        for way in product(range(5), repeat=3)
        if all(sum(by * time for by, time in zip(row, way, strict=True)) >= sum_ - 4 for row in factors)
    ]
    first = min(ways, key=lambda way: (way[-1], *way), default=None)
    assert earliest(times, asked) == (None if first is None else list(first))


def test_impossible_times_have_no_minimum():
    times = times_of(SCHEDULE)
    assert earliest(times, [times[0] >= 5, times[2] < 5, smt.And(times[1] >= times[0], times[2] >= times[1])]) is None
