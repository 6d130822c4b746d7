"""Order in which two hash values are reached on the ring."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.simplified import simplify
from rebalance_proofs.proofs.hashing.induction import nearer, nearer_behind

hashes = st.integers(0, 5) | st.integers()


def met_first(queue, one, other):
    return smt.is_true(simplify(nearer(*map(smt.IntVal, (queue, one, other)))))


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        pytest.param(7, 8, True, id="both in front"),
        pytest.param(8, 7, False, id="the other is nearer"),
        pytest.param(5, 6, True, id="at the queue"),
        pytest.param(9, 2, True, id="in front before behind"),
        pytest.param(2, 9, False, id="behind after in front"),
        pytest.param(1, 2, True, id="both behind"),
        pytest.param(7, 7, False, id="a collision"),
    ],
)
def test_order_of_hash_values_starts_at_5(one, other, expected):
    assert met_first(5, one, other) is expected


@pytest.mark.parametrize(("one", "other", "expected"), [(5, 4, False), (4, 5, True), (6, 5, True), (9, 2, True)])
def test_go_order_has_a_node_at_5_last(one, other, expected):
    assert smt.is_true(simplify(nearer_behind(*map(smt.IntVal, (5, one, other))))) is expected


@given(queue=st.integers(0, 99), one=st.integers(0, 99), other=st.integers(0, 99))
def test_go_order_starts_after_the_hash(queue, one, other):
    found = smt.is_true(simplify(nearer_behind(*map(smt.IntVal, (queue, one, other)))))
    assert found is ((one - queue - 1) % 100 < (other - queue - 1) % 100)


@given(hashes, hashes, hashes)
def test_one_of_two_different_hash_values_comes_first(queue, one, other):
    assert met_first(queue, one, other) + met_first(queue, other, one) == (one != other)


@given(queue=st.integers(0, 99), one=st.integers(0, 99), other=st.integers(0, 99))
def test_order_goes_around_the_ring(queue, one, other):
    assert met_first(queue, one, other) is ((one - queue) % 100 < (other - queue) % 100)
