"""Early end of a run by a signal or a closed pipe, without losing results.

This module is imported first, so it imports little.
"""

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class Cause:
    """The cause of an early end of the run."""

    def __init__(self, ended: str, status: int, complaint: str = "") -> None:
        self.ended = ended
        """The cause as reports print it: "interrupted", "ended by SIGTERM"."""
        self.status = status
        """The exit status."""
        self.complaint = complaint
        """A message for standard error, in addition to any report; may be empty."""


SIGNALS = {
    signal.SIGINT: Cause("interrupted", 2),
    signal.SIGTERM: Cause("ended by SIGTERM", 128 + signal.SIGTERM),
    signal.SIGHUP: Cause("ended by SIGHUP", 128 + signal.SIGHUP),
}
"""The cause for each signal.

The user presses Ctrl-C deliberately, so the exit status is that of any incomplete run.
"""
UNREAD = Cause("ended by a closed pipe", 128 + signal.SIGPIPE)
"""The cause if the reader of the output has closed its pipe, as after ``| head -1``."""


def _raise() -> None:
    raise KeyboardInterrupt


class Ending:
    """Decides what happens when a signal arrives; ``ENDING`` is the only instance.

    Before ``keep`` and after ``release``, the run has no results to lose, and ends at once. In between, a signal
    interrupts only work inside a ``cuts`` block, and only once. All other work continues, so that the results are
    written.
    """

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Restore the state at the start of a command."""
        self.by: Cause | None = None
        """The cause that ended the run early; None if there was none."""
        self.begun = False
        """True after work has begun."""
        self._keeping = False
        self._cut: Callable[[], None] | None = None
        self._late: Cause | None = None

    @property
    def how(self) -> str:
        """The cause of the early end, as reports print it."""
        return (self.by or SIGNALS[signal.SIGINT]).ended

    def keep(self) -> None:
        """Declare that from now on the run has results to lose."""
        self.begun = self._keeping = True

    def release(self) -> None:
        """Declare that the results are written, so that the run may end at once."""
        self._keeping = False

    @contextmanager
    def cuts(self, cut: Callable[[], None] = _raise) -> Iterator[None]:
        """Context manager for work that a signal interrupts by calling ``cut``.

        By default ``cut`` raises ``KeyboardInterrupt``. The block also raises ``KeyboardInterrupt`` if the signal
        arrived before the block began, or too late to interrupt it.
        """
        self._cut = cut
        try:
            if self._late and not self.by:
                self.by = self._late
                raise KeyboardInterrupt
            yield
        finally:
            self._cut = None
        if self.by:
            raise KeyboardInterrupt

    @contextmanager
    def working(self) -> Iterator[None]:
        """Context manager for work with other processes: a signal interrupts it, so that the processes end, too."""
        self.keep()
        with self.cuts():
            yield

    def arrive(self, cause: Cause) -> None:
        """End the run early for this cause. Raises ``SystemExit`` if the run has no results to lose."""
        if not self._keeping:
            self.by = self.by or cause
            sys.exit(self.by.status)
        cut, self._cut = self._cut, None
        if cut and not self.by:
            self.by = cause
            cut()
        else:
            self._late = self._late or cause


ENDING = Ending()
