"""Early end of a run: causes, and what happens to results so far. Imported first, so it loads next to nothing."""

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class Cause:
    """Cause of an early end."""

    def __init__(self, ended: str, status: int, complaint: str = "") -> None:
        self.ended = ended
        """Words for reports: "interrupted", "ended by SIGTERM"."""
        self.status = status
        """The exit status."""
        self.complaint = complaint
        """Message for standard error, in addition to any report; empty if none is needed."""


SIGNALS = {
    signal.SIGINT: Cause("interrupted", 2),
    signal.SIGTERM: Cause("ended by SIGTERM", 128 + signal.SIGTERM),
    signal.SIGHUP: Cause("ended by SIGHUP", 128 + signal.SIGHUP),
}
"""Causes by signal. Ctrl-C is deliberate; its status is that of any incomplete run."""
UNREAD = Cause("ended by a closed pipe", 128 + signal.SIGPIPE)
"""Nobody reads the output any more, as after ``| head -1``."""


def _raise() -> None:
    raise KeyboardInterrupt


class Ending:
    """State of the run's early end; ``ENDING`` is the only instance.

    As long as there are no results to lose, the run ends at once. Between ``keep`` and ``release`` only work within
    ``cuts`` is cut short, and only once; anything else goes on undisturbed, however many signals come, and results are
    kept.
    """

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Set the initial state of a command."""
        self.by: Cause | None = None
        """What has ended the run early; None if nothing has."""
        self.begun = False
        """Whether work has begun."""
        self._keeping = False
        self._cut: Callable[[], None] | None = None
        self._late: Cause | None = None

    @property
    def how(self) -> str:
        """Words for reports of a run that ended early."""
        return (self.by or SIGNALS[signal.SIGINT]).ended

    def keep(self) -> None:
        """Say that from now on there are results to lose."""
        self.begun = self._keeping = True

    def release(self) -> None:
        """Say that the results are safe, so that the rest may be ended at once."""
        self._keeping = False

    @contextmanager
    def cuts(self, cut: Callable[[], None] = _raise) -> Iterator[None]:
        """A block of work that ``cut`` ends, by default by raising ``KeyboardInterrupt``.

        ``KeyboardInterrupt`` is also raised if a cause arrived before the block began, or too late to cut it.
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

    def arrive(self, cause: Cause) -> None:
        """End the run for that cause: by ``SystemExit`` if there are no results to lose."""
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
