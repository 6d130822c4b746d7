"""Arrays of states: numbers of rows, and rows that are new."""

import numpy as np
import pytest

from rebalance_proofs.proofs import breadth_first
from rebalance_proofs.proofs.breadth_first import caused, fresh, numbered

WEIGHTS = np.array([1, 3, 0, 9])


@pytest.fixture(params=[0, 1, 2, 3])
def parts(request) -> list[np.ndarray]:
    """Rows of several parts, one of them without rows; some rows occur twice."""
    random = np.random.default_rng(request.param)
    return [np.asfortranarray(random.integers(0, 3, (size, 4)).astype(np.int8)) for size in (7, 0, 25, 1, 12)]


def packed(rows):
    return numbered(rows, WEIGHTS)


@pytest.mark.parametrize("at_once", [1, 5, 100])
def test_number_of_a_row_is_its_weighted_sum(parts, at_once, monkeypatch):
    monkeypatch.setattr(breadth_first, "AT_ONCE", at_once)
    for rows in parts:
        assert packed(rows).tolist() == [int(row @ WEIGHTS) for row in rows.astype(np.int64)]


@pytest.mark.parametrize("few", [0, 1000])
def test_each_new_row_is_found_once_with_its_cause(parts, few, monkeypatch):
    monkeypatch.setattr(breadth_first, "FEW", few)
    every = [row.tolist() for rows in parts for row in rows]
    keys = [int(np.array(row) @ WEIGHTS) for row in every]
    seen = np.array(sorted(set(keys[:3])))
    expected = [place for place, key in enumerate(keys) if key not in seen and keys.index(key) == place]
    rows, found, places = fresh(parts, packed, seen)
    assert places.tolist() == expected
    assert found.tolist() == [keys[place] for place in expected]
    assert rows.tolist() == [every[place] for place in expected]
    assert rows.flags.f_contiguous
    causes = [[100 * number + at, number] for number, part in enumerate(parts) for at in range(len(part))]
    origins = [100 * number + np.arange(len(part)) for number, part in enumerate(parts)]
    assert caused(origins, places).tolist() == [causes[place] for place in expected]
