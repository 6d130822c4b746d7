"""Write output files, and check before any work that they can be written."""

import errno
import os
from contextlib import suppress
from pathlib import Path

from rebalance_proofs.proofs.errors import UsageError

# The error for results that cannot be written.


class OutputError(UsageError):
    """Results cannot be written to the place that the user named.

    The message is one sentence for the user.
    """


def require_writable(path: Path) -> None:
    """Raise ``OutputError`` if the file's folder does not exist or is a file, or if the file is not writable."""
    there = _there(path)
    if not path.parent.is_dir():
        raise OutputError(f"cannot write {str(path)!r}: {_no_folder(path.parent)}")
    if not os.access(path if there else path.parent, os.W_OK):
        raise OutputError(f"cannot write {str(path)!r}: you do not have permission")


def require_folder(path: Path, own: str) -> None:
    """Raise ``OutputError`` unless the folder can be written, and has only files that match ``own``.

    ``own``: pattern of the file names to write. Parent folders must exist.
    """
    there = path if _there(path) else path.parent
    if not there.is_dir():
        raise OutputError(f"cannot write {str(path)!r}: {_no_folder(there)}")
    if not os.access(there, os.W_OK | os.X_OK):
        raise OutputError(f"cannot write {str(path)!r}: you do not have permission")
    try:
        others = there is path and any(not one.match(own) for one in path.iterdir())
    except OSError as error:
        raise OutputError(f"cannot read the existing folder {str(path)!r}: {error.strerror}") from None
    if others:
        raise OutputError(f"{str(path)!r} contains files other than {own}; name a new or empty folder")


def require_own(path: Path, first: str) -> None:
    """Raise ``OutputError`` if the file exists, is not empty, and does not start with the line ``first``.

    Pipes and devices are accepted: they have no content to lose.
    """
    if not _there(path) or not path.is_file():
        return
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise OutputError(f"cannot read the existing file {str(path)!r}: {error.strerror}") from None
    if text and text.split("\n")[0] != first:
        raise OutputError(
            f"{str(path)!r} already exists, and this command did not write it; remove it, or name another file"
        )


def make_folder(path: Path) -> None:
    """Create the folder, unless it exists. Raises ``OutputError``."""
    try:
        path.mkdir(exist_ok=True)
    except OSError as error:
        raise OutputError(f"cannot write {str(path)!r}: {error.strerror or error}") from None


def write_whole(path: Path, text: str) -> None:
    """Write a text file; after an error, remove the file if it is new. Raises ``OutputError``."""
    data = text.encode(errors="backslashreplace")  # queue names may contain half of a surrogate pair
    new = not _there(path)
    try:
        if path.is_fifo():
            _to_reader(path, data)
        else:
            path.write_bytes(data)
    except OSError as error:
        if new:
            with suppress(OSError):
                path.unlink()
        raise OutputError(f"cannot write {str(path)!r}: {error.strerror or error}") from None


def _to_reader(pipe: Path, data: bytes) -> None:
    """Write into a pipe. Raises ``OSError``, also if no process reads it: the write would never end."""
    try:
        file = os.open(pipe, os.O_WRONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        raise OSError(
            error.errno, "no process reads that pipe" if error.errno == errno.ENXIO else error.strerror
        ) from None
    os.set_blocking(file, True)
    with os.fdopen(file, "wb") as opened:
        opened.write(data)


def _no_folder(path: Path) -> str:
    return f"{str(path)!r} is not a folder" if _there(path) else f"the folder {str(path)!r} does not exist"


def _there(path: Path) -> bool:
    """Return whether the path exists. Raises ``OutputError`` if this cannot be checked."""
    try:
        return path.exists()
    except OSError as error:
        raise OutputError(f"cannot write {str(path)!r}: {error.strerror}") from None
