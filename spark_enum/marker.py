"""A marker file that says which program owns a folder.

While a process writes to the folder, it locks the file, so that no other process does.
"""

import errno
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

BUSY = (errno.EACCES, errno.EAGAIN)
NO_LOCKS = (errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP, errno.EINVAL)


class Busy(Exception):
    """Another process holds the lock. The message names the process, if known."""


def line(path: Path) -> str | None:
    """Return the first line of the marker file; None if there is no such file.

    The line is empty if the run that made the marker died immediately. Must not be called while this process holds the
    lock: POSIX releases a lock when any descriptor of the file is closed.
    """
    if path.is_symlink() or not path.is_file():
        return None
    return path.read_text(encoding="utf-8", errors="replace").partition("\n")[0]


@contextmanager
def held(path: Path, says: str) -> Iterator[None]:
    """Write the marker with ``says`` as its first line, and lock it until the end of the block.

    The lock is a POSIX lock: the kernel releases it when the process ends in any way, and surviving worker processes do
    not inherit it. The process id in the marker is only for the error message of a second process. On network file
    systems, the lock holds between machines if the mount forwards locks (NFS does, unless it is mounted with ``nolock``
    or ``local_lock``). Without such locks in the file system or the operating system, concurrent runs are not excluded.
    Two runs in one process are not excluded either.

    Raises ``Busy`` if another process holds the lock, ``OSError`` if the marker cannot be written.
    """
    # No symbolic links: the line would be written into the link's target.
    marker = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o666)
    try:
        _lock(marker)
        _write(marker, f"{says}\nProcess {os.getpid()} is writing here.\n")
        try:
            yield
        finally:
            with suppress(OSError):  # The finished work matters more than an outdated process id.
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
    """Overwrite the text in place, so that a reader finds the first line at any time."""
    data = text.encode()
    os.lseek(marker, 0, os.SEEK_SET)
    os.write(marker, data)
    os.ftruncate(marker, len(data))
