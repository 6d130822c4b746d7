"""Run the audit on Spark: parse the files, group their lines, search each group for findings.

One task reads a whole small log. It sends only what the log says about each consumer group: owners, results and
commits, a small part of the lines. A large log is divided into slices, whose facts are joined first. The driver
receives findings. Work that is lost with an executor is repeated, with the same result. The jobs use RDDs of Python
objects, because PySpark's ``mapInArrow`` and ``applyInArrow`` need pandas.
"""

import pickle
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import cast

from pyspark import RDD
from pyspark.sql import SparkSession

from rebalance_proofs.recorded.audit.audit import log_shares, read_part, renumbered, told_of
from rebalance_proofs.recorded.audit.outcome import Asked, Audited, File, GroupTold, audited, clocks, shown_zone
from rebalance_proofs.recorded.audit.told import Share
from rebalance_proofs.recorded.collector import paused
from rebalance_proofs.recorded.logs.fact import Fact
from rebalance_proofs.recorded.logs.joined import joined, tallied
from rebalance_proofs.recorded.logs.reading import Clock, Tally
from rebalance_proofs.recorded.logs.sources import Source

SLICE = 64 * 1024 * 1024
"""Size in bytes of a slice of a large log."""
WHOLE = 1024 * 1024 * 1024
"""Largest log in bytes, over all its files, that one task reads."""
TASKS = 4
"""Smallest number of tasks per core, if there are enough logs or slices."""

Row = tuple[tuple[str, str], bytes]
"""A key and its pickled value.

The key is (GROUP, group name) for what one log says about a group, or (FILES, "") for line counts of files.
"""
GROUP, FILES = "group", "files"
Tallies = list[tuple[int, int, Tally, str]]
"""Line counts of parts of files.

Each tuple has the file's number, the begin of the part, the counts, and the error that ended parsing early or "".
"""


@dataclass(frozen=True)
class _Slice:
    """A part of a file that one task reads; ``end`` is None for a whole compressed file."""

    file: int
    source: Source
    begin: int
    end: int | None
    clock: Clock
    zone_known: bool


@dataclass(frozen=True)
class _Read:
    """The parsed lines of a slice (facts), and counts of its lines."""

    slice: _Slice
    tally: Tally
    damage: str
    facts: list[Fact]


def audit_on(
    session: SparkSession, found: Sequence[Source], asked: Asked, size: int = SLICE, most: int = WHOLE
) -> Audited:
    """Audit the logs on Spark, with the same result as ``recorded.audit.audit.audit``.

    ``size`` is the size of a slice, and ``most`` the largest log that one task reads, in bytes. Raises ``NotThere`` in
    the same cases.
    """
    known = clocks(found, asked)
    shown = shown_zone(found, asked)
    if not found:
        return Audited([], [], shown)
    context = session.sparkContext
    by_series: dict[str, list[tuple[int, Source]]] = {}
    for place, one in enumerate(found):
        by_series.setdefault(one.series, []).append((place, one))
    sizes = {series: sum(one.size for _, one in own) for series, own in by_series.items()}
    limit = max(size, min(most, sum(sizes.values()) // (TASKS * context.defaultParallelism)))
    small: list[list[_Slice]] = []
    large: list[_Slice] = []
    for series in sorted(sizes, key=lambda name: -sizes[name]):
        slices = [
            _Slice(place, one, begin, end, *known[one.name])
            for place, one in by_series[series]
            for begin, end in _slices(one, size if sizes[series] > limit else one.size)
        ]
        if len(slices) == len(by_series[series]):
            small.append(slices)
        else:
            large += slices
    rows: list[RDD[Row]] = []
    if small:
        rows.append(context.parallelize(small, len(small)).flatMap(lambda own: _shares(map(_read, own), asked)))
    if large:
        read = context.parallelize(large, len(large)).map(lambda one: (one.source.series, pickle.dumps(_read(one))))
        tasks = min(len({one.source.series for one in large}), TASKS * context.defaultParallelism)
        rows.append(read.groupByKey(tasks).flatMap(lambda pair: _shares(map(_unpickled, pair[1]), asked)))
    tasks = min(len(small) + len(large), TASKS * context.defaultParallelism)
    told = context.union(rows).groupByKey(tasks).map(lambda pair: _told(*pair[0], pair[1], asked)).collect()
    tallies: dict[int, Tallies] = {}
    for row in sorted((row for one in told if isinstance(one, list) for row in one), key=itemgetter(0, 1)):
        tallies.setdefault(row[0], []).append(row)
    files = []
    for place, one in enumerate(found):
        damage = next((row[3] for row in tallies[place] if row[3]), "")
        files.append(File(one.name, tallied(row[2] for row in tallies[place]), known[one.name][1], damage, one.whole))
    return renumbered(audited((one for one in told if isinstance(one, GroupTold)), files, shown, asked.topic))


def _slices(one: Source, size: int) -> Iterator[tuple[int, int | None]]:
    if not one.sliced:
        yield 0, None if one.packed else one.size
        return
    for begin in range(0, max(1, one.size), max(1, size)):
        yield begin, min(begin + size, one.size)


@paused()
def _read(part: _Slice) -> _Read:
    facts, tally, damage = read_part(part.source, part.clock, part.begin, part.end)
    return _Read(part, tally, damage, facts)


def _unpickled(read: bytes) -> _Read:
    return cast("_Read", pickle.loads(read))


def _shares(parts: Iterable[_Read], asked: Asked) -> Iterator[Row]:
    """Yield the line counts of one log's files, and what the log says about each consumer group."""
    own = sorted(parts, key=lambda one: (one.slice.file, one.slice.begin))
    tallies: Tallies = [(one.slice.file, one.slice.begin, one.tally, one.damage) for one in own]
    yield (FILES, ""), pickle.dumps(tallies)
    with paused():
        files = [
            (name, joined((one.facts, one.tally) for one in read))
            for name, read in groupby(own, key=lambda one: one.slice.source.name)
        ]
        known = all(one.slice.zone_known for one in own)
        for share in log_shares(own[0].slice.source.series, files, asked, known, [one.tally for one in own]):
            yield (GROUP, share.group), pickle.dumps(share)


@paused()
def _told(what: str, name: str, own: Iterable[bytes], asked: Asked) -> GroupTold | Tallies:
    if what == FILES:
        return [row for one in own for row in cast("Tallies", pickle.loads(one))]
    return told_of(name, [cast("Share", pickle.loads(one)) for one in own], asked)
