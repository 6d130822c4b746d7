"""The size from which Spark is worth its start: here, and in a cluster of two workers."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from benchmarks.explorer import ours
from benchmarks.explorer.sizes import Size, Sizes, named
from benchmarks.explorer.targets import at_least, heads, row
from benchmarks.timing import seconds
from tests.spark_enum.standalone import standalone

RATE, GOAL = 2e6, 4e6
"""The target and the goal, in transitions a second."""
ALONE, LOCAL, CLUSTER = "one process, in memory", "`--master local[2]`", "a cluster of two workers with a core each"
Way = Callable[[Size], ours.Explored]


def measured(sizes: Sizes) -> tuple[list[str], list[str]]:
    """The rows of the table of targets, and lines with the measurements.

    Raises ``RuntimeError`` where a group's states are not the same by all ways.
    """
    with _cluster() as master:
        ways: dict[str, Way] = {
            ALONE: lambda size: ours.in_memory(ours.lock_lite(*size)),
            "one process, in a folder": lambda size: ours.in_folder(ours.lock_lite(*size), 2 << 30),
            LOCAL: lambda size: ours.on_spark(ours.lock_lite(*size), "local[2]"),
            CLUSTER: lambda size: ours.on_spark(ours.lock_lite(*size), master),
        }
        found = {size: _several(size, ways, sizes) for size in sizes.spark}
    wanted = []
    for way in (LOCAL, CLUSTER):
        runs = found[sizes.wanted][way]
        rate, whole = (runs[0].transitions / _middle(runs, start) for start in (False, True))
        what = f"`lock-lite`, {named(sizes.wanted)}, {way}: transitions a second of the exploration"
        target = at_least(rate, RATE, f"{RATE / 1e6:g} million") + f" (goal {GOAL / 1e6:g} million)"
        wanted.append(row(what, target, f"{rate / 1e6:.1f} million; {whole / 1e6:.1f} million with all starts"))
    lines = list(heads("group", "states", "transitions", *ways))
    for size, by_way in found.items():
        some = by_way[ALONE][0]
        lines.append(row(named(size), f"{some.states:,}", f"{some.transitions:,}", *map(_cell, by_way.values())))
    return wanted, lines


@contextmanager
def _cluster() -> Iterator[str]:
    with TemporaryDirectory(prefix="rebalance-cluster-") as place, standalone(Path(place), workers=2) as cluster:
        yield cluster.master


def _several(size: Size, ways: dict[str, Way], sizes: Sizes) -> dict[str, list[ours.Explored]]:
    found = {way: [does(size)] for way, does in ways.items()}
    if found[ALONE][0].states <= sizes.often:
        for _ in range(sizes.runs - 1):
            for way, does in ways.items():
                found[way].append(does(size))
    if len({(one.states, one.transitions, one.digest) for runs in found.values() for one in runs}) != 1:
        raise RuntimeError(f"{named(size)}: not the same by all ways: {found}")
    return found


def _middle(runs: list[ours.Explored], start: bool) -> float:
    return median(one.ran.wall if start else one.wall for one in runs)


def _cell(runs: list[ours.Explored]) -> str:
    return f"{seconds(_middle(runs, False))} of {seconds(_middle(runs, True))}"
