"""Processor time of a command that answers at once, from the start of its process to its end.

``python -m benchmarks.starting [TREE]`` prints the rows; TREE is another checkout whose command is measured in its
place, for what it took before.
"""

import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.timing import Timing

ANSWERS = 0.3
"""Seconds that an answer may take that needs no solver."""
CALLS = {
    ("--version",): ANSWERS,
    ("--help",): ANSWERS,
    ("why", "twice", "--client", "5.2", "--mode", "push", "--for", "2m"): ANSWERS,
    ("moves", "--queues", "16", "--consumers", "4", "--event", "join"): ANSWERS,
    ("settle", "--client", "5.2", "--event", "crash"): ANSWERS,
    ("list",): ANSWERS,
    ("list", "--client", "5.2", "--strategy", "avg"): ANSWERS,
    ("check", "--help"): 1.0,
    ("check", "mine.py:allocate", "--queues", "4", "--consumers", "4"): 1.0,
    ("show", "--help"): 1.0,
    ("show", "allocation.avg.disjoint"): 1.0,
}
"""Call -> the most seconds of processor time that it should take."""
MINE = "def allocate(group, me, queues, ids):\n    return queues[ids.index(me)::len(ids)]\n"
RUNS = 7


def rows(tree: Path | None = None) -> Iterator[str]:
    """One row of docs/reference/benchmarks.md for each call."""
    for call, most in CALLS.items():
        yield f"| `rebalance {' '.join(call)}`, processor time | at most {most:g} s | {started(call, tree)} |"


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
    for row in rows(*map(Path, sys.argv[1:2])):
        print(row, flush=True)
