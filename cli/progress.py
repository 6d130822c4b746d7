"""Progress output: a moving line in a terminal, plain lines elsewhere."""

import sys
from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from rebalance_proofs.recorded.text import printable

WIDTH = 80
"""Columns if the environment says that there are none."""


class Reporter:
    """Context manager for output on stdout, or on stderr if stdout is for JSON."""

    def __init__(self, as_json: bool = False) -> None:
        self._console = Console(file=sys.stderr if as_json else sys.stdout, highlight=False, soft_wrap=True)
        self._console.width = self._console.width or WIDTH
        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("about"),
            TimeRemainingColumn(),
            TextColumn("left"),
        )
        self._progress = Progress(*columns, console=self._console, transient=True, disable=not self.moving)

    @property
    def moving(self) -> bool:
        """Whether the output is a terminal."""
        return self._console.is_terminal

    def __enter__(self) -> "Reporter":
        self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._progress.stop()

    def line(self, text: str = "", style: str = "") -> None:
        """Print a line that stays; control characters in it are printed visibly."""
        self._console.print(printable(text), style=style, markup=False)

    def begins(self, text: str) -> None:
        """Announce work that takes a while, if no moving line shows its progress."""
        if not self.moving:
            self.line(f"{text} ...")

    def step(self, name: str, total: int) -> "Step":
        """A moving line for work with a known number of steps."""
        return Step(self._progress, name, total)


class Step:
    """Moving line of one part of the work."""

    def __init__(self, progress: Progress, name: str, total: int) -> None:
        self._progress = progress
        self._task = progress.add_task(name, total=total)

    def advance(self) -> None:
        """Count one step."""
        self._progress.advance(self._task)
