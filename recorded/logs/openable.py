"""Refuse paths that are no files of lines, and copy pipes within limits of disk and time."""

import os
import shutil
import stat
import tempfile
from collections.abc import Iterable
from pathlib import Path

from rebalance_proofs.recorded.logs.error import NotThere
from rebalance_proofs.recorded.logs.pieces import wide

KINDS = {
    stat.S_ISCHR: "a device",
    stat.S_ISBLK: "a device",
    stat.S_ISSOCK: "a socket",
    stat.S_ISFIFO: "a named pipe",
}
"""Test of a path's mode -> what the path is, if it is no regular file."""
FREE = 1 << 30
"""Number of bytes that a copy of a pipe leaves free on the disk."""
ZEROS = 256 << 20
"""Number of zero bytes at the beginning of a pipe after which it is refused."""
WITHOUT = 1 << 30
"""Number of bytes of a pipe that are read without any of ``WORDS``; then it is refused."""
WORDS = (b"ueue", b"roup", b"ebalance", b"ffset", b"lient", b"onsume")
"""Parts of words, at least one of which is in nearly every line about a consumer group."""
CONTROLS = bytes({*range(1, 32)} - {*b"\b\t\n\v\f\r\x1b"})
"""Control characters that text does not contain."""
LOOKED_AT = 64 * 1024


def kind_of(mode: int) -> str:
    """Return what a path is that is no regular file and no folder, such as "a device"; else ""."""
    return next((kind for test, kind in KINDS.items() if test(mode)), "")


def is_binary(first: bytes) -> bool:
    """Return True if a file that begins with these bytes is not text."""
    if not first or wide(first):
        return False
    controls = len(first) - len(first.translate(None, CONTROLS))
    return controls * 20 > len(first) or first.count(b"\0") * 20 > len(first)


def kernel_file(path: Path) -> bool:
    """Return True for a file of size 0 that has content, as files in /proc have. It can be endless, or block."""
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        return bool(os.read(handle, 1))
    except OSError:  # it blocks, or has to be read otherwise
        return True
    finally:
        os.close(handle)


def copied(name: str, found: Iterable[bytes], spool: Path) -> Path:
    """Copy a pipe to a file in the folder ``spool``, and return the file.

    Raises ``NotThere`` if the pipe is not text, has no line about a consumer group in its first GiB, or does not fit on
    the disk.
    """
    handle, made = tempfile.mkstemp(dir=spool)
    total, zeros, looked, worded = 0, 0, False, False
    with os.fdopen(handle, "wb") as copy:
        for piece in found:
            if not looked and not piece.strip(b"\0"):
                zeros += len(piece)
                if zeros > ZEROS:
                    raise NotThere(f"cannot read {name!r}: it is not text")
            elif not looked:
                looked = True
                if is_binary(piece.lstrip(b"\0")[:LOOKED_AT]):
                    raise NotThere(f"cannot read {name!r}: it is not text")
            worded = worded or any(word in piece for word in WORDS)
            total += len(piece)
            if not worded and total > WITHOUT:
                raise NotThere(f"cannot read {name!r}: its first GiB has no line about a consumer group")
            if shutil.disk_usage(spool).free < FREE:
                raise NotThere(f"cannot read {name!r}: its copy in {spool.parent} leaves less than 1 GiB of disk free")
            copy.write(piece)
    return Path(made)
