"""The command at a pseudo-terminal: typing, reading what is drawn, and the terminal's state afterwards."""

import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic

from tests.cli.process import STANDARD

SECONDS = 60.0
"""Seconds after which a test fails for missing output."""
UNDER_JOB_CONTROL = """
import os, signal, sys
child = os.fork()
if not child:
    os.setpgid(0, 0)
    os.execv(sys.argv[1], sys.argv[1:])
try:
    os.setpgid(child, child)
except PermissionError:
    pass
signal.signal(signal.SIGTTOU, signal.SIG_IGN)
os.tcsetpgrp(0, child)
while True:
    _, status = os.waitpid(child, os.WUNTRACED)
    if not os.WIFSTOPPED(status):
        sys.exit(os.waitstatus_to_exitcode(status) % 256)
    os.write(1, b"<stopped>")
    os.read(int(os.environ["GOES_ON"]), 1)
    os.kill(child, signal.SIGCONT)
"""
"""What a shell does: runs the command as a foreground job, and continues it after a stop when asked to."""


class Terminal:
    """A command, and the controlling end of its terminal."""

    def __init__(self, process: subprocess.Popen[bytes], ours: int, theirs: int, goes_on: int) -> None:
        self.process = process
        self._ours, self._theirs, self._goes_on = ours, theirs, goes_on
        self.before = termios.tcgetattr(theirs)
        self.drawn = ""

    def type(self, keys: str) -> None:
        """Type keys as a user."""
        os.write(self._ours, keys.encode())

    def until(self, words: str) -> str:
        """Output up to and including these words; fails if they do not come."""
        end, start = monotonic() + SECONDS, len(self.drawn)
        while words not in self.drawn[start:]:
            assert monotonic() < end, self.drawn[start:]
            if not self._read(end):
                break
        assert words in self.drawn[start:], self.drawn[start:]
        return self.drawn[start:]

    def draws(self, words: str, within: float) -> bool:
        """Whether these words are drawn within that many seconds, or were drawn before."""
        end = monotonic() + within
        while words not in self.drawn and monotonic() < end and self._read(end):
            pass
        return words in self.drawn

    def ended(self) -> int:
        """Wait for the command to end; its exit status."""
        end = monotonic() + SECONDS
        while self.process.poll() is None:
            assert monotonic() < end, self.drawn
            self._read(monotonic() + 0.05)
        while self._read(monotonic() + 0.05):
            pass
        return self.process.returncode

    def goes_on(self) -> None:
        """Continue the stopped command."""
        os.write(self._goes_on, b".")

    def resize(self, columns: int, rows: int) -> None:
        """Change the size of the terminal."""
        fcntl.ioctl(self._theirs, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    @property
    def as_before(self) -> bool:
        """Check that settings, screen and cursor are those from before the command."""
        settings = termios.tcgetattr(self._theirs) == self.before
        on, off = (self.drawn.rfind(letters) for letters in ("\x1b[?1049h", "\x1b[?1049l"))
        return settings and on <= off and self.drawn.rfind("\x1b[?25l") <= self.drawn.rfind("\x1b[?25h")

    def _read(self, end: float) -> bool:
        if not select.select([self._ours], [], [], max(0.0, end - monotonic()))[0]:
            return False
        try:
            self.drawn += os.read(self._ours, 65536).decode(errors="replace")
        except OSError:
            return False
        return True


@contextmanager
def at_terminal(
    *arguments: str, columns: int = 100, rows: int = 30, job: bool = False, term: str = "xterm", code: str = ""
) -> Iterator[Terminal]:
    """The command at a terminal; it is killed at the end.

    ``job``: whether it can be suspended; ``code``: Python code to run in its place.
    """
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    reads, writes = os.pipe()
    command = [sys.executable, *(("-c", code) if code else ("-m", "rebalance_proofs")), *arguments]
    if job:
        command = [sys.executable, "-c", UNDER_JOB_CONTROL, *command]
    settings = {key: value for key, value in os.environ.items() if key not in ("COLUMNS", "LINES")}

    def owns() -> None:
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)
        for number, handler in STANDARD.items():
            signal.signal(number, handler)

    process = subprocess.Popen(
        command,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
        preexec_fn=owns,
        pass_fds=[reads],
        env=settings | {"TERM": term, "GOES_ON": str(reads)},
        cwd=Path(__file__).parents[2],
    )
    try:
        yield Terminal(process, ours, theirs, writes)
    finally:
        process.kill()
        process.wait()
        for end in (ours, theirs, reads, writes):
            os.close(end)
