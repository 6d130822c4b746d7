"""Without the same mqAll, by hand."""

import pytest

from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.premises.same_mq_all import BOTH, FIRST_ONLY, SAME_MQ_ALL, SECOND_ONLY
from tests.model.premises.shares import shares

FIRST, SECOND = range(2)


def test_consumer_sees_the_queues_of_its_route():
    values = (FIRST_ONLY, SECOND_ONLY, BOTH, SECOND, FIRST)
    group = SAME_MQ_ALL.group((AVERAGELY,), 2, 3, values)
    q0, q1, q2 = group.queues
    assert [consumer.mq_all for consumer in group.consumers] == [(q1, q2), (q0, q2)]


@pytest.mark.parametrize(
    ("values", "admitted"),
    [
        pytest.param((BOTH, FIRST_ONLY, FIRST, SECOND), True, id="two routes, both seen"),
        pytest.param((FIRST_ONLY, FIRST_ONLY, FIRST, SECOND), False, id="the second route is empty"),
        pytest.param((SECOND_ONLY, SECOND_ONLY, FIRST, SECOND), False, id="the first route is empty"),
        pytest.param((BOTH, BOTH, FIRST, FIRST), False, id="nobody has seen the second"),
        pytest.param((BOTH, BOTH, SECOND, SECOND), False, id="nobody has seen the first"),
    ],
)
def test_both_routes_have_queues_and_were_received(values, admitted):
    assert SAME_MQ_ALL.admits(2, 2, values) is admitted


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        pytest.param((BOTH, SECOND_ONLY, FIRST, SECOND), [[0], [1]], id="the new queue is the last: no harm"),
        pytest.param((SECOND_ONLY, BOTH, FIRST, SECOND), [[1], [1]], id="the new queue is the first: 1 twice, 0 never"),
        pytest.param((FIRST_ONLY, BOTH, FIRST, SECOND), [[0], []], id="the first queue has gone: 1 never"),
    ],
)
def test_two_queues_are_divided_by_each_consumers_route(values, expected):
    assert shares(SAME_MQ_ALL, 2, 2, values) == expected
