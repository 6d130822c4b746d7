"""Progress bars at the bottom of a terminal, below the printed lines."""

from typing import TextIO

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

WIDTH = 80
"""Number of columns if the environment says that the terminal has none."""


class MovingLines:
    """Progress bars of the work in progress, each with elapsed time and estimated time left."""

    def __init__(self, out: TextIO) -> None:
        self._console = Console(file=out, highlight=False, emoji=False, soft_wrap=True)
        self._console.width = self._console.width or WIDTH
        columns = (
            TextColumn("{task.description}"),
            BarColumn(None),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("{task.fields[left]}"),
        )
        self._progress = Progress(*columns, console=self._console, transient=True, expand=True)
        self._progress.start()

    def line(self, text: str, style: str) -> None:
        """Print a line that stays, above the progress bars."""
        self._console.print(text, style=style, markup=False)

    def add(self, name: str, total: int) -> int:
        """Add a progress bar with ``total`` steps, and return its number."""
        return self._progress.add_task(name, total=total, left="")

    def advance(self, number: int, left: str) -> None:
        """Count one step of a bar; ``left`` is the estimate of the time left, in words."""
        self._progress.update(self._progress.task_ids[number], advance=1, left=left)

    def stop(self) -> None:
        """Remove the progress bars."""
        self._progress.stop()
