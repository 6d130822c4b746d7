"""The command as a process of its own, in a session of its own; no test waits for it for ever."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic, sleep

SECONDS = 120.0
"""Seconds after which a process and its children are killed; the test then fails for missing output."""
MODULE = ("-m", "rebalance_proofs")
ABOUT_NODE = "transition.node.**"
"""Claims that are judged quickly, one by one, and are numerous enough to be cut short."""
STANDARD = dict.fromkeys((signal.SIGINT, signal.SIGTERM, signal.SIGHUP), signal.SIG_DFL)
"""Default signal handlers. Processes started in the background or under nohup inherit ignored signals."""


@contextmanager
def started(
    *arguments: str,
    python: Sequence[str] = MODULE,
    dispositions: dict[signal.Signals, signal.Handlers] = STANDARD,
    path: Sequence[Path] = (),
    seconds: float = SECONDS,
    **streams: int,
) -> Iterator[subprocess.Popen]:
    """The running command; ``python``: words between the interpreter and the arguments, ``path``: folder of its
    modules.
    """

    def dispose() -> None:
        for number, disposition in dispositions.items():
            signal.signal(number, disposition)

    with subprocess.Popen(
        [sys.executable, "-u", *python, *arguments],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(map(str, path))},
        encoding="utf-8",
        start_new_session=True,
        preexec_fn=dispose,
        **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | streams,
    ) as process:
        limit = threading.Timer(seconds, kill, [process.pid])
        limit.start()
        try:
            yield process
        finally:
            limit.cancel()
            kill(process.pid)


def until(process: subprocess.Popen, beginning: str) -> str:
    """Output up to and including the line with that beginning."""
    lines = []
    for line in process.stdout:
        lines.append(line)
        if line.startswith(beginning):
            return "".join(lines)
    raise AssertionError(f"no line begins with {beginning!r}: {''.join(lines)!r}; {process.stderr.read()!r}")


def left(session: int, seconds: float = 10.0) -> list[str]:
    """Command lines of the session's processes that still run after waiting for up to that many seconds."""
    end = monotonic() + seconds
    while (still := list(running(session))) and monotonic() < end:
        sleep(0.05)
    return still


def running(session: int) -> Iterator[str]:
    """Command lines of the session's processes that run now."""
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            with suppress(OSError):
                stat = (entry / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()
                if stat[0] != "Z" and int(stat[3]) == session:
                    yield (entry / "cmdline").read_text(encoding="utf-8").replace("\0", " ")


def kill(group: int) -> None:
    """Kill all processes of a group."""
    with suppress(ProcessLookupError):
        os.killpg(group, signal.SIGKILL)
