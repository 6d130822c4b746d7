"""AVG by hand: what ``AllocateMessageQueueAveragely`` gives for small lists."""

import pytest

from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.group import client_ids
from rebalance_proofs.model.queues import MessageQueue
from tests.model.allocation.shares import shares


@pytest.mark.parametrize(
    ("q", "cid_all", "expected"),
    [
        pytest.param(8, client_ids(3), [[0, 1, 2], [3, 4, 5], [6, 7]], id="two of three take the remainder"),
        pytest.param(
            10, client_ids(4), [[0, 1, 2], [3, 4, 5], [6, 7], [8, 9]], id="short blocks start behind the long ones"
        ),
        pytest.param(6, client_ids(3), [[0, 1], [2, 3], [4, 5]], id="no remainder"),
        pytest.param(3, client_ids(3), [[0], [1], [2]], id="one each"),
        pytest.param(2, client_ids(4), [[0], [1], [], []], id="fewer queues than consumers"),
        pytest.param(1, client_ids(3), [[0], [], []], id="one queue"),
        pytest.param(5, client_ids(1), [[0, 1, 2, 3, 4]], id="one consumer"),
        pytest.param(
            4, ["c0", "c0"], [[0, 1], [0, 1]], id="both processes take the share of the first index (rocketmq#1547)"
        ),
        pytest.param(6, ["c0", "c1", "c1"], [[0, 1], [2, 3], [2, 3]], id="the last two are one id"),
        pytest.param(5, ["c0", "c0", "c1"], [[0, 1], [0, 1], [4]], id="the first two are one id"),
    ],
)
def test_avg_blocks_equal_the_results_by_hand(q, cid_all, expected):
    assert shares(AVERAGELY, q, cid_all) == expected


def test_avg_keeps_the_given_order_of_mq_all():
    mq_all = [MessageQueue("T", broker, number) for broker in ("b", "a") for number in (1, 0)]
    assert AVERAGELY.allocate("c1", mq_all, ["c0", "c1"]) == mq_all[2:]
