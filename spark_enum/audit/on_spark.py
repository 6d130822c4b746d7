"""The audit on Spark: slices of files to facts, logs to shares, groups to findings.

Only facts are sent from one step to the next, which are a small part of the lines; what comes back is findings and
entries. A slice that is lost is read again, with the same result. The jobs are no queries: what is sent are Python
objects, and PySpark's ``mapInArrow`` and ``applyInArrow`` do not start without pandas.
"""

import pickle
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import cast

from pyspark import StorageLevel
from pyspark.sql import SparkSession

from rebalance_proofs.recorded.audit.audit import (
    Asked,
    Audited,
    File,
    GroupTold,
    audited,
    clocks,
    log_shares,
    read_part,
    shown_zone,
    told_of,
)
from rebalance_proofs.recorded.audit.told import Share
from rebalance_proofs.recorded.collector import paused
from rebalance_proofs.recorded.logs.fact import Fact
from rebalance_proofs.recorded.logs.joined import joined, tallied
from rebalance_proofs.recorded.logs.reader import Clock, Tally
from rebalance_proofs.recorded.logs.sources import Source

__all__ = ["audit_on"]

SLICE = 64 * 1024 * 1024
"""Bytes of a slice."""
TASKS = 4
"""Tasks of the later steps for each core."""


@dataclass(frozen=True)
class _Slice:
    """A part of a file; its end is None for the whole of one that is read to its end."""

    file: int
    source: Source
    begin: int
    end: int | None
    clock: Clock


@dataclass(frozen=True)
class _Read:
    """What a slice has."""

    file: int
    begin: int
    tally: Tally
    damage: str
    facts: bytes
    """Pickled once, since each step would unpickle and pickle them."""


def audit_on(session: SparkSession, found: Sequence[Source], asked: Asked, size: int = SLICE) -> Audited:
    """The same as ``recorded.audit.audit.audit``. Raises ``NotThere`` as that does."""
    known = clocks(found, asked)
    slices = [
        _Slice(place, one, begin, end, known[one.name][0])
        for place, one in enumerate(found)
        for begin, end in _slices(one, size)
    ]
    shown = shown_zone(found, asked)
    if not slices:
        return Audited([], [], shown)
    names = {place: one.name for place, one in enumerate(found)}
    zones = {place: known[one.name][1] for place, one in enumerate(found)}
    context = session.sparkContext
    tasks = min(len(slices), TASKS * context.defaultParallelism)
    read = context.parallelize(slices, len(slices)).map(_read).persist(StorageLevel.MEMORY_AND_DISK)
    try:
        tallies = read.map(lambda pair: (pair[1].file, pair[1].begin, pair[1].tally, pair[1].damage)).collect()
        shared = read.groupByKey(tasks).flatMap(lambda pair: _shares(pair[0], pair[1], names, zones, asked))
        told = shared.groupByKey(tasks).map(lambda pair: _told(pair[0], pair[1], asked)).collect()
    finally:
        read.unpersist()
    files = []
    for place, one in enumerate(found):
        own = sorted((row for row in tallies if row[0] == place), key=lambda row: row[1])
        damage = next((row[3] for row in own if row[3]), "")
        files.append(File(one.name, tallied(row[2] for row in own), zones[place], damage))
    return audited(told, files, shown)


def _slices(one: Source, size: int) -> Iterator[tuple[int, int | None]]:
    if not one.sliced:
        yield 0, None if one.packed else one.size
        return
    for begin in range(0, one.size, size):
        yield begin, min(begin + size, one.size)


@paused()
def _read(part: _Slice) -> tuple[str, _Read]:
    facts, tally, damage = read_part(part.source, part.clock, part.begin, part.end)
    return part.source.series, _Read(part.file, part.begin, tally, damage, pickle.dumps(facts))


def _shares(
    series: str, parts: Iterable[_Read], names: dict[int, str], zones: dict[int, bool], asked: Asked
) -> Iterator[tuple[str, bytes]]:
    """(group, what the log says of it, pickled)."""
    own = sorted(parts, key=lambda one: (one.file, one.begin))
    with paused():
        files = [
            (names[file], joined((_facts(one), one.tally) for one in own if one.file == file))
            for file in dict.fromkeys(one.file for one in own)
        ]
        known = all(zones[one.file] for one in own)
        for share in log_shares(series, files, asked, known, [one.tally for one in own]):
            yield share.group, pickle.dumps(share)


def _facts(part: _Read) -> list[Fact]:
    return cast("list[Fact]", pickle.loads(part.facts))


@paused()
def _told(group: str, own: Iterable[bytes], asked: Asked) -> GroupTold:
    return told_of(group, [cast("Share", pickle.loads(one)) for one in own], asked)
