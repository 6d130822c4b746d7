"""Read the text of a file, pipe or standard input that a user names."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

from rebalance_proofs.recorded.pipes import PIECE, content

__all__ = ["NotGiven", "text_of"]

STDIN = Path("-")
"""The path that stands for standard input."""


class NotGiven(Exception):
    """The file has no readable text.

    The message continues a sentence that begins with the file's name: "it is not a text file".
    """


def text_of(path: Path, most: int) -> str:
    """Return the file's text. Raises ``NotGiven``, also for over ``most`` bytes or a silent pipe."""
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
