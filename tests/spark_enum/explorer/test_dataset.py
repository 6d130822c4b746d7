"""States and edges as Parquet: equal to the explored ones when read back."""

import errno
import os
import re
from collections import Counter
from functools import cache
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.spark_enum.explorer.dataset import EDGE, Dataset
from rebalance_proofs.spark_enum.explorer.exploration import LEAST, explored
from rebalance_proofs.spark_enum.explorer.product import Product
from rebalance_proofs.spark_enum.explorer.standard import SUBJECTS

PAGE = (Path(__file__).parents[3] / "docs" / "reference" / "parquet.md").read_text(encoding="utf-8")


@cache
def product(name, queues):
    subject = SUBJECTS[name]
    return Product(subject.build(subject.settings(consumers=2, queues=queues)))


def written(made, folder, kept=None):
    """Where the tables are, and all states by level."""
    with explored(made, {}, LEAST, kept) as exploration:
        levels = list(exploration.levels())
        many = Dataset(made, folder).write(exploration.store, levels)
        states = {level.number: [*of_level(exploration.store, level)] for level in levels}
    assert many == (sum(level.states for level in levels), sum(int(level.counts.sum()) for level in levels[1:]))
    return states


def of_level(store, level):
    for part in store.expanding(level.number):
        yield from store.order.states(store.level(level.number, part)).tolist()


@pytest.mark.parametrize(("name", "queues"), [("lock-lite", 2), pytest.param("ordered", 1, marks=pytest.mark.slow)])
def test_rows_are_the_explored_states_and_edges(tmp_path, name, queues):
    made = product(name, queues)
    states = written(made, tmp_path)
    rows = pq.read_table(tmp_path / "states").to_pylist()
    assert Counter((row["level"], row["state"]) for row in rows) == Counter(
        (level, state) for level, known in states.items() for state in known
    )
    for row in rows[:: len(rows) // 50]:
        members, numbers = made.group(row["state"])
        assert row["members"]["ids"] == sorted(made.model.ids(members))
        for told, queue in zip(row["queues"], numbers, strict=True):
            assert told.items() >= queue.items()
    edges = pq.read_table(tmp_path / "edges").to_pylist()
    for row in rows[:: len(rows) // 50]:
        assert Counter(
            (edge["move"], edge["who"], edge["queue"], edge["fault"], edge["to"], edge["level"])
            for edge in edges
            if edge["from"] == row["state"]
        ) == Counter(
            (move.name, move.who, move.queue, move.fault or None, after, row["level"])
            for move, after in made.following(row["state"])
        )


def test_tables_from_a_folder_equal_tables_from_memory(tmp_path):
    made = product("lock-lite", 2)
    for name, kept in (("memory", None), ("files", tmp_path / "kept")):
        written(made, tmp_path / name, kept)
    for table in ("states", "edges"):
        rows = [pq.read_table(tmp_path / name / table).to_pylist() for name in ("memory", "files")]
        assert sorted(rows[0], key=repr) == sorted(rows[1], key=repr)


def test_folder_with_other_files_is_refused(tmp_path):
    (tmp_path / "letters.txt").write_text("dear", encoding="utf-8")
    with pytest.raises(UsageError, match="is not empty"):
        Dataset(product("lock-lite", 2), tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["letters.txt"]


def test_full_disk_is_reported_in_one_sentence(tmp_path, monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(pq.ParquetWriter, "write_table", full)
    with pytest.raises(UsageError, match=r"cannot write tables to .*: No space left on device"):
        written(product("lock-lite", 2), tmp_path)
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


def section(title):
    """Of the page, the part below that title."""
    return re.search(rf"^## {title}\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL)[1]


def test_docs_page_lists_all_columns(tmp_path):
    told = re.findall(r"^- `(\w+)` \(", section("States of whole groups"), re.MULTILINE)
    assert told == [*Dataset(product("lock-lite", 2), tmp_path).schema.names, *EDGE.names]


@pytest.mark.spark
def test_docs_page_queries_agree_with_the_exploration(spark: SparkSession, tmp_path):
    made = product("concurrent", 1)
    states = written(made, tmp_path)
    for name in ("states", "edges"):
        spark.read.parquet(str(tmp_path / name)).createOrReplaceTempView(name)
    first, second = re.findall(r"```sql\n(.*?)```", section("States of whole groups"), re.DOTALL)
    wrong = {watch.name: watch.wrong for watch in made.model.watches}["two"]

    def twice(state):
        members, _ = made.group(state)
        flag = wrong(members, 0)
        return bool(made.queue.flags[flag][made.parts(np.array([state]))[1][0][0]])

    every = {state: twice(state) for known in states.values() for state in known}
    expected = Counter(level for level, known in states.items() for state in known if every[state])
    assert [tuple(row) for row in spark.sql(first).collect()] == sorted(expected.items())
    moves = Counter(
        (move.name, move.fault or None)
        for state, already in every.items()
        if not already
        for move, after in made.following(state)
        if every[after]
    )
    assert moves
    assert {(row["move"], row["fault"]): row["edges"] for row in spark.sql(second).collect()} == moves
