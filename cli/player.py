"""Step through screens at a terminal with the keyboard.

The terminal is always restored afterwards.
"""

import os
import select
import shutil
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from io import DEFAULT_BUFFER_SIZE
from types import FrameType
from typing import Any

from rebalance_proofs.cli.ending import ENDING
from rebalance_proofs.recorded.rows import printable
from rebalance_proofs.report.replay.steps import Line

try:
    import termios
    import tty
except ImportError:  # pragma: no cover  # Windows lacks both modules, so steps are printed as plain text there
    termios = tty = None  # type: ignore[assignment]  # modules on other systems

KEYS = "right, space: next   left: back   Home: first   End: last   q: quit"
NEXT, BACK, FIRST, LAST, QUIT = range(5)
MEANS = {
    **dict.fromkeys((b"\x1b[C", b"\x1bOC", b"\x1b[B", b"\x1bOB", b" ", b"\r", b"\n", b"n", b"l", b"j"), NEXT),
    **dict.fromkeys((b"\x1b[D", b"\x1bOD", b"\x1b[A", b"\x1bOA", b"\x7f", b"\x08", b"b", b"p", b"h", b"k"), BACK),
    **dict.fromkeys((b"\x1b[H", b"\x1bOH", b"\x1b[1~", b"g"), FIRST),
    **dict.fromkeys((b"\x1b[F", b"\x1bOF", b"\x1b[4~", b"G"), LAST),
    **dict.fromkeys((b"q", b"Q", b"\x1b", b"\x04"), QUIT),
}
"""Key sequence that a terminal sends -> the action of the key."""
ENTER, LEAVE, CLEAR = "\x1b[?1049h\x1b[?25l", "\x1b[?25h\x1b[?1049l", "\x1b[H\x1b[2J"
MARKED, PLAIN = "\x1b[7m", "\x1b[0m"
PAUSE = 0.05
"""Longest time between the characters of one key sequence, in s."""

Screen = Callable[[int, int], Sequence[Line]]
"""``screen(at, width)``: the lines that show step ``at`` on a terminal of ``width`` columns."""


def playable() -> bool:
    """Return True if input and output are a terminal that supports cursor movement."""
    if termios is None or os.environ.get("TERM", "dumb") in ("", "dumb"):
        return False
    with suppress(OSError, ValueError, AttributeError):
        return os.isatty(sys.stdin.fileno()) and os.isatty(sys.stdout.fileno())
    return False


def play(screen: Screen, last: int) -> None:
    """Show screens until the user quits, and restore the terminal.

    ``last`` is the index of the last step.
    """
    at, source = 0, sys.stdin.fileno()
    with _wakes() as woken, _Terminal(source):
        while True:
            _draw(screen, at)
            key = _key(source, woken)
            if key == QUIT:
                return
            if key is not None:
                at = {NEXT: min(at + 1, last), BACK: max(at - 1, 0), FIRST: 0, LAST: last}[key]


class _Terminal:
    """Context manager that reads single keys, and shows lines on the terminal's alternate screen.

    Ctrl-C, SIGTERM and SIGHUP raise ``SystemExit``. The terminal is also restored while the process is suspended.
    """

    def __init__(self, source: int) -> None:
        self._source = source
        self._before: list[Any] = []
        self._handlers: dict[int, Any] = {}

    def __enter__(self) -> None:
        # from here on signals raise, so that the terminal is restored
        ENDING.keep()
        ENDING.release()
        self._before = termios.tcgetattr(self._source)
        try:
            for number, handler in (
                (signal.SIGTSTP, self._suspended),
                (signal.SIGCONT, self._continued),
                (signal.SIGQUIT, self._quit),
            ):
                self._handlers[number] = signal.signal(number, handler)
            self._take()
        except BaseException:
            self.__exit__()
            raise

    def __exit__(self, *error: object) -> None:
        for number, handler in self._handlers.items():
            signal.signal(number, handler)
        self._give_back()

    def _take(self) -> None:
        tty.setcbreak(self._source, termios.TCSADRAIN)
        _write(ENTER)

    def _give_back(self) -> None:
        _write(f"{PLAIN}{LEAVE}")
        with suppress(termios.error):  # a closed terminal need not be restored
            termios.tcsetattr(self._source, termios.TCSADRAIN, self._before)

    def _suspended(self, number: int, frame: FrameType | None) -> None:
        self._give_back()
        signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGTSTP)
        # The process continues here. The system does not stop orphaned process groups, so they continue at once.
        signal.signal(signal.SIGTSTP, self._suspended)
        self._take()

    def _continued(self, number: int, frame: FrameType | None) -> None:
        """Set up the terminal again after a suspension.

        SIGSTOP cannot be handled, so this must not rely on work done before the suspension.
        """
        self._take()

    def _quit(self, number: int, frame: FrameType | None) -> None:
        self._give_back()
        signal.signal(signal.SIGQUIT, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGQUIT)


@contextmanager
def _wakes() -> Iterator[int]:
    """Context manager: a file descriptor that becomes readable on a resize or a continued process."""
    reads, writes = os.pipe()
    os.set_blocking(writes, False)
    before = signal.set_wakeup_fd(writes, warn_on_full_buffer=False)
    resized = signal.signal(signal.SIGWINCH, lambda number, frame: None)
    try:
        yield reads
    finally:
        signal.signal(signal.SIGWINCH, resized)
        signal.set_wakeup_fd(before)
        os.close(reads)
        os.close(writes)


def _key(source: int, woken: int) -> int | None:
    """Wait for a key, and return its action.

    None for an unknown key, or if the screen must be redrawn.
    """
    ready, _, _ = select.select([source, woken], [], [])
    if woken in ready:
        os.read(woken, DEFAULT_BUFFER_SIZE)
        return None
    letters = os.read(source, 1)
    if not letters:
        return QUIT  # the terminal was closed
    if letters == b"\x1b":
        while len(letters) < 8 and select.select([source], [], [], PAUSE)[0]:
            letters += os.read(source, 1)
            if letters != b"\x1bO" and (letters[-1:].isalpha() or letters[-1:] == b"~"):
                break
    return MEANS.get(letters)


def _draw(screen: Screen, at: int) -> None:
    width, height = shutil.get_terminal_size()
    room = max(1, height - 2)
    shown = list(screen(at, max(20, width - 1)))
    if _rows(shown, width) > room:
        while shown and _rows(shown, width) >= room:
            shown.pop()
        shown.append(Line("…"))
    drawn = [f"{MARKED}{printable(line.words)}{PLAIN}" if line.marked else printable(line.words) for line in shown]
    drawn += [""] * (room - _rows(shown, width)) + [KEYS[: width - 1]]
    _write(CLEAR + "\n".join(drawn))


def _rows(lines: Sequence[Line], width: int) -> int:
    """Return the number of terminal rows of the lines. A line that is too wide takes several rows."""
    return sum(max(1, -(-len(printable(line.words)) // width)) for line in lines)


def _write(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()
