"""Computation of an exploration's levels by Spark's executors.

One job expands the previous level, and another one deduplicates the successors. Tasks read and write files in a folder
that all of them share. A task's file is moved to its final path when it is complete, and is the same if the task is
repeated. Only numbers and names of files are sent back.
"""

import gc
import json
from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from typing import Any
from uuid import uuid4

import numpy as np
from pyspark import Broadcast, cloudpickle
from pyspark.sql import SparkSession

from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.spark_enum.explorer.folder import Files, Folder
from rebalance_proofs.spark_enum.explorer.levels import expanded, next_level, settled
from rebalance_proofs.spark_enum.explorer.product import Product
from rebalance_proofs.spark_enum.explorer.sorted_file import Checked, Shelf, Sorted
from rebalance_proofs.spark_enum.explorer.store import Level

# Transport of a Spark task's result to the driver, as JSON text without pickled objects.


def to_text(level: Level, checked: Checked) -> str:
    """Return a task's result as text: the level's totals, digests of data read, and files written."""
    return json.dumps(
        {
            "states": level.states,
            "digest": level.digest,
            "wrong": level.wrong,
            "often": level.often,
            "counts": None if level.counts is None else level.counts.tolist(),
            "read": [checked.level, checked.followers, checked.seen],
            "files": [asdict(file) for file in checked.files],
            "runs": [[*ends, [asdict(file) for file in files]] for ends, files in checked.runs.items()],
        }
    )


def failed(error: UsageError | OSError) -> str:
    """Return an error as text, for errors that a repetition would not fix."""
    number = error.errno if isinstance(error, OSError) else None
    return json.dumps({"number": number, "error": getattr(error, "strerror", None) or str(error)})


def from_text(text: str, number: int) -> tuple[Level, Checked]:
    """Read a task's result from the text, for the level with that number.

    Raises the error if the text describes one.
    """
    told = json.loads(text)
    if "error" in told:
        raise UsageError(told["error"]) if told["number"] is None else OSError(told["number"], told["error"])
    counts = None if told["counts"] is None else np.array(told["counts"], dtype=np.int64)
    level, followers, seen = told["read"]
    runs = {(first, last): _files(files) for first, last, files in told["runs"]}
    return (
        Level(number, told["states"], told["digest"], told["wrong"], told["often"], counts),
        Checked(level, followers, seen, _files(told["files"]), runs),
    )


def _files(told: list[dict[str, Any]]) -> list[Sorted]:
    return [Sorted(**one) for one in told]


FEW = 1 << 17
"""Levels with fewer states are computed in this process, because a job takes longer to start."""
MANY = 1 << 18
"""Levels with more states get several tasks per core, so that no core waits long for others."""
TASKS = 4
"""Number of tasks per core for levels of more than ``MANY`` states."""

Task = Callable[[Product, Shelf, range], tuple[Level, Checked]]


class OnSpark:
    """The executors of a Spark session, which have received the tables of the explored group."""

    def __init__(self, spark: SparkSession, product: Product) -> None:
        self._spark = spark
        self._product = product
        self._sent = spark.sparkContext.broadcast(cloudpickle.dumps(product))
        self._key = uuid4().hex

    def next_level(self, folder: Folder, number: int) -> Level:
        """Compute the level with that number, with the same result as in one process.

        Raises ``UsageError`` and ``OSError`` like the computation in one process.
        """
        if folder.kept[-1].level.states < FEW:
            return next_level(self._product, folder, number)
        before, read = self._job(_expand, folder.shelf)
        folder.expanded(read)
        level, read = self._job(_settle, folder.shelf)
        level.counts = before.counts
        folder.settled(level, read)
        return level

    def _job(self, task: Task, shelf: Shelf) -> tuple[Level, Checked]:
        context = self._spark.sparkContext
        many = sum(file.states for file in shelf.levels[-1]) > MANY
        tasks = min((TASKS if many else 1) * context.defaultParallelism, shelf.order.parts)
        work = partial(_done, task, self._key, self._sent, shelf, tasks)
        level, checked = Level(len(shelf.levels)), Checked()
        # Not a query: planning and compiling one takes longer than a level of a second.
        for told in context.parallelize(range(tasks), tasks).map(work).collect():
            part, read = from_text(told, level.number)
            level.adds(part)
            checked.adds(read)
        return level, checked


def _done(task: Task, key: str, sent: Broadcast[bytes], shelf: Shelf, tasks: int, number: int) -> str:
    parts = shelf.order.parts
    try:
        return to_text(*task(_loaded(key, sent), shelf, range(parts * number // tasks, parts * (number + 1) // tasks)))
    except (UsageError, OSError) as error:
        return failed(error)


LOADED: dict[str, Product] = {}
"""The tables that an executor's process received last: one object for all its tasks."""


def _loaded(key: str, sent: Broadcast[bytes]) -> Product:
    if key not in LOADED:
        LOADED.clear()
        LOADED[key] = cloudpickle.loads(sent.value)
        gc.freeze()  # a worker collects garbage after each task, over all of its objects
    return LOADED[key]


def _expand(product: Product, shelf: Shelf, part: range) -> tuple[Level, Checked]:
    last = len(shelf.levels) - 1
    counts = np.zeros(len(product.moves), dtype=np.int64)
    store = Files(shelf, part)
    try:
        for one in store.expanding(last):
            counts += expanded(product, store, last, one)
        store.spill()
        return Level(last + 1, counts=counts), store.close()
    except BaseException:
        store.discard()
        raise


def _settle(product: Product, shelf: Shelf, part: range) -> tuple[Level, Checked]:
    level = Level(len(shelf.levels))
    store = Files(shelf, part)
    try:
        for one in store.settling(level.number):
            level.adds(settled(product, store, level.number, one))
        return level, store.close()
    except BaseException:
        store.discard()
        raise
