"""An exploration by ``rebalance_proofs``, in a process of its own."""

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.explorer.process import Ran, run

__all__ = ["Explored", "in_folder", "in_memory", "lock_lite", "on_spark"]

ROOT = Path(__file__).resolve().parent.parent.parent
GB = 1 << 30


@dataclass(frozen=True)
class Explored:
    """What it came to, and took."""

    states: int
    transitions: int
    digest: str
    cpu: float
    """Seconds of processor time, without the process's start."""
    wall: float
    """Seconds, without the process's and Spark's start."""
    base: int
    """Bytes of memory that the process has after it has explored a smallest group."""
    peak: int
    ran: Ran
    """The whole process."""

    @property
    def grown(self) -> int:
        """Bytes."""
        return self.peak - self.base


def lock_lite(consumers: int, queues: int, messages: int) -> dict[str, Any]:
    """The model and its settings."""
    told = {"consumers": consumers, "queues": queues, "messages": messages}
    return {"model": "lock-lite", "settings": told}


def in_memory(asked: dict[str, Any]) -> Explored:
    """On one core; more memory than any of these groups takes."""
    return _explored(asked | {"memory": 12 * GB}, cores=1)


def in_folder(asked: dict[str, Any], memory: int) -> Explored:
    """The same on disk, with so many bytes of memory."""
    with TemporaryDirectory(prefix="rebalance-benchmark-") as place:
        return _explored(asked | {"memory": memory, "folder": place}, cores=1)


def on_spark(asked: dict[str, Any], master: str) -> Explored:
    """In a folder, on all cores."""
    with TemporaryDirectory(prefix="rebalance-benchmark-") as place:
        return _explored(asked | {"folder": place, "master": master}, cores=None)


def _explored(request: dict[str, Any], cores: int | None) -> Explored:
    command = [sys.executable, "-m", "benchmarks.explorer.child", json.dumps(request)]
    ran = run(command, ROOT, cores, SPARK_LOCAL_IP="127.0.0.1")
    return Explored(**json.loads(ran.said.splitlines()[-1]), ran=ran)
