"""Wrappers of standard output and error; failed writing ends the run without a stack trace."""

import errno
import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from typing import Any, TextIO

from rebalance_proofs.cli.ending import ENDING, UNREAD, Cause


class Closed:
    """Replacement for a standard output that was closed at the start (``>&-``).

    ``nowhere``: a stream to the null device, which occupies the file descriptor meanwhile.
    """

    def __init__(self, nowhere: TextIO) -> None:
        self._nowhere = nowhere
        self._refused = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self._nowhere, name)

    def write(self, text: str) -> int:
        """Raise ``OSError`` on the first call. Later output is discarded."""
        if self._refused:
            return len(text)
        self._refused = True
        raise OSError(errno.EBADF, "it is closed")


class Guarded:
    """A text stream whose first failure ends the run; later output is discarded.

    Characters that the encoding lacks are escaped, such as ``\\u2026``.
    """

    def __init__(self, stream: TextIO | Closed, name: str) -> None:
        self._stream = stream
        self._name = name

    def __getattr__(self, name: str) -> Any:
        if name == "buffer":  # click would write to it, past this class, if the encoding is ASCII
            raise AttributeError(name)
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        """Write a text. A failure ends the run."""
        encoding = getattr(self._stream, "encoding", None) or "utf-8"
        try:
            self._stream.write(text.encode(encoding, "backslashreplace").decode(encoding))
        except OSError as error:
            self._fail(error)
        return len(text)

    def flush(self) -> None:
        """Flush the stream. A failure ends the run."""
        try:
            self._stream.flush()
        except OSError as error:
            self._fail(error)

    def _fail(self, error: OSError) -> None:
        # buffered text would fail again, at the latest when the interpreter exits
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, self._stream.fileno())
        os.close(nowhere)
        if threading.current_thread() is threading.main_thread():  # other threads only redraw a moving line
            ENDING.arrive(self._cause(error))

    def _cause(self, error: OSError) -> Cause:
        if isinstance(error, BrokenPipeError):
            return UNREAD
        complaint = f"cannot write to {self._name}: {error.strerror}"
        return Cause(f"ended because writing to {self._name} failed ({error.strerror})", 2, complaint)


@contextmanager
def guarded() -> Iterator[None]:
    """Context manager that replaces both standard streams by guarded streams.

    A closed standard output fails like a full disk. Without standard error, error messages are discarded.
    """
    with open(os.devnull, "w", encoding="utf-8") as nowhere:
        out = Guarded(sys.stdout or Closed(nowhere), "standard output")
        err = Guarded(sys.stderr or nowhere, "standard error")
        with redirect_stdout(out), redirect_stderr(err):
            yield
