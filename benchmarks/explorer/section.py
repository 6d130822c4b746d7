"""Benchmarks of whole groups, as Markdown lines or as figures."""

import sys
from collections.abc import Callable, Sequence

from benchmarks.explorer import beside, growth, on_spark
from benchmarks.explorer.sizes import FULL, Sizes
from benchmarks.explorer.targets import heads
from benchmarks.history import Measured, Table
from benchmarks.markdown import figure, table

Part = Callable[[Sizes], tuple[list[str], list[str]]]
PARTS: dict[str, Part] = {"spin": beside.measured, "growth": growth.measured, "spark": on_spark.measured}
TITLES = {
    "spin": "Beside SPIN",
    "growth": "As the states double",
    "spark": "On Spark",
}
SAYS = {
    "spin": "CPU time is the system's too, of whole processes, on one core, one after the other in one run.",
    "growth": "CPU time without the process's start; memory above what the process has with a smallest group.",
    "spark": "Seconds of the exploration, of those of the whole process, with Python's and Spark's start and end.",
}


def lines(sizes: Sizes = FULL, parts: Sequence[str] = tuple(PARTS)) -> list[str]:
    """The section's Markdown lines: the table of targets, and a table for each part."""
    wanted, tables = [], []
    for name in parts:
        rows, told = _part(name, sizes)
        wanted += rows
        tables += ["", f"### {TITLES[name]}", "", SAYS[name], "", *told]
    return ["## Whole groups", "", *heads("what", "target", "measured"), *wanted, *tables]


def measured(sizes: Sizes = FULL) -> tuple[list[Measured], list[Table]]:
    """The figures of all parts, and a table for each."""
    figures, tables = [], []
    for name in PARTS:
        rows, told = _part(name, sizes)
        figures += [figure(row) for row in rows]
        tables.append(table(TITLES[name], SAYS[name], told))
    return figures, tables


def _part(name: str, sizes: Sizes) -> tuple[list[str], list[str]]:
    print(f"{name} ...", file=sys.stderr, flush=True)
    return PARTS[name](sizes)
