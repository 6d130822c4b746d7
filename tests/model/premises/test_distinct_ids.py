"""Without distinct ids, by hand."""

import pytest

from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.premises.ids import DISTINCT_IDS
from tests.model.premises.shares import shares


@pytest.mark.parametrize(
    ("values", "ids"),
    [((0, 0), ("c0", "c1", "c2")), ((1, 0), ("c0", "c0", "c1")), ((0, 1), ("c0", "c1", "c1")), ((1, 1), ("c0",) * 3)],
)
def test_digit_1_repeats_the_previous_id(values, ids):
    group = DISTINCT_IDS.group((AVERAGELY,), 3, 2, values)
    assert tuple(consumer.client_id for consumer in group.consumers) == ids
    assert {consumer.cid_all for consumer in group.consumers} == {ids}


@pytest.mark.parametrize(
    ("n", "q", "values", "expected"),
    [
        pytest.param(2, 4, (1,), [[0, 1], [0, 1]], id="rocketmq#1547: two queues twice, two never"),
        pytest.param(2, 4, (0,), [[0, 1], [2, 3]], id="distinct after all"),
        pytest.param(3, 6, (0, 1), [[0, 1], [2, 3], [2, 3]], id="the second and third process"),
    ],
)
def test_processes_with_one_id_take_the_share_of_its_first_index(n, q, values, expected):
    assert shares(DISTINCT_IDS, n, q, values) == expected
