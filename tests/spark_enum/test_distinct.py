"""Duplicate rows, and digests that do not depend on the order of rows."""

import numpy as np
import pytest

from rebalance_proofs.spark_enum import check as module
from rebalance_proofs.spark_enum.check import added, digest_of, digests_of, distinct, mix


def test_rows_are_distinguished_exactly():
    columns = [np.array([1, 1, 2, 1, -1]), np.array([True, True, False, False, True])]
    first, kind = distinct(columns)
    rows = list(zip(*(column.tolist() for column in columns), strict=True))
    assert len(first) == len(set(rows)) == 4
    assert [rows[first[number]] for number in kind] == rows
    assert all(rows.index(rows[place]) == place for place in first)


def test_hash_collision_of_two_rows_is_detected(monkeypatch):
    monkeypatch.setattr(module, "mix", lambda values: values & np.uint64(0))
    with pytest.raises(ArithmeticError):
        distinct([np.array([1, 2])])


def test_mixing_is_injective():
    assert len(np.unique(mix(np.arange(-1000, 1000)))) == 2000


def digest_rows(codes, outcomes):
    return added(digests_of(codes, outcomes))


def test_digest_depends_on_rows_and_not_on_their_order():
    codes, outcomes = np.arange(5), np.array([digest_of(word) for word in "abcda"], dtype=np.uint64)
    whole = digest_rows(codes, outcomes)
    assert digest_rows(codes[::-1], outcomes[::-1]) == whole
    assert digest_rows(codes, outcomes[::-1]) != whole
    assert (digest_rows(codes[:2], outcomes[:2]) + digest_rows(codes[2:], outcomes[2:])) % 2**64 == whole
    assert digest_rows(codes[:0], outcomes[:0]) == 0
    assert digest_of(("a", 1)) == digest_of(("a", 1)) != digest_of(("a", 2))
