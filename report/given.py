"""Read the text of a file, pipe or standard input that a user names."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

from rebalance_proofs.language import gettext, later
from rebalance_proofs.recorded.pipes import PIECE, content

STDIN = Path("-")
"""The path that stands for standard input."""
NO_REASON = later("the system gives no reason")
REASONS = (later("No such file or directory"), later("Permission denied"))
"""The most frequent reasons that systems give."""


class NotGiven(Exception):
    """The file has no readable text.

    The message continues a sentence that begins with the file's name: "it is not a text file".
    """


def text_of(path: Path, most: int) -> str:
    """Return the file's text. Raises ``NotGiven``, also for over ``most`` bytes or a silent pipe."""
    try:
        return bytes_of(path, most).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise NotGiven(gettext("it is not a text file")) from None


def bytes_of(path: Path, most: int) -> bytes:
    """Return the file's content. Raises ``NotGiven``, also for over ``most`` bytes or a silent pipe."""
    found = bytearray()
    try:
        for piece in _content(path):
            found += piece
            if len(found) > most:
                raise NotGiven(gettext("it is larger than {most} bytes").format(most=f"{most:,}"))
    except OSError as error:
        raise NotGiven(gettext(error.strerror or NO_REASON)) from None
    return bytes(found)


def _content(path: Path) -> Iterator[bytes]:
    if path == STDIN:
        yield from iter(lambda: os.read(0, PIECE), b"")
        return
    mode = path.stat().st_mode
    if not stat.S_ISREG(mode) and not stat.S_ISFIFO(mode):
        raise NotGiven(gettext("it is a folder") if stat.S_ISDIR(mode) else gettext("it is neither a file nor a pipe"))
    yield from content(path)
