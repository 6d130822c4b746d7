"""Copies of the source tree, with and without a fault, and commands run in them."""

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from tests.faults.anchors import ROOT, located, replaced
from tests.faults.fault import Change

SECONDS = 300


@dataclass(frozen=True)
class Ran:
    """Result of a command."""

    status: int
    said: str
    """Output of both streams."""


def copied(source: Path, place: Path) -> Path:
    """A copy of the tree without its tests, with folders in place of links, in a folder of the package's name.

    Compiled files are copied too, so that commands need not compile everything again.
    """
    return Path(shutil.copytree(source / "rebalance_proofs", place / "rebalance_proofs"))


def changed(tree: Path, change: Change) -> None:
    """Make the change; raises ``AssertionError`` unless the code is in exactly one place."""
    assert change.new != change.old
    file = located(change.symbol, change.old).file
    source = (tree / file).read_text(encoding="utf-8")
    rewrite(tree / file, replaced(source, change.symbol, file, change.old, change.new).encode())


def rewrite(path: Path, content: bytes) -> bytes:
    """Give a file of Python this content, and leave no compiled one of another; returns what it was."""
    before = path.read_bytes()
    path.write_bytes(content)
    for compiled in path.parent.glob(f"__pycache__/{path.stem}.*"):
        compiled.unlink()
    return before


def _bring_tests(place: Path) -> None:
    """Copy the tests beside the package, so that they test no other one."""
    if not (place / "tests").exists():
        shutil.copytree(ROOT / "tests", place / "tests", ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(ROOT / "pyproject.toml", place)


def ran(tree: Path, command: str) -> Ran:
    """Run ``rebalance`` with the command, or ``pytest`` with a test, on the source in that tree."""
    module, *words = command.split() if command.startswith("pytest ") else ("rebalance_proofs", *command.split())
    if module == "pytest":
        words = ["-q", "--tb=no", "-p", "no:cacheprovider", "-m", "slow or not slow", *words]
        _bring_tests(tree.parent)
    called = subprocess.run(
        [sys.executable, "-m", module, *words],
        cwd=tree.parent if module == "pytest" else tree,
        env=os.environ | {"PYTHONPATH": str(tree.parent)},
        capture_output=True,
        encoding="utf-8",
        timeout=SECONDS,
    )
    return Ran(called.returncode, called.stdout + called.stderr)
