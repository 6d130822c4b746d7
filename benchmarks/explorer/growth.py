"""The growth of the cost when the states double."""

from collections.abc import Callable
from itertools import pairwise
from math import log2
from statistics import median

from benchmarks.explorer import ours
from benchmarks.explorer.sizes import Size, Sizes, named
from benchmarks.explorer.targets import at_most, heads, row
from benchmarks.timing import seconds

DOUBLING = 2.2
Cost = tuple[int, float, int]
"""(states, CPU seconds, bytes)"""


def measured(sizes: Sizes) -> tuple[list[str], list[str]]:
    """The rows of the table of targets, and lines with the measurements."""
    ways = {"in memory": _in_memory, f"in a folder, `--memory {sizes.memory >> 20}`": _in_folder}
    costs = {way: [_middle(does, size, sizes) for size in sizes.growing] for way, does in ways.items()}
    wanted = []
    for way, found in costs.items():
        steps = list(pairwise(found))
        what = f"`lock-lite` of {found[0][0]:,} to {found[-1][0]:,} states, {way}, as the states double"
        for name, place in (("CPU time", 1), ("memory", 2)):
            worst = max(per_doubling(before, after, place) for before, after in steps)
            whole = per_doubling(found[0], found[-1], place)
            target = at_most(worst, DOUBLING, f"{DOUBLING:g} times from each one to the next")
            wanted.append(row(f"{what}: {name}", target, f"{worst:.2f} times at most; {whole:.2f} from first to last"))
    cells = ("CPU", "a doubling", "memory", "bytes a state")
    lines = list(heads("group", "states", *(f"{way}: {what}" for way in ways for what in cells)))
    for number, size in enumerate(sizes.growing):
        states, *_ = costs["in memory"][number]
        lines.append(row(named(size), f"{states:,}", *(cell for one in costs.values() for cell in _cells(one, number))))
    return wanted, lines


def per_doubling(before: Cost, after: Cost, place: int) -> float:
    """The factor of a cost when the states double, if it grows between the two by a power of the states."""
    return float((after[place] / before[place]) ** (1 / log2(after[0] / before[0])))


def _cells(found: list[Cost], number: int) -> list[str]:
    states, cpu, grown = found[number]
    by = f"{per_doubling(found[number - 1], found[number], 1):.2f}" if number else ""
    return [seconds(cpu), by, f"{grown / 2**20:.0f} MiB", f"{grown / states:.1f}"]


def _middle(does: Callable[[Size, Sizes], ours.Explored], size: Size, sizes: Sizes) -> Cost:
    runs = [does(size, sizes)]
    if runs[0].states <= sizes.often:
        runs += [does(size, sizes) for _ in range(sizes.runs - 1)]
    return runs[0].states, median(one.cpu for one in runs), int(median(one.grown for one in runs))


def _in_memory(size: Size, sizes: Sizes) -> ours.Explored:
    return ours.in_memory(ours.lock_lite(*size))


def _in_folder(size: Size, sizes: Sizes) -> ours.Explored:
    return ours.in_folder(ours.lock_lite(*size), sizes.memory)
