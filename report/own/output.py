"""Whether what is found can be written where the user wants it, told before anything is tried."""

import os
from pathlib import Path

from rebalance_proofs.report.errors import OutputError


def require_writable(path: Path) -> None:
    """Raises ``OutputError`` where there is no folder for the file, or nothing may be written there."""
    there = path.exists()
    if not path.parent.is_dir():
        raise OutputError(f"{str(path)!r} could not be written: there is no folder {str(path.parent)!r}")
    if not os.access(path if there else path.parent, os.W_OK):
        raise OutputError(f"{str(path)!r} could not be written: that is not permitted")


def require_own(path: Path, first: str) -> None:
    """A file that is there already has to begin with the very line that will be written. Raises ``OutputError``."""
    if path.exists() and path.read_text(encoding="utf-8", errors="replace").split("\n")[0] != first:
        raise OutputError(f"{str(path)!r} is there already, and does not begin as this command writes it")
