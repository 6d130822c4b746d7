"""Executors compute the levels of a single process, even if one of them is lost."""

import errno
import os
import signal
from functools import cache

import numpy as np
import pytest
from pyspark.sql import SparkSession

from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.spark_enum.explorer import on_spark
from rebalance_proofs.spark_enum.explorer.exploration import LEAST, explored
from rebalance_proofs.spark_enum.explorer.models.lock_lite import lock_lite
from rebalance_proofs.spark_enum.explorer.on_spark import failed, from_text, to_text
from rebalance_proofs.spark_enum.explorer.product import Product
from rebalance_proofs.spark_enum.explorer.sorted_file import Checked, Sorted
from rebalance_proofs.spark_enum.explorer.store import Level
from rebalance_proofs.spark_enum.session import spark_session
from tests.spark_enum.explorer.test_files import changed, in_memory, told, truncated


@cache
def product(*size):
    return Product(lock_lite(AVERAGELY, *size))


def test_data_survives_a_round_trip_to_executors():
    level = Level(3, 5, 2**64 - 1, {"two": 7}, {"two": 4}, np.array([1, 2]))
    files = [Sorted("levels/a", 3, 2**64 - 1)]
    checked = Checked(1, 2, 2**64 - 1, files, {(0, 2): files, (3, 3): []})
    back, read = from_text(to_text(level, checked), 3)
    assert read == checked
    assert back.counts.tolist() == [1, 2]
    assert (back.number, back.states, back.digest) == (3, 5, 2**64 - 1)
    assert (back.wrong, back.often) == ({"two": 7}, {"two": 4})


@pytest.mark.parametrize("error", [UsageError("it is gone"), OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))])
def test_executor_errors_equal_those_of_one_process(error):
    with pytest.raises(type(error)) as raised:
        from_text(failed(error), 3)
    assert str(raised.value) == str(error)


@pytest.mark.spark
def test_executors_make_the_same_levels_as_one_process(spark: SparkSession, tmp_path, monkeypatch):
    monkeypatch.setattr(on_spark, "FEW", 700)
    monkeypatch.setattr(on_spark, "MANY", 1600)
    size = (2, 3, 1)
    with explored(product(*size), {}, LEAST, tmp_path, spark) as exploration:
        assert told(exploration) == in_memory(*size)
        known = exploration.store.kept
    assert {len(kept.files) for kept in known} >= {1, 2, on_spark.TASKS * 2}
    with explored(product(*size), {}, LEAST, tmp_path) as exploration:
        assert told(exploration) == in_memory(*size)


@pytest.mark.spark
def test_executor_failure_is_reported_in_one_sentence(spark: SparkSession, tmp_path, monkeypatch):
    monkeypatch.setattr(on_spark, "FEW", 0)
    with explored(product(2, 2, 1), {}, LEAST, tmp_path, spark) as exploration:
        levels = exploration.levels()
        for _ in range(3):
            next(levels)
        victim = max(tmp_path.glob("levels/0002.*.npy"), key=lambda path: path.stat().st_size)
        before = victim.read_bytes()
        for harm, says in ((truncated, "were written"), (changed, "has been changed")):
            harm(victim)
            with pytest.raises(UsageError, match=says) as error:
                told(exploration)
            assert "the 3 levels before are stored there" in str(error.value)
            victim.write_bytes(before)
        assert told(exploration) == in_memory(2, 2, 1)


@pytest.mark.slow
@pytest.mark.spark
def test_killed_workers_change_no_result(tmp_path, monkeypatch):
    """In a session that repeats tasks, as all clusters do; a worker process is killed during its work."""
    monkeypatch.setattr(on_spark, "FEW", 2000)
    size = (2, 3, 2)
    killed, folder = tmp_path / "killed", tmp_path / "states"
    killed.mkdir()

    def once(task, levels):
        def do(made, shelf, part):
            found = task(made, shelf, part)  # its files are there, and what it has found is not told
            mark = killed / f"{len(shelf.levels)}"
            if part.start and len(shelf.levels) in levels and not mark.exists():
                mark.touch()
                os.kill(os.getpid(), signal.SIGKILL)
            return found

        return do

    monkeypatch.setattr(on_spark, "_expand", once(on_spark._expand, (13, 15)))
    monkeypatch.setattr(on_spark, "_settle", once(on_spark._settle, (12, 16)))
    with spark_session("local[2,4]") as session, explored(product(*size), {}, LEAST, folder, session) as exploration:
        assert told(exploration) == in_memory(*size)
    assert sorted(path.name for path in killed.iterdir()) == ["12", "13", "15", "16"]
    assert not list(folder.rglob("*.aside"))


@pytest.mark.spark
def test_failure_in_a_temporary_folder_does_not_mention_kept_files(spark: SparkSession, monkeypatch):
    monkeypatch.setattr(on_spark, "FEW", 0)
    with explored(product(2, 2, 1), {}, LEAST, None, spark) as exploration:
        levels = exploration.levels()
        for _ in range(3):
            next(levels)
        truncated(max(exploration.store.shelf.folder.glob("levels/0002.*.npy"), key=lambda path: path.stat().st_size))
        with pytest.raises(UsageError, match="; nothing is stored, because no folder was named for it"):
            told(exploration)
