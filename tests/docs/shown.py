"""Console blocks of pages: a command behind ``$``, then what it prints.

``python -m tests.docs.shown PAGE...`` runs the commands again and writes their output into the pages.

A block is fenced as ``console``. A command can end in pipes to ``head -n N``, ``tail -n N``, ``grep PATTERN``,
``grep -E PATTERN`` or ``grep -A N PATTERN``. A last line ``...`` stands for the rest of the output. Commands run in the
repository's folder. Those about ``mine.py`` run in an empty folder; that file is the last Python block before them.
"""

import contextlib
import io
import itertools
import re
import shlex
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from unittest import mock

from rebalance_proofs.cli.main import main as rebalance

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"(?<=```console\n)(.*?)(?=```$)", re.DOTALL | re.MULTILINE)
PYTHON = re.compile(r"(?<=```python\n)(.*?)(?=```$)", re.DOTALL | re.MULTILINE)
COMMAND = re.compile(r"^\$ (rebalance .*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)
CUT = "...\n"


def _grep(lines: list[str], *words: str) -> list[str]:
    *options, pattern = words
    after = int(options.pop()) if options[:1] == ["-A"] else 0
    if options not in ([], ["-E"], ["-A"]):
        raise ValueError(f"a page calls grep with {options}")
    found = {place for place, line in enumerate(lines) if re.search(pattern, line)}
    return [line for place, line in enumerate(lines) if found & {*range(place - after, place + 1)}]


FILTERS: dict[str, Callable[..., list[str]]] = {
    "head": lambda lines, _, count: lines[: int(count)],
    "tail": lambda lines, _, count: lines[-int(count) :],
    "grep": _grep,
}


def _parts(typed: str) -> list[list[str]]:
    """The words of a command, and those of each program behind a pipe."""
    words = shlex.shlex(typed, posix=True, punctuation_chars="|")
    words.whitespace_split, words.commenters = True, ""
    return [[*part] for pipe, part in itertools.groupby(words, "|".__eq__) if not pipe]


def printed(typed: str, page: str) -> str:
    """Return what a command prints that a page shows; ``page``: at least its text before the command.

    Raises ``ValueError`` for a pipe to another program.
    """
    command, *pipes = _parts(typed)
    out = io.StringIO()
    with tempfile.TemporaryDirectory() as empty:
        if "mine.py" in typed:
            (Path(empty) / "mine.py").write_text(PYTHON.findall(page)[-1], encoding="utf-8")
        with (
            mock.patch.dict("os.environ", COLUMNS="80"),
            contextlib.redirect_stdout(out),
            contextlib.suppress(SystemExit),
            contextlib.chdir(empty if "mine.py" in typed else ROOT),
        ):
            rebalance(command[1:])
    lines = out.getvalue().splitlines()
    for program, *words in pipes:
        if program not in FILTERS:
            raise ValueError(f"a page pipes {typed!r} into {program}")
        lines = FILTERS[program](lines, *words)
    return "".join(f"{line}\n" for line in lines)


def each_shown(page: str) -> Iterator[tuple[str, str, str]]:
    """Yield each command that is shown with output: the command, the output, and the page's text before its block."""
    for block in BLOCK.finditer(page):
        yield from ((typed, text, page[: block.start()]) for typed, text in shown(f"```console\n{block[0]}```"))


def shown(page: str) -> list[tuple[str, str]]:
    """Return each command of a page with the output that the page shows; commands without output are left out."""
    return [pair for block in BLOCK.findall(page) for pair in COMMAND.findall(block) if pair[1].strip()]


def agrees(page_output: str, real: str) -> bool:
    """Return whether the output of a page is the real one, or begins it and ends in ``...``."""
    lines = page_output.splitlines(keepends=True)
    return real.startswith("".join(lines[:-1])) if lines[-1:] == [CUT] else real == page_output


def renewed(page: str) -> str:
    """Return the page with the output that its commands print now; an output that is cut stays as long as it was."""

    def output(pair: re.Match[str], before: str) -> str:
        typed, old = pair.groups()
        if not old.strip():
            return pair[0]
        new = printed(typed, before)
        if old.splitlines(keepends=True)[-1] == CUT:
            new = "".join(new.splitlines(keepends=True)[: len(old.splitlines()) - 1]) + CUT
        return f"$ {typed}\n{new}"

    def commands(block: re.Match[str]) -> str:
        return COMMAND.sub(lambda pair: output(pair, page[: block.start()]), block[0])

    return BLOCK.sub(commands, page)


if __name__ == "__main__":
    for path in map(Path, sys.argv[1:]):
        path.write_text(renewed(path.read_text(encoding="utf-8")), encoding="utf-8")
