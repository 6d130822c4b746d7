"""Processor time of a command that answers at once, from the start of its process to its end.

``python -m benchmarks.starting [TREE]`` prints the figures; TREE is another checkout to measure.
"""

import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.history import Measured
from benchmarks.timing import Timing, seconds

ANSWERS = 0.3
"""Seconds that an answer may take that needs no solver."""
CALLS = {
    ("--version",): ("--version", ANSWERS),
    ("--help",): ("--help", ANSWERS),
    ("why", "twice", "--client", "5.2", "--mode", "push", "--for", "2m"): ("why", ANSWERS),
    ("moves", "--queues", "16", "--consumers", "4", "--event", "join"): ("moves", ANSWERS),
    ("settle", "--client", "5.2", "--event", "crash"): ("settle", ANSWERS),
    ("list",): ("list", ANSWERS),
    ("list", "--client", "5.2", "--strategy", "avg"): ("list --client 5.2 --strategy avg", ANSWERS),
    ("check", "--help"): ("check --help", 1.0),
    ("check", "mine.py:allocate", "--queues", "4", "--consumers", "4"): ("check", 1.0),
    ("show", "--help"): ("show --help", 1.0),
    ("show", "allocation.avg.disjoint"): ("show", 1.0),
}
"""Call -> its name in the history, and the goal in seconds of processor time."""
MINE = "def allocate(group, me, queues, ids):\n    return queues[ids.index(me)::len(ids)]\n"
RUNS = 7


def figures(tree: Path | None = None) -> Iterator[Measured]:
    """One figure for each call."""
    for call, (what, most) in CALLS.items():
        took = started(call, tree)
        detail = f"`rebalance {' '.join(call)}`; {took}"
        yield Measured(
            f"`rebalance {what}`, CPU time", seconds(took.median), f"at most {most:g} s", took.median <= most, detail
        )


def started(call: tuple[str, ...], tree: Path | None = None) -> Timing:
    """Processor time of the call and its processes, in s; the first run, which may compile modules, is not counted."""
    return Timing(tuple([_seconds(call, tree) for _ in range(RUNS + 1)][1:]))


def _seconds(call: tuple[str, ...], tree: Path | None) -> float:
    with tempfile.TemporaryDirectory() as place:
        Path(place, "mine.py").write_text(MINE, encoding="utf-8")
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        where = os.environ | {"PYTHONPATH": str(tree)} if tree else None
        subprocess.run(
            [sys.executable, "-m", "rebalance_proofs", *call], check=True, capture_output=True, cwd=place, env=where
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


if __name__ == "__main__":
    for figure in figures(*map(Path, sys.argv[1:2])):
        print(f"{figure.what}: {figure.measured}, {figure.goal} ({figure.detail})", flush=True)
