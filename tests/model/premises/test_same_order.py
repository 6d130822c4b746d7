"""Without the same sort order, by hand."""

import pytest

from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.premises.same_order import SAME_ORDER
from tests.model.premises.shares import shares


def test_first_digit_numbers_the_queue_orders_and_others_select():
    groups = [SAME_ORDER.group((AVERAGELY,), 2, 3, (number, 1, 0)) for number in range(6)]
    orders = [tuple(queue.queue_id for queue in group.consumers[0].mq_all) for group in groups]
    assert orders == [(0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)]
    assert {group.consumers[1].mq_all for group in groups} == {groups[0].queues}


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        pytest.param((1, 0, 0), [[0], [1]], id="both use the first order"),
        pytest.param((1, 1, 1), [[1], [0]], id="both use the second order"),
        pytest.param((1, 0, 1), [[0], [0]], id="opposite orders: 0 twice, 1 never"),
        pytest.param((0, 0, 1), [[0], [1]], id="the second order is the first"),
    ],
)
def test_two_queues_are_divided_by_each_consumers_queue_order(values, expected):
    assert shares(SAME_ORDER, 2, 2, values) == expected


def test_second_position_is_realised_by_swapping_two_queues():
    assert SAME_ORDER.configuration(1, {"q": 3, "p": 0, "second_p": 2, "order0": 1}) == (3, (5, 1))


def test_model_of_many_queues_is_numbered():
    q, values = SAME_ORDER.configuration(2, {"q": 90, "p": 0, "second_p": 89, "order0": 0, "order1": 1})
    first, second = (consumer.mq_all for consumer in SAME_ORDER.group((AVERAGELY,), 2, q, values).consumers)
    assert second == (first[89], *first[1:89], first[0])
    assert SAME_ORDER.assignment(2, q, values, 0)["second_p"] == 89
