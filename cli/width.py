"""Terminal width, and help texts that fit into it."""

import re
import shutil
from collections.abc import Iterable, Iterator

import click

from rebalance_proofs.language import gettext
from rebalance_proofs.report.text.wrapping import cells_of, padded, whole, wrapped

DEFAULT = re.compile(r"\[default: (?:\(([^()]*)\))?")
"""Pattern of a default value in a help text; click puts some of them in parentheses."""

RAW = "\b"
"""First line of a help paragraph whose lines are not wrapped. click uses the same mark."""


def columns() -> int:
    """Return the width of the terminal in characters, or ``COLUMNS`` if set; 80 if both are unknown."""
    return shutil.get_terminal_size().columns


class Help(click.HelpFormatter):
    """A formatter for help texts with click's layout, but with the line breaks of ``wrapped``."""

    def __init__(self, indent_increment: int = 2, width: int | None = None, max_width: int | None = None) -> None:
        super().__init__(indent_increment, width or min(columns(), max_width or 80) - 2)

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        """Write the usage line. The arguments are aligned after the command's name if there is room."""
        name = f"{prefix or 'Usage: '}{prog} "
        beside = self.width >= len(name) + 20
        self._write_lines(wrapped(whole(name) + args, self.width, hang=len(name) if beside else 4))

    def write_heading(self, heading: str) -> None:
        """Write a heading."""
        self.write(f"{'':{self.current_indent}}" + gettext("{heading}:").format(heading=heading) + "\n")

    def write_text(self, text: str) -> None:
        """Write paragraphs."""
        self._write_lines(_paragraphs(text, self.width - self.current_indent))

    def write_dl(self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        """Write a list of options or commands, each with its meaning beside it or below it."""
        rows = [(name, DEFAULT.sub(_default, meaning)) for name, meaning in rows]
        column = min(max(cells_of(name) for name, _ in rows), col_max) + col_spacing
        for name, meaning in rows:
            lines = list(_paragraphs(meaning, max(10, self.width - column - self.current_indent)))
            beside = lines and cells_of(name) <= column - col_spacing
            first = f"{padded(name, column)}{lines.pop(0)}" if beside else name
            self._write_lines([first, *(f"{'':{column}}{line}" for line in lines)])

    def _write_lines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.write(f"{'':{self.current_indent}}{line}".rstrip() + "\n")


class Fitting(click.Context):
    """A click context that formats help texts with ``Help``."""

    formatter_class = Help


def _default(found: re.Match[str]) -> str:
    """Return the begin of a default value without parentheses, on the line of the word before it."""
    return whole("[default: ") + (found[1] or "")


def _paragraphs(text: str, width: int) -> Iterator[str]:
    """Yield the wrapped lines of all paragraphs, with an empty line between two paragraphs."""
    for number, paragraph in enumerate(part for part in text.split("\n\n") if part.strip()):
        if number:
            yield ""
        first, *others = paragraph.strip("\n").splitlines()
        if first.strip() == RAW:
            yield from others
        else:
            yield from wrapped(" ".join([first, *others]), width, hang=0)
