"""Write explored states and transitions as Parquet tables (see docs/reference/parquet.md)."""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.spark_enum.explorer.product import Product
from rebalance_proofs.spark_enum.explorer.sorted_file import ASIDE
from rebalance_proofs.spark_enum.explorer.store import Level, Store
from rebalance_proofs.spark_enum.explorer.trace import Edges

FORMAT = 1
"""Format version; it grows when a reader of the old columns would misread the new ones."""
AT_ONCE = 1 << 14
"""Number of states that are written in one step."""
STATES, EDGES = "states", "edges"
EDGE = pa.schema(
    {
        "format": pa.int32(),
        "level": pa.int32(),
        "from": pa.int64(),
        "to": pa.int64(),
        "move": pa.string(),
        "who": pa.int32(),
        "queue": pa.int32(),
        "fault": pa.string(),
    }.items()
)


class Dataset:
    """Parquet tables of an exploration: its states, and the transitions (edges) between them.

    Raises ``UsageError`` if the folder is not empty.
    """

    def __init__(self, product: Product, folder: Path) -> None:
        self._product, self._folder = product, folder
        model, members = product.model, product.members.states
        self._members = pa.array([_plain(one) | {"ids": sorted(model.ids(one))} for one in members])
        columns = {name: pa.array(product.queue.rows[:, place]) for place, name in enumerate(model.columns)}
        columns |= {name: pa.array(flags) for name, flags in product.queue.flags.items() if name not in columns}
        self._queue = pa.StructArray.from_arrays(list(columns.values()), names=list(columns))
        self._edges_of = Edges(product)
        moves = product.moves
        self._moves = {
            "move": pa.array([move.name for move in moves], pa.string()),
            "who": pa.array([move.who for move in moves], pa.int32()),
            "queue": pa.array([move.queue for move in moves], pa.int32()),
            "fault": pa.array([move.fault or None for move in moves], pa.string()),
        }
        self.schema = pa.schema(
            {
                "format": pa.int32(),
                "level": pa.int32(),
                "state": pa.int64(),
                "members": self._members.type,
                "queues": pa.list_(self._queue.type),
            }.items()
        )
        """The schema of the table of states."""
        with _reporting(folder):
            if folder.exists() and any(folder.iterdir()):
                raise UsageError(f"{str(folder)!r} is not empty; name a new or empty folder with --parquet")
            for name in (STATES, EDGES):
                (folder / name).mkdir(parents=True, exist_ok=True)

    def write(self, store: Store, levels: Iterable[Level]) -> tuple[int, int]:
        """Write all states of these levels and their outgoing transitions, one file per level.

        Returns the numbers of states and of transitions. Raises ``UsageError`` if writing fails.
        """
        states = edges = 0
        for level in levels:
            if level.states:
                states += self._write(STATES, self.schema, level.number, self._states(store, level.number))
                edges += self._write(EDGES, EDGE, level.number, self._edges(store, level.number))
        return states, edges

    def _write(self, name: str, schema: pa.Schema, level: int, tables: Iterator[pa.Table]) -> int:
        path = self._folder / name / f"part-{level:05}.parquet"
        aside = path.with_name(f".{path.name}{ASIDE}")  # Spark ignores files whose names begin with a dot
        rows = 0
        with _reporting(self._folder):
            try:
                with pq.ParquetWriter(aside, schema) as writer:
                    for table in tables:
                        writer.write_table(table)
                        rows += len(table)
                os.replace(aside, path)
            finally:
                aside.unlink(missing_ok=True)
        return rows

    def _states(self, store: Store, level: int) -> Iterator[pa.Table]:
        for states in _pieces(store, level):
            members, queues = self._product.parts(states)
            numbers = np.stack(queues, axis=1).reshape(-1)
            ends = pa.array(np.arange(0, len(numbers) + 1, len(queues)), pa.int32())
            yield pa.Table.from_arrays(
                [
                    pa.repeat(pa.scalar(FORMAT, pa.int32()), len(states)),
                    pa.repeat(pa.scalar(level, pa.int32()), len(states)),
                    pa.array(states),
                    self._members.take(pa.array(members)),
                    pa.ListArray.from_arrays(ends, self._queue.take(pa.array(numbers))),
                ],
                schema=self.schema,
            )

    def _edges(self, store: Store, level: int) -> Iterator[pa.Table]:
        for states in _pieces(store, level):
            found = [
                (np.full(len(after), move), states[places], after) for move, places, after in self._edges_of.of(states)
            ]
            move, begin, end = (np.concatenate(arrays) for arrays in zip(*found, strict=True))
            if not len(move):
                continue
            yield pa.Table.from_arrays(
                [
                    pa.repeat(pa.scalar(FORMAT, pa.int32()), len(move)),
                    pa.repeat(pa.scalar(level, pa.int32()), len(move)),
                    pa.array(begin),
                    pa.array(end),
                    *(column.take(pa.array(move)) for column in self._moves.values()),
                ],
                schema=EDGE,
            )


def _pieces(store: Store, level: int) -> Iterator[np.ndarray]:
    for part in store.expanding(level):
        states = store.order.states(store.level(level, part))
        yield from (states[begin : begin + AT_ONCE] for begin in range(0, len(states), AT_ONCE))


def _plain(value: Any) -> Any:
    """Convert a value for Arrow: a record becomes a flat struct, and a set becomes a list.

    The struct includes the fields of nested records.
    """
    if is_dataclass(value):
        found: dict[str, object] = {}
        for one in fields(value):
            told = _plain(getattr(value, one.name))
            found |= told if isinstance(told, dict) else {one.name: told}
        return found
    if isinstance(value, frozenset):
        return sorted(map(_plain, value))
    return [_plain(one) for one in value] if isinstance(value, tuple) else value


@contextmanager
def _reporting(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise UsageError(f"cannot write tables to {str(folder)!r}: {error.strerror or error}") from error
