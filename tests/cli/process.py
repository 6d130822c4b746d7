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
"""After which a process is killed with all that it has started; a test then finds that it has said too little."""
MODULE = ("-m", "rebalance_proofs")
ABOUT_NODE = "transition.node.**"
"""Claims that are judged soon, one by one, and are many enough to be cut short."""
STANDARD = dict.fromkeys((signal.SIGINT, signal.SIGTERM, signal.SIGHUP), signal.SIG_DFL)
"""What a script starts in the background, or nohup, ignores some of them, as the tests may; so would the command."""


@contextmanager
def started(
    *arguments: str,
    python: Sequence[str] = MODULE,
    dispositions: dict[signal.Signals, signal.Handlers] = STANDARD,
    path: Sequence[Path] = (),
    seconds: float = SECONDS,
    **streams: int,
) -> Iterator[subprocess.Popen]:
    """The running command; ``python`` is what comes between the interpreter and the arguments, ``path`` its modules."""

    def dispose() -> None:
        for number, disposition in dispositions.items():
            signal.signal(number, disposition)

    with subprocess.Popen(
        [sys.executable, "-u", *python, *arguments],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(map(str, path))},
        text=True,
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
    """What it says up to the line that begins so."""
    lines = []
    for line in process.stdout:
        lines.append(line)
        if line.startswith(beginning):
            return "".join(lines)
    raise AssertionError(f"no line begins with {beginning!r}: {''.join(lines)!r}; {process.stderr.read()!r}")


def left(session: int, seconds: float = 10.0) -> list[str]:
    """The command lines of what still runs of a session; it is given so many seconds to come to its end."""
    end = monotonic() + seconds
    while (running := list(_running(session))) and monotonic() < end:
        sleep(0.05)
    return running


def _running(session: int) -> Iterator[str]:
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            with suppress(OSError):
                stat = (entry / "stat").read_text().rpartition(")")[2].split()
                if stat[0] != "Z" and int(stat[3]) == session:
                    yield (entry / "cmdline").read_text().replace("\0", " ")


def kill(group: int) -> None:
    """All processes of a group, at once."""
    with suppress(ProcessLookupError):
        os.killpg(group, signal.SIGKILL)
