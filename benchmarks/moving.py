"""Processor time of the largest calls of ``rebalance moves`` and ``rebalance shares``.

``python -m benchmarks.moving [TREE]`` prints the figures; TREE is another checkout to measure.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

from benchmarks.history import Measured
from benchmarks.starting import started
from benchmarks.timing import seconds

MOST = 1.0
"""Goal in seconds of processor time, with the start of the process."""
LARGE = ("--queues", "1024")
CALLS = {
    "one join": ("moves", *LARGE, "--consumers", "64"),
    "one crash": ("moves", *LARGE, "--consumers", "64", "--event", "crash"),
    "growth": ("moves", "--consumers", "64", "--grow", "1000:1024"),
    "32 to 64 consumers": ("moves", *LARGE, "--consumers", "32", "--to", "64", "--plan"),
    "60 to 64 consumers": ("moves", *LARGE, "--consumers", "60", "--to", "64", "--plan"),
    "restart of 64": ("moves", *LARGE, "--consumers", "64", "--restart", "64"),
    "shares": ("shares", *LARGE, "--consumers", "64"),
}
"""Name of a figure -> the call."""


def figures(tree: Path | None = None) -> Iterator[Measured]:
    """One figure for each call."""
    for what, call in CALLS.items():
        took = started(call, tree)
        detail = f"`rebalance {' '.join(call)}`; {took}"
        yield Measured(
            f"1,024 queues, {what}, CPU time",
            seconds(took.median),
            f"at most {MOST:g} s",
            took.median <= MOST,
            detail,
        )


if __name__ == "__main__":
    for figure in figures(*map(Path, sys.argv[1:2])):
        print(f"{figure.what}: {figure.measured}, {figure.goal} ({figure.detail})", flush=True)
