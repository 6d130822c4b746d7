"""The width of the terminal, and help texts that fit into it."""

import re
import shutil
from collections.abc import Iterable, Iterator

import click

from rebalance_proofs.report.wrapping import whole, wrapped

__all__ = ["Fitting", "columns"]

DEFAULT = re.compile(r"\[default: (?:\(([^()]*)\))?")
"""The beginning of a default; click puts one that is given as text in parentheses."""

RAW = "\b"
"""First line of a paragraph of a help text whose lines stay as they are, as click has it."""


def columns() -> int:
    """Return the columns of the terminal, or of ``COLUMNS``; 80 if neither is known."""
    return shutil.get_terminal_size().columns


class Help(click.HelpFormatter):
    """A formatter that lays help texts out as click does, but breaks lines only where ``wrapped`` does."""

    def __init__(self, indent_increment: int = 2, width: int | None = None, max_width: int | None = None) -> None:
        super().__init__(indent_increment, width or min(columns(), max_width or 80) - 2)

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        """Write the line on how to call the command; what follows its name is aligned, where there is room."""
        name = f"{prefix or 'Usage: '}{prog} "
        beside = self.width >= len(name) + 20
        self._write_lines(wrapped(whole(name) + args, self.width, hang=len(name) if beside else 4))

    def write_text(self, text: str) -> None:
        """Write paragraphs."""
        self._write_lines(_paragraphs(text, self.width - self.current_indent))

    def write_dl(self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        """Write names, and beside or below each of them its meaning."""
        rows = [(name, DEFAULT.sub(_default, meaning)) for name, meaning in rows]
        column = min(max(len(name) for name, _ in rows), col_max) + col_spacing
        for name, meaning in rows:
            lines = list(_paragraphs(meaning, max(10, self.width - column - self.current_indent)))
            beside = lines and len(name) <= column - col_spacing
            first = f"{name:{column}}{lines.pop(0)}" if beside else name
            self._write_lines([first, *(f"{'':{column}}{line}" for line in lines)])

    def _write_lines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.write(f"{'':{self.current_indent}}{line}".rstrip() + "\n")


class Fitting(click.Context):
    """The context of a command whose help is laid out so."""

    formatter_class = Help


def _default(found: re.Match[str]) -> str:
    """Return a default without parentheses, on the same line as the word before it."""
    return whole("[default: ") + (found[1] or "")


def _paragraphs(text: str, width: int) -> Iterator[str]:
    """The lines of paragraphs, with an empty line between any two."""
    for number, paragraph in enumerate(part for part in text.split("\n\n") if part.strip()):
        if number:
            yield ""
        first, *others = paragraph.strip("\n").splitlines()
        if first.strip() == RAW:
            yield from others
        else:
            yield from wrapped(" ".join([first, *others]), width, hang=0)
