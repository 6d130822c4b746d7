"""Progress output: a moving line in a terminal, plain lines elsewhere."""

import os
import sys
from types import TracebackType
from typing import TYPE_CHECKING

from rebalance_proofs.recorded.text import printable

if TYPE_CHECKING:
    from rebalance_proofs.cli.moving import MovingLines

STYLES = {"bold red": "1;31", "bold green": "1;32"}
"""What a terminal is told for each style in use."""


class Reporter:
    """Context manager for output on stdout, or on stderr if stdout is for JSON."""

    def __init__(self, as_json: bool = False) -> None:
        self._out = sys.stderr if as_json else sys.stdout
        self._lines: MovingLines | None = None

    @property
    def moving(self) -> bool:
        """Whether the output is a terminal."""
        return self._out.isatty()

    def __enter__(self) -> "Reporter":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._lines:
            self._lines.stop()

    def line(self, text: str = "", style: str = "") -> None:
        """Print a line that stays; control characters in it are printed visibly."""
        text = printable(text)
        if self._lines:
            self._lines.line(text, style)
        elif style and self.moving and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb":
            print(f"\x1b[{STYLES[style]}m{text}\x1b[0m", file=self._out)
        else:
            print(text, file=self._out)

    def judged(self, text: str, *, wrong: bool) -> None:
        """Print a line about one of several things, in red if it is wrong."""
        self.line(text, "bold red" if wrong else "")

    def verdict(self, text: str, *, wrong: bool) -> None:
        """Print the line that says how all came out, in red or in green; ``wrong`` gives the exit status, too."""
        self.line(text, "bold red" if wrong else "bold green")

    def begins(self, text: str) -> None:
        """Announce work that takes a while, if no moving line shows its progress."""
        if not self.moving:
            self.line(f"{text} ...")

    def step(self, name: str, total: int) -> "Step":
        """A moving line for work with a known number of steps."""
        if self.moving and not self._lines:
            # Imported only here: most answers need no moving line, and are there before rich would be loaded.
            from rebalance_proofs.cli.moving import MovingLines

            self._lines = MovingLines(self._out)
        return Step(self._lines, name, total)


class Step:
    """Moving line of one part of the work."""

    def __init__(self, lines: "MovingLines | None", name: str, total: int) -> None:
        self._lines = lines
        self._task = lines.add(name, total) if lines else 0

    def advance(self) -> None:
        """Count one step."""
        if self._lines:
            self._lines.advance(self._task)
