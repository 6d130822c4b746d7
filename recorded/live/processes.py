"""Processes of a run: each has its own process group, and none of them outlives the driver."""

import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from types import TracebackType

from rebalance_proofs.recorded.live import keeper, starter
from rebalance_proofs.recorded.live.error import LiveError

PYTHON = (sys.executable, "-I", "-S")
GONE = 30.0
"""Seconds to wait until the keeper process has removed everything."""


class Processes:
    """Context manager for a temporary folder and the processes that work in it.

    Both are gone at its end, also when this Python process is killed. On Linux the kernel then kills the processes. A
    separate keeper process kills what is left and removes the folder.
    """

    def __init__(self) -> None:
        self._running: dict[str, subprocess.Popen[bytes]] = {}
        # A process that is killed with its parent dies when the thread that started it ends.
        self._starter = ThreadPoolExecutor(1, thread_name_prefix="starter")

    def __enter__(self) -> "Processes":
        self._keeper = subprocess.Popen(
            [*PYTHON, str(Path(keeper.__file__).resolve())],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
        )
        assert self._keeper.stdout is not None
        said = self._keeper.stdout.readline().decode().rstrip("\n")
        if not said:
            raise LiveError("cannot create a temporary folder; check TMPDIR and the free disk space")
        self.folder = Path(said)
        """Temporary folder for everything that the processes write; removed at the end."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._starter.shutdown()  # after that, every started process is in the list
        for who in list(self._running):
            self.kill(who)
        assert self._keeper.stdin is not None
        with suppress(OSError):
            self._keeper.stdin.close()
        with suppress(subprocess.TimeoutExpired):  # it continues on its own
            self._keeper.wait(timeout=GONE)

    def start(self, who: str, command: Sequence[str], home: Path, environment: Mapping[str, str] | None = None) -> None:
        """Start a process named ``who`` in the folder ``home``, which also gets its output.

        Raises ``LiveError`` on failure.
        """
        home.mkdir(parents=True, exist_ok=True)
        self._starter.submit(self._start, who, command, home, environment).result()

    def _start(self, who: str, command: Sequence[str], home: Path, environment: Mapping[str, str] | None) -> None:
        """Start a process, in the thread that starts all processes.

        No signal can interrupt this thread before the process is registered.
        """
        with (home / "stdout").open("ab") as printed:
            self._running[who] = subprocess.Popen(
                [*PYTHON, str(Path(starter.__file__).resolve()), str(os.getpid()), *command],
                stdin=subprocess.PIPE,
                stdout=printed,
                stderr=subprocess.STDOUT,
                cwd=home,
                env={**os.environ, **(environment or {})},
                start_new_session=True,
            )
        self._tell_keeper(f"+{self._running[who].pid}")

    def tell(self, who: str, line: str) -> None:
        """Write a line to a process's standard input. Raises ``LiveError`` if the process has ended."""
        pipe = self._running[who].stdin
        assert pipe is not None
        try:
            pipe.write(f"{line}\n".encode())
            pipe.flush()
        except OSError:
            raise LiveError(f"cannot send {line!r} to {who}, whose process has ended") from None

    def signal(self, who: str, number: signal.Signals) -> None:
        """Send a signal to a process."""
        with suppress(ProcessLookupError):
            self._running[who].send_signal(number)

    def ended(self, who: str) -> int | None:
        """Return the exit status of a process that has ended by itself, or None."""
        return self._running[who].poll()

    def wait(self, who: str, seconds: float) -> None:
        """Wait until a process has ended. Raises ``LiveError`` on time-out."""
        try:
            self._running[who].wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            raise LiveError(f"{who} did not end within {seconds:g} s") from None
        self._over(who)

    def kill(self, who: str) -> None:
        """Kill a process and its children, even if it is stopped."""
        process = self._running[who]
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        self._over(who)

    def _over(self, who: str) -> None:
        process = self._running.pop(who)
        assert process.stdin is not None
        with suppress(OSError):
            process.stdin.close()
        self._tell_keeper(f"-{process.pid}")

    def _tell_keeper(self, line: str) -> None:
        assert self._keeper.stdin is not None
        with suppress(OSError):
            self._keeper.stdin.write(f"{line}\n".encode())
            self._keeper.stdin.flush()

    def runs(self, who: str) -> bool:
        """Return True if the process was started and has not ended."""
        return who in self._running and self._running[who].poll() is None
