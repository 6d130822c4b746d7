"""Whether a worker's child goes on when the worker's own process is killed."""

import subprocess
import sys
from pathlib import Path
from time import sleep

WAITED = 4.0
"""Seconds for it to end."""


def outlives(opened: str, call: str) -> bool:
    """``opened`` is an expression for a worker, ``call`` one for a call that does not return."""
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
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True) as parent:
        child = int(parent.stdout.readline())
        assert _runs(child)
        parent.kill()
        parent.wait()
    for _ in range(100):
        if not _runs(child):
            return False
        sleep(WAITED / 100)
    return True


def _runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
