"""What ends a run before its end, and what is then done about what stands. Loads next to nothing: it comes first."""

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class Cause:
    """Why a run ends early."""

    def __init__(self, ended: str, status: int, complaint: str = "") -> None:
        self.ended = ended
        """For reports: "interrupted", "ended by SIGTERM"."""
        self.status = status
        """The exit status."""
        self.complaint = complaint
        """For standard error, whatever a report says; empty when the report is enough, or nobody wants to know."""


SIGNALS = {
    signal.SIGINT: Cause("interrupted", 2),
    signal.SIGTERM: Cause("ended by SIGTERM", 128 + signal.SIGTERM),
    signal.SIGHUP: Cause("ended by SIGHUP", 128 + signal.SIGHUP),
}
"""Ctrl-C is how a user says that it is enough; its status is that of any run that has not come to its end."""
UNREAD = Cause("ended by a closed pipe", 128 + signal.SIGPIPE)
"""Nobody reads on, as after ``| head -1``."""


def _raise() -> None:
    raise KeyboardInterrupt


class Ending:
    """Whether and how the run is ended early. There is one, ``ENDING``.

    While there is nothing to lose, it is ended at once. Between ``keep`` and ``release`` only what stands within
    ``cuts`` is cut short, once: all else keeps the results, and is not disturbed, however often anybody asks.
    """

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """As at the start of a command."""
        self.by: Cause | None = None
        """What has ended the run early."""
        self.begun = False
        """Whether the work has."""
        self._keeping = False
        self._cut: Callable[[], None] | None = None
        self._late: Cause | None = None

    @property
    def how(self) -> str:
        """For reports of runs that have ended early."""
        return (self.by or SIGNALS[signal.SIGINT]).ended

    def keep(self) -> None:
        """From here on there are results to lose."""
        self.begun = self._keeping = True

    def release(self) -> None:
        """The results are safe; what is left may be ended at once."""
        self._keeping = False

    @contextmanager
    def cuts(self, cut: Callable[[], None] = _raise) -> Iterator[None]:
        """Work that ``cut`` ends; it raises ``KeyboardInterrupt`` unless told otherwise.

        That is raised, too, when the run was to be ended before the work has begun, or too late to cut it.
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
        """Ends the run because of ``cause``: by ``SystemExit`` when there is nothing to lose."""
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
