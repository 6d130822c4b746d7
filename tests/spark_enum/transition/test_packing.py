"""Rows packed into few numbers."""

import numpy as np

from rebalance_proofs.spark_enum.transition.tables import Packing


def test_packed_rows_are_equal_exactly_where_rows_are():
    known = [np.array([True, False, True, False]), np.array([120_001, 0, 0, 0]), np.array([-9, 100, -9, 100])]
    packing = Packing(known)
    assert packing.words == 1
    (packed,) = packing.pack(known)
    rows = list(zip(*(column.tolist() for column in known), strict=True))
    assert [[one == other for one in packed] for other in packed] == [[one == other for one in rows] for other in rows]


def test_unknown_value_equals_no_known_value():
    packing = Packing([np.array([0, 5, 100])])
    (known,) = packing.pack([np.array([0, 5, 100])])
    (others,) = packing.pack([np.array([-1, 1, 99, 101, 10**12, -(10**12)])])
    assert not set(known.tolist()) & set(others.tolist())


def test_shapes_are_broadcast():
    packing = Packing([np.array([0, 1]), np.array([False, True])])
    (packed,) = packing.pack([np.array([[0], [1]]), np.array([[True, False, True]])])
    assert packed.shape == (2, 3)
    assert len(np.unique(packed)) == 4


def test_many_columns_are_packed_into_several_numbers():
    columns = [np.arange(100)] * 12
    packing = Packing(columns)
    assert packing.words == 2
    packed = packing.pack(columns)
    assert len(np.unique(np.stack(packed), axis=1).T) == 100
    columns[11] = np.where(np.arange(100) == 3, 7, columns[11])
    differ = [np.flatnonzero(one != other).tolist() for one, other in zip(packing.pack(columns), packed, strict=True)]
    assert sorted(differ) == [[], [3]]
