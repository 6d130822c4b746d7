"""Moving lines in a terminal, below the lines that stay."""

from typing import TextIO

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

WIDTH = 80
"""Columns if the environment says that there are none."""


class MovingLines:
    """The lines of work that is under way; they move from now on."""

    def __init__(self, out: TextIO) -> None:
        self._console = Console(file=out, highlight=False, emoji=False, soft_wrap=True)
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
        self._progress = Progress(*columns, console=self._console, transient=True)
        self._progress.start()

    def line(self, text: str, style: str) -> None:
        """Print a line that stays."""
        self._console.print(text, style=style, markup=False)

    def add(self, name: str, total: int) -> int:
        """One more moving line; its number."""
        return self._progress.add_task(name, total=total)

    def advance(self, number: int) -> None:
        """Count one step of it."""
        self._progress.advance(self._progress.task_ids[number])

    def stop(self) -> None:
        """Remove the moving lines."""
        self._progress.stop()
