"""Estimated and actual numbers of states; explorations that would not fit."""

import shutil
from collections import namedtuple

import pytest

from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.spark_enum.explorer import explore
from rebalance_proofs.spark_enum.explorer.explore import IN_MEMORY, ON_DISK, Estimate, estimated, require_room
from rebalance_proofs.spark_enum.explorer.models.lock_lite import lock_lite
from tests.spark_enum.explorer.test_lock_lite import COUNTS


def lite(consumers, messages):
    return lambda queues: lock_lite(AVERAGELY, consumers, queues, messages)


@pytest.mark.parametrize("size", [size for size in COUNTS if size[1] > 2])
def test_estimate_of_lock_lite_is_within_two_percent(size):
    consumers, queues, messages = size
    found = estimated(lite(consumers, messages), queues)
    assert not found.least
    assert found.states == pytest.approx(COUNTS[size], rel=0.02)
    assert found.states != COUNTS[size]


@pytest.mark.parametrize("queues", [1, 2])
def test_small_group_is_explored_without_estimate(queues):
    assert estimated(lite(2, 1), queues) is None
    require_room(None, 1, None)


@pytest.mark.parametrize(("most", "queues"), [(1000, 4), (200, 3)])
def test_estimate_is_a_lower_bound_where_two_queues_are_too_many(monkeypatch, most, queues):
    monkeypatch.setattr(explore, "MOST", most)
    found = estimated(lite(2, 1), queues)
    assert found.least
    assert str(found).startswith("more than about ")
    assert found.states < {3: 11_143, 4: 72_975}[queues]


@pytest.fixture
def free(monkeypatch):
    def have(size):
        usage = namedtuple("usage", "total used free")
        monkeypatch.setattr(shutil, "disk_usage", lambda place: usage(0, 0, size))

    return have


def test_exploration_without_room_on_disk_is_refused(tmp_path, free):
    free(ON_DISK * 1000)
    require_room(Estimate(1000, False), 0, tmp_path / "new" / "folder")
    with pytest.raises(UsageError, match=r"^about 1,001 states are expected, which need .* free; .* --force$"):
        require_room(Estimate(1001, False), 1 << 40, tmp_path / "new" / "folder")
    (tmp_path / "levels").mkdir()
    (tmp_path / "levels" / "0000.npy").write_bytes(bytes(ON_DISK))
    require_room(Estimate(1001, False), 0, tmp_path)


def test_exploration_that_fits_into_memory_needs_no_disk(free):
    free(0)
    require_room(Estimate(1000, False), IN_MEMORY * 1000, None)
    with pytest.raises(UsageError, match="are expected"):
        require_room(Estimate(1001, True), IN_MEMORY * 1000, None)
