"""The Python interpreters at hand."""

import os
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

VERSIONS = ("3.11", "3.12", "3.13", "3.14")
"""The versions of Python for which the dependencies have to resolve."""
SAYS = "import sys; print('%d.%d' % sys.version_info[:2])"


def at_hand(version: str, folders: Sequence[Path] | None = None) -> Path | None:
    """An interpreter of that version that runs; None if there is none.

    Looks in the folders of PATH, and beside a folder of shims: a shim of a version that is not chosen does not run.
    """
    if folders is None:
        folders = [Path(folder) for folder in os.environ.get("PATH", "").split(os.pathsep) if folder]
    return next((path for path in _candidates(version, folders) if _runs(path, version)), None)


def _candidates(version: str, folders: Sequence[Path]) -> Iterator[Path]:
    for folder in folders:
        yield folder / f"python{version}"
        if folder.name == "shims":
            yield from sorted((folder.parent / "versions").glob(f"{version}*/bin/python{version}"))


def _runs(path: Path, version: str) -> bool:
    if not path.exists():
        return False
    try:
        called = subprocess.run([path, "-I", "-c", SAYS], capture_output=True, encoding="utf-8", timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return called.returncode == 0 and called.stdout.strip() == version
