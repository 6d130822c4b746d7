"""Progress: a moving line on a terminal, plain lines elsewhere."""

import sys
from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from rebalance_proofs.recorded.text import printable

WIDTH = 80
"""Columns, where the environment says that there are none."""


class Reporter:
    """Says what happens, on stdout; on stderr when stdout is for JSON. A context manager."""

    def __init__(self, as_json: bool = False) -> None:
        self._console = Console(file=sys.stderr if as_json else sys.stdout, highlight=False, soft_wrap=True)
        self._console.width = self._console.width or WIDTH
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
        self._progress = Progress(*columns, console=self._console, transient=True, disable=not self.moving)

    @property
    def moving(self) -> bool:
        """Whether there is a terminal."""
        return self._console.is_terminal

    def __enter__(self) -> "Reporter":
        self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._progress.stop()

    def line(self, text: str = "", style: str = "") -> None:
        """One line that stays; what a terminal would take for a command, in a name, is shown."""
        self._console.print(printable(text), style=style, markup=False)

    def begins(self, text: str) -> None:
        """What takes a while, where no moving line shows that it goes on."""
        if not self.moving:
            self.line(f"{text} ...")

    def step(self, name: str, total: int) -> "Step":
        """A part of the work with a known number of steps."""
        return Step(self._progress, name, total)


class Step:
    """One moving line."""

    def __init__(self, progress: Progress, name: str, total: int) -> None:
        self._progress = progress
        self._task = progress.add_task(name, total=total)

    def advance(self) -> None:
        """One step is done."""
        self._progress.advance(self._task)
