"""Text of a file that a user names, be it a pipe."""

import os
import stat
from contextlib import suppress
from pathlib import Path
from select import POLLIN, poll
from time import monotonic

__all__ = ["NotGiven", "text_of"]

STDIN = Path("-")
"""Stands for standard input."""
SECONDS = 10.0
"""How long nobody may write into a pipe."""
PIECE = 1 << 20


class NotGiven(Exception):
    """There is no such text; the message is the rest of a sentence that begins with the file's name."""


def text_of(path: Path, most: int) -> str:
    """The text, of at most so many bytes. Raises ``NotGiven``; does not wait for ever for somebody who writes."""
    try:
        content = _content(path, most)
    except OSError as error:
        raise NotGiven(error.strerror or "it cannot be read") from None
    if len(content) > most:
        raise NotGiven(f"it is larger than {most:,} bytes")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise NotGiven("it is no text") from None


def _content(path: Path, most: int) -> bytes:
    if path == STDIN:
        return _read(os.dup(0), most, waits=False)
    file = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    mode = os.fstat(file).st_mode
    if stat.S_ISREG(mode):
        with os.fdopen(file, "rb") as opened:
            return opened.read(most + 1)
    if not stat.S_ISFIFO(mode):
        os.close(file)
        raise NotGiven("it is a folder" if stat.S_ISDIR(mode) else "it is neither a file nor a pipe")
    return _read(file, most, waits=True)


def _read(file: int, most: int, *, waits: bool) -> bytes:
    """What comes until its end; if it ``waits`` for somebody who writes, only so long as something comes."""
    found = bytearray()
    ready = poll()
    ready.register(file, POLLIN)
    try:
        until = monotonic() + SECONDS
        while len(found) <= most:
            if not ready.poll(1000 if waits else None):
                if monotonic() > until:
                    raise NotGiven(f"nothing was written into it for {SECONDS:g} s")
                continue
            with suppress(BlockingIOError):
                more = os.read(file, PIECE)
                if not more:
                    break
                found += more
                until = monotonic() + SECONDS
    finally:
        os.close(file)
    return bytes(found)
