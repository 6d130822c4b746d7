"""Progress output: a progress bar in a terminal, plain lines elsewhere."""

import os
import sys
from collections.abc import Callable
from time import perf_counter
from types import TracebackType
from typing import TYPE_CHECKING

from rebalance_proofs.recorded.rows import printable

if TYPE_CHECKING:
    from rebalance_proofs.cli.moving import MovingLines

# Estimate of the time that a command still needs.

ENOUGH = 0.1
"""Share of the expected cost that must be done before an estimate is printed.

The first steps are not typical.
"""
LEAST = 5.0
"""Seconds that must pass before an estimate is printed."""
SLACK = 0.25
"""Threshold for a higher printed estimate, as a part of a rounding step.

The estimate must be beyond the middle of two rounding steps by this part, so that the printed time does not alternate.
"""


class Remaining:
    """Time left in work whose steps have different expected costs.

    A cost is the time that the step took when it was measured, in seconds. This run may be slower or faster by a
    constant factor, which the estimator measures as it goes: time passed divided by the cost done.
    """

    def __init__(self, total: float, clock: Callable[[], float] = perf_counter) -> None:
        self._total, self._clock, self._start = total, clock, clock()
        self._done = 0.0
        self._minutes: int | None = None
        self.left: float | None = None
        """Estimated seconds left after the last step; None if too little is known, and at the end."""

    def advance(self, cost: float) -> None:
        """Count one step with this expected cost as done."""
        self._done += cost
        passed, rest = self._clock() - self._start, self._total - self._done
        enough = self._done >= ENOUGH * self._total and passed >= LEAST
        self.left = passed / self._done * rest if enough and rest > 0 else None
        self._minutes = None if self.left is None else self._rounded(self.left / 60)

    def _rounded(self, minutes: float) -> int:
        """Round to whole minutes, or from 10 min on to multiples of 5.

        For a small increase, the result stays the same.
        """
        unit = 5 if minutes >= 10 else 1
        found = unit * round(minutes / unit)
        before = self._minutes
        if before is not None and before < found and minutes < before + (5 if before >= 10 else 1) * (0.5 + SLACK):
            return before
        return found

    @property
    def words(self) -> str:
        """The estimate in words: ``about 4 min left``; empty without an estimate."""
        if self._minutes is None:
            return ""
        return f"about {self._minutes} min left" if self._minutes else "under 1 min left"


STYLES = {"bold red": "1;31", "bold green": "1;32"}
"""Style of a line, such as ``bold red`` -> terminal code."""


class Reporter:
    """Context manager for output on stdout, or on stderr if stdout is for JSON."""

    def __init__(self, as_json: bool = False) -> None:
        self._out = sys.stderr if as_json else sys.stdout
        self._lines: MovingLines | None = None

    @property
    def moving(self) -> bool:
        """True if the output is a terminal."""
        return self._out.isatty()

    def __enter__(self) -> "Reporter":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._lines:
            self._lines.stop()

    def line(self, text: str = "", style: str = "") -> None:
        """Print a line above any progress bar, with control characters made visible."""
        text = printable(text)
        if self._lines:
            self._lines.line(text, style)
        elif style and self.moving and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb":
            self._out.write(f"\x1b[{STYLES[style]}m{text}\x1b[0m\n")
        else:
            self._out.write(f"{text}\n")  # ``print`` would write twice

    def judged(self, text: str, *, wrong: bool) -> None:
        """Print a line about one result, in red if the result is wrong."""
        self.line(text, "bold red" if wrong else "")

    def verdict(self, text: str, *, wrong: bool) -> None:
        """Print the verdict of the whole command: red if it is wrong, otherwise green."""
        self.line(text, "bold red" if wrong else "bold green")

    def begins(self, text: str) -> None:
        """Announce work that takes a while, unless a progress bar shows it."""
        if not self.moving:
            self.line(f"{text} ...")

    def step(self, name: str, total: int, cost: float | None = None) -> "Step":
        """Return a progress bar for work with ``total`` steps.

        ``cost`` is the sum of the steps' expected costs in seconds; without it, all steps count alike.
        """
        if self.moving and not self._lines:
            # Imported only here, because most commands print no progress bar, and rich takes long to load.
            from rebalance_proofs.cli.moving import MovingLines

            self._lines = MovingLines(self._out)
        return Step(self._lines, name, total, total if cost is None else cost)


class Step:
    """Progress bar of one part of the work."""

    def __init__(self, lines: "MovingLines | None", name: str, total: int, cost: float) -> None:
        self._lines = lines
        self._task = lines.add(name, total) if lines else 0
        self._remaining = Remaining(cost)

    def advance(self, cost: float = 1.0) -> None:
        """Count one step as done; ``cost`` is its expected cost in seconds."""
        if self._lines:
            self._remaining.advance(cost)
            self._lines.advance(self._task, self._remaining.words)
