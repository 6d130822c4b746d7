"""A finding: a problem in the logs of a group."""

from dataclasses import dataclass, field
from enum import StrEnum

from rebalance_proofs.language import later
from rebalance_proofs.recorded.audit.told import Where
from rebalance_proofs.recorded.logs.fact import Queue


class What(StrEnum):
    """Kinds of findings. Values are the names that the option ``--never`` takes."""

    TWO = "two"
    NOBODY = "nobody"
    STALLED = "stalled"
    VIEWS = "views"
    UNLIKE = "unlike"
    BACK = "back"
    LISTENERS = "listeners"
    LOCKS = "locks"
    REFUSED = "refused"
    UNLISTED = "unlisted"
    CORRECTED = "corrected"
    GONE = "gone"
    UNREACHED = "unreached"
    STORM = "storm"
    IDS = "ids"
    UNREAD = "unread"
    LINES = "lines"
    MODEL = "model"

    @property
    def sentence(self) -> str:
        """Short description of this kind of finding, for reports."""
        return SENTENCES[self]


SENTENCES = {
    What.TWO: later("Two consumers owned a queue at once"),
    What.NOBODY: later("No consumer owned a queue"),
    What.STALLED: later("A queue's committed offset stood still"),
    What.VIEWS: later("Consumers disagreed"),
    What.UNLIKE: later("A share that the strategy does not assign"),
    What.BACK: later("Offset rollback"),
    What.LISTENERS: later("A listener was still running after another consumer took its queue"),
    What.LOCKS: later("Queue locks were not granted"),
    What.REFUSED: later("Pulls were refused"),
    What.UNLISTED: later("A consumer had no member list, or was not in it"),
    What.CORRECTED: later("A broker did not have the requested offset"),
    What.GONE: later("A broker lost connections of the group"),
    What.UNREACHED: later("Requests to a broker or name server failed"),
    What.STORM: later("Rebalance storm"),
    What.IDS: later("One client id, two processes"),
    What.UNREAD: later("A consumer owned queues and did not read them"),
    What.LINES: later("Other lines that indicate a cause"),
    What.MODEL: later("A log line that the client model cannot explain"),
}


class Level(StrEnum):
    """How certain a finding is: SEEN or POSSIBLE."""

    SEEN = "SEEN"
    """Log lines of both sides show it, whatever the difference of their clocks is.

    The sides are two consumers, or consumer and broker.
    """
    POSSIBLE = "POSSIBLE"
    """It may be real, but an end was not logged, a consumer was silent, or a clock is not known."""


@dataclass(frozen=True)
class Interval:
    """A queue and an interval in ms during which a finding concerns it."""

    queue: Queue | None
    at: int | None
    until: int | None

    @property
    def long(self) -> int:
        """Length of the interval in ms, or 0 if its lines have no time."""
        return (self.until or 0) - (self.at or 0) if self.at is not None else 0


@dataclass(frozen=True)
class Finding:
    """One problem, with all queues that had it at the same time."""

    what: What
    level: Level
    group: str
    topic: str
    members: tuple[str, ...]
    """Client ids, each followed by the log's name if several logs contain the same id."""
    intervals: tuple[Interval, ...]
    detail: str
    """What happened, as text for reports."""
    causes: tuple[str, ...]
    """Names of likely causes, as in ``report.symptoms``, the most likely first."""
    evidence: tuple[Where, ...]
    numbers: dict[str, int] = field(default_factory=dict)

    @property
    def at(self) -> int | None:
        """Start of the problem in ms since 1970, or None if no line has a time."""
        return min((one.at for one in self.intervals if one.at is not None), default=None)

    @property
    def until(self) -> int | None:
        """End of the problem in ms since 1970, or None if no line has a time."""
        return max((one.until for one in self.intervals if one.until is not None), default=None)

    @property
    def long(self) -> int:
        """Length in ms of the longest interval among the finding's queues."""
        return max((one.long for one in self.intervals), default=0)
