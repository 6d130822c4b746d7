"""Show long output in the user's pager (``PAGER``, by default ``less``).

This happens only if stdin and stdout are a terminal.
"""

import os
import re
import shutil
import signal
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

import click

from rebalance_proofs.cli.ending import ENDING
from rebalance_proofs.recorded.rows import printable
from rebalance_proofs.report.text.wrapping import KEPT, wrapped

LESS = "-R -F -X"
"""Options of ``less`` unless the user sets ``LESS``.

They show colors, quit at once if the text fits the screen, and leave the text on the screen.
"""
PROMPT = 1
"""Terminal rows that the shell's prompt takes after the output."""
LEAST_COLUMN = 30
"""Smallest width of a column that wraps text within itself, in characters."""


def paged(lines: Iterable[str]) -> None:
    """Print the lines. At a terminal, wrap long lines, and show long text in the pager.

    Lines are wrapped between words, and a text marked by ``whole`` is never broken. Files and pipes get each line
    unchanged.
    """
    every = [KEPT.join(map(printable, line.split(KEPT))) for line in lines]
    if not _at_terminal():
        print("\n".join(every).replace(KEPT, " "))
        return
    width, height = shutil.get_terminal_size()
    rows = [row for line in every for row in wrapped(line, width, _hang(line, width))]
    if _height(rows, width) + PROMPT <= height:
        print("\n".join(rows))
        return
    with _uninterrupted(), _less_options():
        click.echo_via_pager(f"{row}\n" for row in rows)


def _at_terminal() -> bool:
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout))


def _hang(line: str, width: int) -> int:
    """Return the indent of a wrapped line's further rows.

    It is the start of the line's last column if that is wide enough, else 2.
    """
    indent = len(line) - len(line.lstrip())
    columns = [found.end() for found in re.finditer(r"(?<=\S) {2,}(?=\S)", line)]
    return columns[-1] - indent if columns and width - columns[-1] >= LEAST_COLUMN else 2


def _height(rows: Sequence[str], width: int) -> int:
    """Return the number of terminal rows of the text. A row that is too wide counts several times."""
    return sum(max(1, -(-len(row) // max(1, width))) for row in rows)


@contextmanager
def _less_options() -> Iterator[None]:
    """Context manager that sets ``LESS`` for the pager, unless the user has set it."""
    if "LESS" in os.environ:
        yield
        return
    os.environ["LESS"] = LESS
    try:
        yield
    finally:
        del os.environ["LESS"]


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Context manager that leaves Ctrl-C to the pager.

    Otherwise the pager would remain, and share the terminal with the shell. A handler that does nothing, unlike an
    ignored signal, is not inherited by the pager.
    """
    before = signal.signal(signal.SIGINT, lambda number, frame: None)
    # From here on other signals raise SystemExit, so that click closes the pager's input and waits for the pager.
    ENDING.keep()
    ENDING.release()
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
