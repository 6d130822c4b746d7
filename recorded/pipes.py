"""Read files and named pipes, with a time limit for pipes that no process writes to."""

import errno
import os
from collections.abc import Iterator
from pathlib import Path
from select import POLLIN, poll
from time import monotonic

SECONDS = 10.0
"""Longest wait in seconds for a process that opens the pipe for writing."""
PIECE = 1 << 20
"""Number of bytes that are read at once."""


def content(path: Path) -> Iterator[bytes]:
    """Yield the content of a file or named pipe, piece by piece.

    Raises ``OSError``, also if no process opens a pipe for writing in time. A process that has opened the pipe can take
    any time.
    """
    file = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(file, "rb", buffering=0) as opened:
        if path.is_fifo():
            ready, until = poll(), monotonic() + SECONDS
            ready.register(file, POLLIN)
            while not ready.poll(100) and (first := opened.read(PIECE)) is not None:  # None: a process may still write
                if first:
                    yield first
                    break
                if monotonic() > until:
                    raise OSError(errno.ETIMEDOUT, f"no process has written to that pipe for {SECONDS:g} s")
        os.set_blocking(file, True)
        while piece := opened.read(PIECE):
            yield piece
