"""Verdict on a guarantee from the checked groups."""

import pytest

from rebalance_proofs.spark_enum.bounds import Bounds
from rebalance_proofs.spark_enum.own.rows import Found, Holds, Row
from rebalance_proofs.spark_enum.own.spaces import Extent, spaces
from rebalance_proofs.spark_enum.own.tried import Tried

SPACE = spaces(Extent(Bounds(2, 2)))[0]


@pytest.mark.parametrize(
    ("tried", "cut", "holds"),
    [
        (Tried(4), False, Holds.YES),
        (Tried(4, refused=1), False, Holds.YES),
        (Tried(4, refused=1, unjudged=1), False, Holds.UNTOLD),
        (Tried(3), False, Holds.UNTOLD),
        (Tried(3), True, Holds.YES),
        (Tried(0), True, Holds.UNTRIED),
    ],
)
def test_unchecked_guarantee_does_not_hold(tried, cut, holds):
    whole = Found(SPACE, Tried(4), 4)
    for found in ((Found(SPACE, tried, 4, cut),), (whole, Found(SPACE, tried, 4, cut))):
        assert Row("covers", "Said", SPACE.world, found, None).holds is holds
