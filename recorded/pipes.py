"""Content of files and named pipes; nobody waits for ever for somebody who writes into a pipe."""

import errno
import os
from collections.abc import Iterator
from pathlib import Path
from select import POLLIN, poll
from time import monotonic

__all__ = ["PIECE", "content"]

SECONDS = 10.0
"""How long nobody may have a pipe open to write into it."""
PIECE = 1 << 20
"""Bytes that are read at once."""


def content(path: Path) -> Iterator[bytes]:
    """The content, piece by piece. Raises ``OSError``, also if nobody opens a pipe to write into it.

    Whoever has opened it can take any time.
    """
    file = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(file, "rb", buffering=0) as opened:
        if path.is_fifo():
            ready, until = poll(), monotonic() + SECONDS
            ready.register(file, POLLIN)
            while not ready.poll(100) and (first := opened.read(PIECE)) is not None:  # None: somebody may yet write
                if first:
                    yield first
                    break
                if monotonic() > until:
                    raise OSError(errno.ETIMEDOUT, f"nobody writes into that pipe for {SECONDS:g} s")
        os.set_blocking(file, True)
        while piece := opened.read(PIECE):
            yield piece
