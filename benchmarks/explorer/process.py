"""A process of its own, and what it has taken."""

import os
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from time import perf_counter

__all__ = ["Ran", "run"]


@dataclass(frozen=True)
class Ran:
    """One that has ended well."""

    said: str
    wall: float
    """Seconds."""
    cpu: float
    """Seconds of processor time, the system's for it too, and that of processes that it has waited for."""
    peak: int
    """Bytes of memory at most; never less than the process has that started it, so that only much says something."""


def run(command: Sequence[str | Path], folder: Path | None = None, cores: int | None = 1, **variables: str) -> Ran:
    """On so many cores, where the system lets one choose; None for all of them. Raises ``RuntimeError``."""

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
