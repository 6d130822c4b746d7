"""Console blocks of pages: a command behind ``$``, then what it prints.

``python -m tests.docs.shown PAGE...`` runs the commands again and writes their output into the pages.

A block is fenced as ``console``. A command can end in pipes to ``head -n N``, ``tail -n N`` or ``grep PATTERN``. A last
line ``...`` stands for the rest of the output. Commands run in the repository's folder. Those about ``mine.py`` run in
an empty folder, where that file is the page's Python block.
"""

import contextlib
import io
import re
import shlex
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from unittest import mock

from rebalance_proofs.cli.main import main as rebalance

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"(?<=```console\n)(.*?)(?=```$)", re.DOTALL | re.MULTILINE)
PYTHON = re.compile(r"(?<=```python\n)(.*?)(?=```$)", re.DOTALL | re.MULTILINE)
COMMAND = re.compile(r"^\$ (rebalance .*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)
CUT = "...\n"
FILTERS: dict[str, Callable[[list[str], str], list[str]]] = {
    "head": lambda lines, count: lines[: int(count)],
    "tail": lambda lines, count: lines[-int(count) :],
    "grep": lambda lines, pattern: [line for line in lines if re.search(pattern, line)],
}


def printed(typed: str, page: str) -> str:
    """Return what a command that a page shows prints. Raises ``ValueError`` for a pipe to another program."""
    command, *pipes = (shlex.split(part) for part in typed.split("|"))
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
        if program not in FILTERS or len(words) != (1 if program == "grep" else 2):
            raise ValueError(f"a page pipes {typed!r} into {program}")
        lines = FILTERS[program](lines, words[-1])
    return "".join(f"{line}\n" for line in lines)


def shown(page: str) -> list[tuple[str, str]]:
    """Return each command of a page with the output that the page shows; commands without output are left out."""
    return [pair for block in BLOCK.findall(page) for pair in COMMAND.findall(block) if pair[1].strip()]


def agrees(page_output: str, real: str) -> bool:
    """Return whether the output of a page is the real one, or begins it and ends in ``...``."""
    lines = page_output.splitlines(keepends=True)
    return real.startswith("".join(lines[:-1])) if lines[-1:] == [CUT] else real == page_output


def renewed(page: str) -> str:
    """Return the page with the output that its commands print now; an output that is cut stays as long as it was."""

    def output(pair: re.Match[str]) -> str:
        typed, old = pair.groups()
        if not old.strip():
            return pair[0]
        new = printed(typed, page)
        if old.splitlines(keepends=True)[-1] == CUT:
            new = "".join(new.splitlines(keepends=True)[: len(old.splitlines()) - 1]) + CUT
        return f"$ {typed}\n{new}"

    return BLOCK.sub(lambda block: COMMAND.sub(output, block[0]), page)


if __name__ == "__main__":
    for path in map(Path, sys.argv[1:]):
        path.write_text(renewed(path.read_text(encoding="utf-8")), encoding="utf-8")
