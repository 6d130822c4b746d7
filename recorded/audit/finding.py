"""A finding: something in the logs of a group that should not be."""

from dataclasses import dataclass, field
from enum import StrEnum

from rebalance_proofs.recorded.audit.told import Where
from rebalance_proofs.recorded.logs.fact import Queue

__all__ = ["Finding", "Interval", "Level", "What"]


class What(StrEnum):
    """Kinds of findings, by the names that ``--never`` takes."""

    TWO = "two"
    NOBODY = "nobody"
    VIEWS = "views"
    UNLIKE = "unlike"
    BACK = "back"
    LISTENERS = "listeners"
    LOCKS = "locks"
    REFUSED = "refused"
    STORM = "storm"
    IDS = "ids"
    UNREAD = "unread"
    MODEL = "model"

    @property
    def sentence(self) -> str:
        """What it is."""
        return SENTENCES[self]


SENTENCES = {
    What.TWO: "Two members had a queue at once",
    What.NOBODY: "Nobody had a queue",
    What.VIEWS: "Members disagreed",
    What.UNLIKE: "A share that the strategy does not give",
    What.BACK: "A committed offset went back",
    What.LISTENERS: "A listener ran on after its queue had another owner",
    What.LOCKS: "Locks were not granted",
    What.REFUSED: "Pulls were refused",
    What.STORM: "Many rebalances in a short time",
    What.IDS: "One client id, two processes",
    What.UNREAD: "A member had queues and did not read",
    What.MODEL: "A line that no behaviour of the model's clients gives",
}


class Level(StrEnum):
    """How sure a finding is."""

    SEEN = "SEEN"
    """By lines on both sides, and beyond what the clocks leave open."""
    POSSIBLE = "POSSIBLE"
    """An end of it is open, a member was silent, or its clock is not known."""


@dataclass(frozen=True)
class Interval:
    """A queue, from when to when."""

    queue: Queue | None
    at: int | None
    until: int | None

    @property
    def long(self) -> int:
        """In ms."""
        return (self.until or 0) - (self.at or 0) if self.at is not None else 0


@dataclass(frozen=True)
class Finding:
    """One finding, with all queues of which the same is so at the same time."""

    what: What
    level: Level
    group: str
    topic: str
    members: tuple[str, ...]
    """Client ids; a second log with the same id is named beside it."""
    intervals: tuple[Interval, ...]
    detail: str
    """What is seen, in words."""
    causes: tuple[str, ...]
    """Causes of ``report.symptoms`` by name that fit, the likeliest first."""
    evidence: tuple[Where, ...]
    numbers: dict[str, int] = field(default_factory=dict)

    @property
    def at(self) -> int | None:
        """When it begins."""
        return min((one.at for one in self.intervals if one.at is not None), default=None)

    @property
    def until(self) -> int | None:
        """When it ends."""
        return max((one.until for one in self.intervals if one.until is not None), default=None)

    @property
    def long(self) -> int:
        """ms of its longest interval."""
        return max((one.long for one in self.intervals), default=0)
