"""Groups and their numbers, and numbers and their keys, are in bijection."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rebalance_proofs.spark_enum.explorer.closure import Numbering
from rebalance_proofs.spark_enum.explorer.store import Parted

SOME = st.builds(Numbering, st.integers(1, 6_000), st.integers(1, 20_000), st.integers(1, 16)).filter(
    lambda one: one.bits <= 63
)


@given(SOME, st.data())
def test_group_and_number_are_in_bijection(numbering, data):
    groups = data.draw(st.lists(st.integers(0, numbering.numbers - 1), min_size=1, max_size=5))
    told = np.array(groups, dtype=numbering.dtype)
    members, queues = numbering.who(told), numbering.of_queues(told)
    assert numbering.whole(members, queues).tolist() == groups
    assert members.max() < numbering.members
    assert max(numbers.max() for numbers in queues) < numbering.rows
    by_one = [numbering.of_one(group) for group in groups]
    assert by_one == list(zip(members.tolist(), np.stack(queues, axis=1).tolist(), strict=True))
    assert [one + sum(np.multiply(numbering.strides, each).tolist()) for one, each in by_one] == groups


@pytest.mark.parametrize(("queues", "dtype"), [(1, np.int32), (30, np.int32), (31, np.int64), (62, np.int64)])
def test_numbers_use_four_bytes_where_they_fit(queues, dtype):
    numbering = Numbering(2, 2, queues)
    assert numbering.dtype == dtype
    last = np.array([numbering.numbers - 1], dtype=dtype)
    assert numbering.who(last).tolist() == [1]
    assert [one.tolist() for one in numbering.of_queues(last)] == [[1]] * queues


@pytest.mark.parametrize(("members", "rows", "queues"), [(40, 12, 3), (1, 1, 1), (796, 5, 2), (3, 2, 14)])
def test_key_names_one_state_and_its_part(members, rows, queues):
    numbering = Numbering(members, rows, queues)
    every = np.arange(numbering.numbers, dtype=numbering.dtype)
    for parts in (1, 8, 1024):
        order = numbering.order(parts)
        keys = order.keys(every.copy())
        assert len(np.unique(keys)) == len(every)
        assert 0 <= keys.min() <= keys.max() < 1 << order.bits
        assert (order.states(keys) == every).all()
        assert len(order.ends) == order.parts - 1


@given(SOME, st.data())
def test_keys_are_equal_in_four_and_eight_bytes(numbering, data):
    groups = np.array(data.draw(st.lists(st.integers(0, numbering.numbers - 1), max_size=5)), dtype=numbering.dtype)
    order = numbering.order(8)
    wide = order.keys(groups.astype(np.int64))
    assert (order.keys(groups.copy()) == wide).all()


@given(SOME)
def test_groups_with_equal_queues_are_mostly_in_one_part(numbering):
    """Of seven in eight, at least, all."""
    some = min(400, numbering.rows**numbering.queues)
    first = np.arange(some, dtype=numbering.dtype) * numbering.dtype.type(numbering.members)
    order = numbering.order(1 << 10)
    keys = order.keys(first.copy()), order.keys(first + numbering.dtype.type(numbering.members - 1))
    together = keys[1] - keys[0] == numbering.members - 1
    assert together[0]
    assert (~together).sum() <= 1 + some / 8


def test_identity_order_has_numbers_as_keys():
    order = Numbering(40, 12, 3).as_they_are
    assert order.keys(np.arange(9, dtype=np.int32)).tolist() == [*range(9)]
    assert isinstance(order, Parted)
    assert len(order.ends) == 0
