"""Checks whether a worker's child survives when the worker's own process is killed."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from time import sleep

WAITED = 4.0
"""Seconds to wait for the child to end."""


def outlives(opened: str, call: str) -> bool:
    """Whether the child goes on; ``opened``: expression for a worker, ``call``: one for a call that never ends."""
    script = (
        "from pathlib import Path\n"
        "from rebalance_proofs.model.own.call import Call\n"
        "from rebalance_proofs.model.own.java.worker import JavaWorker\n"
        "from rebalance_proofs.model.own.named import named\n"
        "from rebalance_proofs.model.own.python import PythonWorker\n"
        "from rebalance_proofs.model.queues import one_broker\n"
        f"worker = {opened}.__enter__()\n"
        "print(worker._child._process.pid, flush=True)\n"
        f"worker.answers([{call}])\n"
    )
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, encoding="utf-8") as parent:
        child = int(parent.stdout.readline())
        _wait_for(lambda: _busy(child) > 0.5)  # it is in the call, and not about to read that there is none
        parent.kill()
        parent.wait()
    return not _wait_for(lambda: _busy(child) < 0)


def _wait_for(so: Callable[[], bool]) -> bool:
    for _ in range(100):
        if so():
            return True
        sleep(WAITED / 100)
    return False


def _busy(pid: int) -> float:
    """Processor time of the process in s; -1 if it does not run."""
    try:
        state, *rest = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    except OSError:
        return -1
    return -1 if state == "Z" else int(rest[10]) / os.sysconf("SC_CLK_TCK")
