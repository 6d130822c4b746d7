"""A process of its own, and its costs."""

import os
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from time import perf_counter


@dataclass(frozen=True)
class Ran:
    """The output and costs of a process that has ended with status 0."""

    said: str
    wall: float
    """Elapsed seconds."""
    cpu: float
    """CPU seconds, of user and system, including those of processes that it has waited for."""
    peak: int
    """Peak memory in bytes; never below that of the starting process, so that only large figures say something."""


def run(command: Sequence[str | Path], folder: Path | None = None, cores: int | None = 1, **variables: str) -> Ran:
    """Run a command on ``cores`` cores, if the system allows; None for all. Raises ``RuntimeError`` if it fails."""

    def choose() -> None:
        if cores and hasattr(os, "sched_setaffinity"):
            os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[-cores:])

    with TemporaryFile("w+") as out, TemporaryFile("w+") as err:
        start = perf_counter()
        process = subprocess.Popen(
            command, cwd=folder, stdout=out, stderr=err, preexec_fn=choose, env=os.environ | variables
        )
        _, status, used = os.wait4(process.pid, 0)
        wall = perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        said = out.read()
        if process.returncode:
            raise RuntimeError(f"{' '.join(map(str, command))} ended with {process.returncode}: {said}{err.read()}")
    return Ran(said, wall, used.ru_utime + used.ru_stime, used.ru_maxrss * 1024)
