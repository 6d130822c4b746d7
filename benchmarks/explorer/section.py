"""The section about whole groups on the page of benchmarks."""

import sys
from collections.abc import Callable, Sequence

from benchmarks.explorer import beside, growth, on_spark
from benchmarks.explorer.sizes import FULL, Sizes
from benchmarks.explorer.targets import heads

__all__ = ["PARTS", "lines"]

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
        print(f"{name} ...", file=sys.stderr, flush=True)
        rows, told = PARTS[name](sizes)
        wanted += rows
        tables += ["", f"### {TITLES[name]}", "", SAYS[name], "", *told]
    return ["## Whole groups", "", *heads("what", "target", "measured"), *wanted, *tables]
