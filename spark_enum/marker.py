"""A file that says whose a folder is, and whose lock keeps a second process out while one is writing there."""

import errno
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

__all__ = ["Busy", "held", "line"]

BUSY = (errno.EACCES, errno.EAGAIN)
NO_LOCKS = (errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP, errno.EINVAL)


class Busy(Exception):
    """Another process holds it; the text says which, as far as that is known."""


def line(path: Path) -> str | None:
    """The marker's first line, empty when the run that made it died at once; None when there is no marker.

    Not to be called while this process holds the lock: POSIX gives a lock back when any descriptor is closed.
    """
    if path.is_symlink() or not path.is_file():
        return None
    return path.read_text(encoding="utf-8", errors="replace").partition("\n")[0]


@contextmanager
def held(path: Path, says: str) -> Iterator[None]:
    """Writes the marker, with ``says`` as its first line, and locks it until the end of the block.

    The lock is POSIX's: the kernel gives it back when the process ends, however it ends, and worker processes that
    outlive it do not inherit it. The number of the process stands in the marker only for the sentence that the second
    one says. On network file systems it holds between machines where the mount passes locks on (NFS does, unless it is
    mounted with ``nolock`` or ``local_lock``). Where the file system or the operating system has no such locks, runs
    are not kept apart. Nor are two runs in one process.

    Raises ``Busy`` when another process holds it, ``OSError`` when the marker cannot be written.
    """
    # not through a link, which would write the line into the file behind it
    marker = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o666)
    try:
        _lock(marker)
        _write(marker, f"{says}\nProcess {os.getpid()} is writing here.\n")
        try:
            yield
        finally:
            with suppress(OSError):  # what was done is worth more than a number that nobody asks for any more
                _write(marker, f"{says}\n")
    finally:
        os.close(marker)


def _lock(marker: int) -> None:
    try:
        import fcntl
    except ImportError:  # Windows, which has no such locks
        return
    try:
        fcntl.lockf(marker, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in BUSY:
            number = re.search(rb"^Process (\d+) ", os.read(marker, 4096), re.MULTILINE)
            raise Busy(f"another run (process {number[1].decode()})" if number else "another run") from error
        if error.errno not in NO_LOCKS:
            raise


def _write(marker: int, text: str) -> None:
    """Over what is there, so that a reader finds the first line at any time."""
    data = text.encode()
    os.lseek(marker, 0, os.SEEK_SET)
    os.write(marker, data)
    os.ftruncate(marker, len(data))
