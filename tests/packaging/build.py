"""Builds of the source distribution and of wheels, in copies of the tree."""

import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

from tests.packaging.problem import Problem

ROOT = Path(__file__).parents[2]
LEFT_OUT = shutil.ignore_patterns(
    ".git",
    ".venv",
    "runs",
    "build",
    "dist",
    "*.egg-info",
    "__pycache__",
    "*.py[cod]",
    ".*_cache",
    ".hypothesis",
    "spark-warehouse",
    "metastore_db",
    "derby.log",
)
"""What a checkout has besides the project's files; see .gitignore."""
HOOK = "import sys; sys.path.insert(0, '.ci'); import backend; print(getattr(backend, sys.argv[1])(sys.argv[2]))"
"""A hook of the build backend, called as pip calls it, with the environment's setuptools."""


def copied(tree: Path, place: Path) -> Path:
    """Copy a checkout's files, with its links, to a new folder."""
    return Path(shutil.copytree(tree, place, symlinks=True, ignore=LEFT_OUT))


def wheel(tree: Path, into: Path) -> Path:
    """Build a wheel from a tree. Raises ``Problem``."""
    return _built(tree, into, "build_wheel")


def sdist(tree: Path, into: Path) -> Path:
    """Build the source distribution from a tree. Raises ``Problem``."""
    return _built(tree, into, "build_sdist")


def unpacked(archive: Path, into: Path) -> Path:
    """Unpack a source distribution; returns its one folder. Links that lead out of it are refused."""
    with tarfile.open(archive) as packed:
        packed.extractall(into, filter="data")
    (folder,) = into.iterdir()
    return folder


def _built(tree: Path, into: Path, hook: str) -> Path:
    into.mkdir(parents=True, exist_ok=True)
    called = subprocess.run(
        [sys.executable, "-c", HOOK, hook, str(into)], cwd=tree, capture_output=True, encoding="utf-8"
    )
    if called.returncode:
        raise Problem(f"{hook} fails: {called.stderr.strip().splitlines()[-1]}")
    return into / called.stdout.splitlines()[-1]
