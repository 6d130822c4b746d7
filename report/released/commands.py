"""The commands of this package that measure a release: record a scenario, judge it, compare classes."""

import json
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rebalance_proofs.recorded.groups.run import FOLDER
from rebalance_proofs.report.released.results import Compared, Performed

FIELDS = ("strategies", "steps")
"""What ``rebalance conform --java`` compares, by the names in its JSON and in the results."""

ISOLATED = ("unshare", "--map-root-user", "--net", "sh", "-c", 'ip link set lo up && exec "$@"', "sh")
"""Start of a command that runs in a network namespace of its own, with a loopback interface."""


class Failed(Exception):
    """Raised if a command has no answer; the text is the command's own sentence."""


def isolates() -> bool:
    """Return True if this user may create network namespaces."""
    if not (shutil.which("unshare") and shutil.which("ip")):
        return False
    return subprocess.run([*ISOLATED, "true"], capture_output=True, check=False).returncode == 0


class Commands:
    """Runs ``rebalance`` in child processes, from several threads, and ends them on request."""

    def __init__(self) -> None:
        self._running: set[subprocess.Popen[str]] = set()
        self._lock = threading.Lock()
        self._over = False

    def answer(self, *words: str, isolated: bool = False, tolerate: Sequence[int] = (0, 1)) -> dict[str, Any]:
        """Run ``rebalance WORDS --json``, and return its answer. Raises ``Failed``."""
        before = ISOLATED if isolated else ()
        with self._lock:
            if self._over:
                raise Failed("interrupted")
            process = subprocess.Popen(
                [*before, sys.executable, "-m", "rebalance_proofs", *words, "--json"],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                encoding="utf-8",
                errors="replace",
                env={**os.environ, "NO_COLOR": "1"},
                start_new_session=True,  # Ctrl-C reaches this process alone, which ends them in order
            )
            self._running.add(process)
        try:
            printed, complained = process.communicate()
        finally:
            with self._lock:
                self._running.discard(process)
        if process.returncode not in tolerate:
            said = [line for line in complained.splitlines() if line.strip()]
            raise Failed(said[-1].strip() if said else f"status {process.returncode}")
        try:
            found = json.loads(printed)
        except ValueError:
            raise Failed("the answer is not JSON") from None
        assert isinstance(found, dict)
        return found

    def end(self) -> None:
        """End all running commands, and refuse new ones."""
        with self._lock:
            self._over = True
            for process in self._running:
                process.terminate()


def classes(commands: Commands, folder: Path, release: str) -> dict[str, Compared]:
    """Compare the strategies and single rebalance steps of a release's jars with the model. Raises ``Failed``.

    The result has a field of ``Released`` for each: ``strategies`` and ``steps``.
    """
    found = commands.answer("conform", "--java", "--classpath", f"{folder}/*", "--client", release)
    return {field: _all(found[field]) for field in FIELDS}


def _all(every: Sequence[Mapping[str, Any]]) -> Compared:
    wrong = [each for each in every if each["smallest"]]
    return Compared(
        calls=sum(each["calls"] for each in every),
        differ=sum(each["differ"] for each in every),
        reason="; ".join(f"{each['name']}: {_difference(each['smallest'])}" for each in wrong[:1]),
    )


def _difference(found: Mapping[str, Any]) -> str:
    call, inputs = found.get("call"), found.get("case", "")
    if call:
        sizes = f"{len(call['mq_all'])} queues, {len(call['cid_all'])} consumers"
        inputs = f"currentCID {call['current_cid']!r}, {sizes}"
    both = f"the client {found['client']}, the model {found['model']}"
    return f"{inputs}, {both}" if inputs else both


def judged(commands: Commands, folder: Path, servers: str) -> Performed:
    """Judge a recorded scenario by the trace checker and by the report of problems. Raises ``Failed``."""
    trace = commands.answer("conform", "--cluster", str(folder), "--jobs", "1")["traces"][0]
    run = commands.answer("record", "--read", str(folder))["runs"][0]
    release = folder.parent.name
    return Performed(
        name=folder.name,
        servers=servers,
        steps=trace["events"],
        accepted=trace["accepted"],
        unexplained=run["unexplained"],
        reason="; ".join(reasons(trace, run)),
        shipped=f"{release}/{folder.name}" if (FOLDER / release / folder.name).is_dir() else "",
    )


def reasons(trace: Mapping[str, Any], run: Mapping[str, Any]) -> list[str]:
    """Return each machine's first rejected event, and the first unexplained problem of each kind."""
    found = []
    for machine in trace["machines"]:
        for first in machine["rejected"][:1]:
            found.append(f"{machine['machine']}: {first['why']}")
    seen = [one for one in run["seen"] if not (one["cause"] or one["not_rocketmq"])]
    for kind in dict.fromkeys(one["kind"] for one in seen):
        first = next(one for one in seen if one["kind"] == kind)
        found.append(f"{kind}: {first['words']}" + (f"; not {first['rejected']}" if first["rejected"] else ""))
    return found
