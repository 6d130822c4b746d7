"""An exploration by ``rebalance_proofs``, in a process of its own."""

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.explorer.process import Ran, run

ROOT = Path(__file__).resolve().parent.parent.parent
GB = 1 << 30


@dataclass(frozen=True)
class Explored:
    """The results and costs of an exploration."""

    states: int
    transitions: int
    digest: str
    cpu: float
    """CPU seconds, without the process's start."""
    wall: float
    """Elapsed seconds, without the process's and Spark's start."""
    base: int
    """Bytes of memory of the process after it has explored a smallest group."""
    peak: int
    ran: Ran
    """The figures of the whole process."""

    @property
    def grown(self) -> int:
        """Bytes of memory beyond those after a smallest group."""
        return self.peak - self.base


def lock_lite(consumers: int, queues: int, messages: int) -> dict[str, Any]:
    """The request for ``lock-lite`` with these settings."""
    told = {"consumers": consumers, "queues": queues, "messages": messages}
    return {"model": "lock-lite", "settings": told}


def in_memory(asked: dict[str, Any]) -> Explored:
    """Explore in memory, on one core, with more memory than any of these groups takes."""
    return _explored(asked | {"memory": 12 * GB}, cores=1)


def in_folder(asked: dict[str, Any], memory: int) -> Explored:
    """Explore on disk, on one core, with ``memory`` bytes of memory."""
    with TemporaryDirectory(prefix="rebalance-benchmark-") as place:
        return _explored(asked | {"memory": memory, "folder": place}, cores=1)


def on_spark(asked: dict[str, Any], master: str) -> Explored:
    """Explore on Spark, in a folder, on all cores."""
    with TemporaryDirectory(prefix="rebalance-benchmark-") as place:
        return _explored(asked | {"folder": place, "master": master}, cores=None)


def _explored(request: dict[str, Any], cores: int | None) -> Explored:
    command = [sys.executable, "-m", "benchmarks.explorer.child", json.dumps(request)]
    ran = run(command, ROOT, cores, SPARK_LOCAL_IP="127.0.0.1")
    return Explored(**json.loads(ran.said.splitlines()[-1]), ran=ran)
