"""What is found, written where the user wants it; and whether it can be, told before anything is tried."""

import os
from contextlib import suppress
from pathlib import Path

from rebalance_proofs.report.errors import OutputError


def require_writable(path: Path) -> None:
    """Raises ``OutputError`` where there is no folder for the file, or nothing may be written there."""
    there = _there(path)
    if not path.parent.is_dir():
        raise OutputError(f"{str(path)!r} could not be written: there is no folder {str(path.parent)!r}")
    if not os.access(path if there else path.parent, os.W_OK):
        raise OutputError(f"{str(path)!r} could not be written: that is not permitted")


def require_folder(path: Path) -> None:
    """Raises ``OutputError`` where no such folder can be made, or nothing may be written into it."""
    there = next(one for one in (path, *path.parents) if _there(one))
    if not there.is_dir():
        raise OutputError(f"{str(path)!r} could not be written: {str(there)!r} is no folder")
    if not os.access(there, os.W_OK | os.X_OK):
        raise OutputError(f"{str(path)!r} could not be written: that is not permitted")


def require_own(path: Path, first: str) -> None:
    """A file that is there already has to begin with the very line that will be written, or to be empty.

    What is no file (a pipe, a device) has nothing to lose. Raises ``OutputError``.
    """
    if not _there(path) or not path.is_file():
        return
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise OutputError(f"{str(path)!r} is there already, and cannot be read: {error.strerror}") from None
    if text and text.split("\n")[0] != first:
        raise OutputError(f"{str(path)!r} is there already, and does not begin as this command writes it")


def make_folder(path: Path) -> None:
    """And those above it, where they are not there. Raises ``OutputError``."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"{str(path)!r} could not be written: {error.strerror or error}") from None


def write_whole(path: Path, text: str) -> None:
    """The whole of it, or no file that was not there. Raises ``OutputError``."""
    data = text.encode(errors="backslashreplace")  # names of queues may be half of a surrogate pair
    new = not _there(path)
    try:
        path.write_bytes(data)
    except OSError as error:
        if new:
            with suppress(OSError):
                path.unlink()
        raise OutputError(f"{str(path)!r} could not be written: {error.strerror or error}") from None


def _there(path: Path) -> bool:
    """Anything is. Raises ``OutputError`` where nobody may look."""
    try:
        return path.exists()
    except OSError as error:
        raise OutputError(f"{str(path)!r} could not be written: {error.strerror}") from None
