"""Groups stored as examples of broken guarantees."""

from itertools import permutations

import pytest

from rebalance_proofs.spark_enum.allocation.space import Configuration
from rebalance_proofs.spark_enum.own.tried import Tried

GROUPS = (Configuration(2, 1, ()), Configuration(2, 3, ()), Configuration(3, 1, ()))


@pytest.mark.parametrize("groups", list(permutations(GROUPS)))
def test_smaller_of_two_groups_is_kept(groups):
    alone, merged = Tried(), Tried()
    for group in groups:
        alone.breaks("covers", group, "said")
        other = Tried()
        other.breaks("covers", group, "said")
        merged.merge(other)
    assert alone.broken == merged.broken
    assert alone.broken["covers"].size == (2, 1)
