"""Without the same strategy, by hand."""

import pytest

from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.allocation.averagely_by_circle import AVERAGELY_BY_CIRCLE
from rebalance_proofs.model.premises.strategies import SAME_STRATEGY
from tests.model.premises.shares import shares

BOTH = (AVERAGELY, AVERAGELY_BY_CIRCLE)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        pytest.param((0, 0), [[0, 1], [2, 3]], id="both AVG"),
        pytest.param((1, 1), [[0, 2], [1, 3]], id="both AVG_BY_CIRCLE"),
        pytest.param((0, 1), [[0, 1], [1, 3]], id="AVG first: 1 twice, 2 never"),
        pytest.param((1, 0), [[0, 2], [2, 3]], id="AVG_BY_CIRCLE first: 2 twice, 1 never"),
    ],
)
def test_four_queues_are_divided_by_each_consumers_strategy(values, expected):
    assert shares(SAME_STRATEGY, 2, 4, values, BOTH) == expected
