"""Text of a file that a user names, be it a pipe."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

from rebalance_proofs.recorded.pipes import PIECE, content

__all__ = ["NotGiven", "text_of"]

STDIN = Path("-")
"""Stands for standard input."""


class NotGiven(Exception):
    """There is no such text; the message is the rest of a sentence that begins with the file's name."""


def text_of(path: Path, most: int) -> str:
    """The text, of at most so many bytes. Raises ``NotGiven``, also if nobody writes into a pipe."""
    found = bytearray()
    try:
        for piece in _content(path):
            found += piece
            if len(found) > most:
                raise NotGiven(f"it is larger than {most:,} bytes")
    except OSError as error:
        raise NotGiven(error.strerror or "the system gives no reason") from None
    try:
        return found.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise NotGiven("it is not a text file") from None


def _content(path: Path) -> Iterator[bytes]:
    if path == STDIN:
        yield from iter(lambda: os.read(0, PIECE), b"")
        return
    mode = path.stat().st_mode
    if not stat.S_ISREG(mode) and not stat.S_ISFIFO(mode):
        raise NotGiven("it is a folder" if stat.S_ISDIR(mode) else "it is neither a file nor a pipe")
    yield from content(path)
