"""Copies of the source tree, with and without a fault, and commands run in them."""

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from tests.faults.fault import Change

ROOT = Path(__file__).parent.parent.parent
PARTS = ("model", "proofs", "recorded", "spark_enum", "report", "cli", "evidence")
SECONDS = 300


@dataclass(frozen=True)
class Ran:
    """How a command ended."""

    status: int
    said: str
    """Both streams."""


def copied(source: Path, place: Path) -> Path:
    """The tree without its tests, below a place, in a folder of the package's name.

    Compiled files come along, so that a command need not compile everything again.
    """
    tree = place / "rebalance_proofs"
    shutil.copytree(source / "rebalance_proofs", tree)
    for part in PARTS:
        shutil.copytree(source / part, tree / part)
    return tree


def changed(tree: Path, change: Change) -> None:
    """Makes the change; raises ``AssertionError`` where the text to be replaced is not there exactly once."""
    path = tree / change.file
    source = path.read_text(encoding="utf-8")
    count = source.count(change.old)
    assert count == 1, f"{change.file} has {count} times what the fault replaces: {change.old!r}"
    assert change.new != change.old
    path.write_text(source.replace(change.old, change.new), encoding="utf-8")
    for compiled in path.parent.glob(f"__pycache__/{path.stem}.*"):
        compiled.unlink()


def ran(tree: Path, command: str) -> Ran:
    """``rebalance`` and the command, from the source in that tree."""
    called = subprocess.run(
        [sys.executable, "-m", "rebalance_proofs", *command.split()],
        cwd=tree,
        env=os.environ | {"PYTHONPATH": str(tree.parent)},
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )
    return Ran(called.returncode, called.stdout + called.stderr)
