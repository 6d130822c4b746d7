"""Without the same order of ids, by hand."""

import pytest

from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.permutations import order
from rebalance_proofs.model.premises.ids import SAME_ID_ORDER
from tests.model.premises.shares import shares


def test_first_digit_numbers_the_id_orders_and_others_select():
    groups = [SAME_ID_ORDER.group((AVERAGELY,), 3, 1, (number, 1, 0, 1)) for number in range(6)]
    seen = ["".join(client_id[1] for client_id in group.consumers[0].cid_all) for group in groups]
    assert seen == ["012", "021", "102", "120", "201", "210"]
    for group in groups:
        assert [consumer.client_id for consumer in group.consumers] == ["c0", "c1", "c2"]
        assert group.consumers[1].cid_all == ("c0", "c1", "c2")
        assert group.consumers[2].cid_all == group.consumers[0].cid_all


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        pytest.param((1, 0, 0), [[0], [1]], id="both use the first order"),
        pytest.param((1, 1, 1), [[1], [0]], id="both use the second order"),
        pytest.param((1, 0, 1), [[0], [0]], id="opposite orders: 0 twice, 1 never"),
        pytest.param((1, 1, 0), [[1], [1]], id="opposite orders: 1 twice, 0 never"),
        pytest.param((0, 0, 1), [[0], [1]], id="the second order is the first"),
    ],
)
def test_two_queues_are_divided_by_each_consumers_id_order(values, expected):
    assert shares(SAME_ID_ORDER, 2, 2, values) == expected


def test_assignment_gives_the_second_position_of_each_id():
    last_first = next(number for number in range(6) if order(3, number) == (2, 0, 1))
    assignment = {"q": 4, "p": 3, "order0": 1, "order1": 0, "order2": 1, "second0": 1, "second1": 2, "second2": 0}
    assert SAME_ID_ORDER.assignment(3, 4, (last_first, 1, 0, 1), 3) == assignment
    assert SAME_ID_ORDER.configuration(3, assignment) == (4, (last_first, 1, 0, 1))


def test_order_of_many_ids_is_numbered():
    given = {"q": 1, "p": 0} | {f"order{place}": 1 for place in range(30)}
    given |= {f"second{place}": 29 - place for place in range(30)}
    q, values = SAME_ID_ORDER.configuration(30, given)
    consumer = SAME_ID_ORDER.group((AVERAGELY,), 30, q, values).consumers[0]
    assert consumer.cid_all == tuple(sorted(consumer.cid_all, reverse=True))
    assert SAME_ID_ORDER.assignment(30, q, values, 0) == given
