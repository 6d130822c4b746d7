"""A check: a set of cases, divided into numbered pieces of work for Spark.

In each case two results are compared, or a property must hold.
"""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import Any, TypedDict
from uuid import uuid4

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from rebalance_proofs.spark_enum.results import Finding, Totals

# Groups of equal rows of integers, and digests that do not depend on the order of rows.

_FACTORS = (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB)


def distinct(columns: Sequence[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Group equal rows. Return the first index of each group, and for each row its group's number.

    Rows are grouped by a hash value, and then compared in full.
    """
    mixed = np.zeros(len(columns[0]), dtype=np.uint64)
    varied = [column for column in columns if column.strides != (0,)]  # all rows of a broadcast constant are equal
    for column in varied:
        mixed *= np.uint64(_FACTORS[0])
        mixed += column.astype(np.int64, copy=False).view(np.uint64)
    _, first, kind = np.unique(mix(mixed), return_index=True, return_inverse=True)
    for column in varied:
        if (column != column[first][kind]).any():
            raise ArithmeticError("two different rows have the same hash value")
    return first, kind


def mix(values: np.ndarray) -> np.ndarray:
    """Return a 64-bit hash of each value (SplitMix64)."""
    values = values.astype(np.uint64) + np.uint64(_FACTORS[0])
    values = (values ^ (values >> np.uint64(30))) * np.uint64(_FACTORS[1])
    values = (values ^ (values >> np.uint64(27))) * np.uint64(_FACTORS[2])
    mixed: np.ndarray = values ^ (values >> np.uint64(31))
    return mixed


def digest_of(found: object) -> int:
    """Return a 64-bit hash of the value's ``repr``, the same on every machine."""
    return int.from_bytes(blake2b(repr(found).encode(), digest_size=8).digest(), "big")


def digests_of(codes: np.ndarray, outcomes: np.ndarray) -> np.ndarray:
    """Return a 64-bit hash for each case, from its number and the hash of its outcome."""
    return mix(mix(codes) + outcomes)


def added(digests: np.ndarray) -> int:
    """Return the digest of a set of cases from the digests of the single cases."""
    return int(np.add.reduce(digests, axis=None, dtype=np.uint64))


# Parquet tables with one row for each enumerated case.
# docs/reference/parquet.md describes the columns.
# A task writes the rows of its own cases to a temporary file. When the task is done, the file is moved to its final
# path. So a repeated task writes the same file again.

FORMAT = 1
"""Format version; it increases when a reader of the old columns would misread the new ones."""

SCHEMA = pa.schema(
    {
        "format": pa.int32(),
        "kind": pa.string(),
        "check": pa.string(),
        "subject": pa.string(),
        "setting": pa.string(),
        "consumers": pa.int32(),
        "queues": pa.int32(),
        "digits": pa.list_(pa.int64()),
        "found": pa.string(),
        "numbers": pa.map_(pa.string(), pa.int64()),
        "digest": pa.int64(),
        "differs": pa.string(),
        "broken": pa.map_(pa.string(), pa.string()),
    }.items()
)

Keep = Callable[..., None]
"""A function that writes rows for cases; its keyword arguments are the columns, see ``Rows``."""

GROUP = 2**16
"""The approximate number of rows that are written in one step."""


@dataclass(frozen=True)
class Tables:
    """The folder to which the tasks of one Spark job write their rows."""

    folder: Path
    """The path of the folder, which has a subfolder for each kind of check.

    On a cluster, all machines must share it.
    """
    job: int
    """The number of the Spark job, which distinguishes its files from those of other jobs."""

    def tidy(self) -> None:
        """Remove the temporary files of lost tasks, after the job."""
        for path in self.folder.glob(f"*/.part-{self.job:03}-*"):
            path.unlink(missing_ok=True)


class Rows:
    """The rows that one task writes."""

    def __init__(self, tables: Tables, task: int) -> None:
        self._tables = tables
        self._name = f"part-{tables.job:03}-{task:05}.parquet"
        self._aside = f".{self._name}.{uuid4().hex}"
        self._writers: dict[str, pq.ParquetWriter] = {}
        self._waiting: dict[str, list[pa.Table]] = {}

    @classmethod
    @contextmanager
    def written(cls, tables: Tables | None, task: int) -> Iterator["Rows | None"]:
        """Context manager: rows for a task, whose files are moved to their final path at the end.

        None if ``tables`` is None, which means that no rows are written.
        """
        if tables is None:
            yield None
            return
        rows = cls(tables, task)
        try:
            yield rows
            rows._close()
        finally:
            for kind in rows._writers:
                rows._path(kind, rows._aside).unlink(missing_ok=True)

    def of(self, kind: str, check: str, subject: str, setting: str) -> Keep:
        """Return a function that adds rows for the check of this kind and name."""
        return partial(self._add, {"kind": kind, "check": check, "subject": subject, "setting": setting})

    def _add(self, label: Mapping[str, str], **columns: Any) -> None:
        """Add rows for cases of a check; ``label`` describes the check.

        A column is an array or a sequence with a value for each case. A column that is left out is null. ``digits`` may
        be an array with a row for each case. ``numbers`` and ``broken`` have a column for each name.
        """
        length = max(len(values) for values in columns.values() if not isinstance(values, Mapping))
        columns = {name: [value] * length for name, value in {"format": FORMAT, **label}.items()} | columns
        arrays = [_array(columns.get(field.name), field.type, length) for field in SCHEMA]
        waiting = self._waiting.setdefault(label["kind"], [])
        waiting.append(pa.Table.from_arrays(arrays, schema=SCHEMA))
        if sum(map(len, waiting)) >= GROUP:
            self._flush(label["kind"])

    def _flush(self, kind: str) -> None:
        if kind not in self._writers:
            path = self._path(kind, self._aside)
            path.parent.mkdir(parents=True, exist_ok=True)
            self._writers[kind] = pq.ParquetWriter(path, SCHEMA)
        self._writers[kind].write_table(pa.concat_tables(self._waiting.pop(kind)))

    def _close(self) -> None:
        for kind in list(self._waiting):
            self._flush(kind)
        for kind, writer in self._writers.items():
            writer.close()
            os.replace(self._path(kind, self._aside), self._path(kind, self._name))

    def _path(self, kind: str, name: str) -> Path:
        return self._tables.folder / kind / name


def clear(folder: Path) -> None:
    """Remove the Parquet tables of an earlier run from the folder, and nothing else."""
    for path in folder.glob("*/part-???-?????.parquet"):
        path.unlink()


def _array(values: Any, kind: pa.DataType, length: int) -> pa.Array:
    if values is None:
        return pa.nulls(length, kind)
    if isinstance(values, Mapping):
        names = pa.array(list(values) * length, kind.key_type)
        items = np.stack(list(values.values()), axis=1).reshape(-1)
        return pa.MapArray.from_arrays(_offsets(length, len(values)), names, pa.array(items, kind.item_type))
    if isinstance(values, np.ndarray) and values.ndim == 2:
        return pa.ListArray.from_arrays(_offsets(*values.shape), pa.array(values.reshape(-1), kind.value_type))
    if isinstance(values, np.ndarray) and values.dtype == np.uint64:
        values = values.view(np.int64)
    return values if isinstance(values, pa.Array) else pa.array(values, kind)


def _offsets(rows: int, width: int) -> pa.Array:
    return pa.array(np.arange(0, (rows + 1) * width, width) if width else np.zeros(rows + 1), pa.int32())


class Told(TypedDict, total=False):
    """Fields of a ``Finding`` that a check computes from its totals."""

    digest: str
    numbers: Mapping[str, int]
    details: tuple[Mapping[str, int], ...]


@dataclass(frozen=True)
class Check:
    """A check of many cases.

    It is sent to Spark's executors, so neither the check nor its results contain solver terms.
    """

    kind: str
    """The kind of comparison; see ``Finding.kind``."""
    name: str
    pieces: int
    """The number of pieces of work. Each piece takes a small part of the time limit."""
    expected: int
    """The number of cases, by a closed form."""
    do: Callable[[int, Keep | None], Totals]
    """``do(piece, keep)``: check the cases of a piece, counted from 0, and return the totals.

    ``keep``, if given, receives a row for each case.
    """
    subject: str = ""
    """The checked strategies or client. See ``Finding``, also for the next two fields."""
    setting: str = ""
    bounds: Mapping[str, int] = field(default_factory=dict)
    record: Callable[[Totals], Told] = lambda totals: Told()
    """Function that computes further fields of the finding from the totals."""

    def __call__(self, piece: int, keep: Keep | None = None) -> Totals:
        return self.do(piece, keep)

    def finding(self, totals: Totals) -> Finding:
        """Return the finding of the check from the totals of all pieces."""
        told = {name: getattr(self, name) for name in ("kind", "name", "expected", "subject", "setting", "bounds")}
        return replace(Finding(**told | totals.told), **self.record(totals))


Run = Callable[[Sequence[Check]], list[Totals]]
"""A function that runs checks as one job and returns the totals of each check."""
