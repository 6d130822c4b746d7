"""Data that one log contains about one group: entries, results, commits, events."""

from dataclasses import dataclass, field

from rebalance_proofs.recorded.logs.fact import Kind, Queue

__all__ = ["NOT_ASKED", "Commits", "Event", "Held", "Member", "Share", "Span", "Unexplained", "View", "Where"]

Where = tuple[str, int]
"""(file, line number)."""
Member = tuple[str, str]
"""(client id, log).

The same id in two logs counts as two members, unless their times show that it is one.
"""


NOT_ASKED = "not asked"
"""Marks a queue that was not added because its lock request failed; the broker denied nothing."""


@dataclass
class Span:
    """An interval when a consumer had a queue in its process queue table."""

    member: Member
    queue: Queue
    begin: int
    """ms; without a line about the start, the first time at which the entry was observed."""
    end: int
    """ms; without a line about the end, the last time at which the entry was observed or is assumed."""
    begins: bool
    """True if a line shows the start."""
    ends: bool
    """True if a line shows the end."""
    first: Where
    last: Where
    earliest: int
    """Earliest possible start in ms; equal to ``begin`` if a line shows the start."""
    sure: int
    """Last time in ms at which the entry certainly existed."""
    committed: bool = False
    worked: int | None = None
    """Time in ms at which the queue's listener ended, if that was after the removal."""
    worked_at: Where = ("", 0)
    lost: bool = False
    """True if the entry ended with its process, whose connection a broker saw closed."""
    counted: bool = True
    """True if the result of that listener was recorded."""


@dataclass(frozen=True)
class View:
    """A logged rebalance result: the sizes that a consumer saw, and the queues that it got."""

    member: Member
    topic: str
    at: int | None
    mq_all: int
    """Size of mqAll, or -1 if the line does not contain it."""
    cid_all: int
    strategy: str
    result: tuple[Queue, ...]
    where: Where


@dataclass(frozen=True)
class Commits:
    """A run of commits of one queue by one consumer."""

    member: Member
    queue: Queue
    at: int
    until: int
    first: int
    last: int
    backs: tuple[tuple[int, int, int, Where], ...]
    """(offset before, lower offset, ms, line) of each rollback in the run."""
    where: Where
    where_last: Where
    given_up: bool = False
    """True for the single commit of a queue that is being released.

    It does not show that its owner commits regularly.
    """


@dataclass(frozen=True)
class Event:
    """Another line about the group."""

    kind: Kind
    member: Member
    at: int | None
    queue: Queue | None
    topic: str
    more: str
    numbers: tuple[int, ...]
    where: Where


@dataclass(frozen=True)
class Unexplained:
    """A log line that the client model cannot produce after the lines before it."""

    queue: Queue | None
    """None if the result as a whole is impossible."""
    topic: str
    at: int
    where: Where
    words: str
    fault: str
    """What would explain the line."""


@dataclass(frozen=True)
class Held:
    """Result of checking one log's lines about one group against the client model."""

    lines: int = 0
    """Number of checked lines."""
    widened: tuple[tuple[str, int], ...] = ()
    """(kind of unknown state that was treated as "anything possible", how often)."""
    unexplained: tuple[Unexplained, ...] = ()
    why: str = ""
    """Why the lines could not be checked, or ""."""


@dataclass
class Share:
    """Everything that one log contains about one group."""

    group: str
    log: str
    members: list[Member] = field(default_factory=list)
    spans: list[Span] = field(default_factory=list)
    views: list[View] = field(default_factory=list)
    commits: list[Commits] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    heard: list[tuple[int, int]] = field(default_factory=list)
    """Times when the log has no long pause."""
    active: list[tuple[int, int]] = field(default_factory=list)
    """Times of ``heard`` in which a consumer was running: from its first line to its last line or shutdown."""
    version: str = ""
    zone_known: bool = True
    days_known: bool = True
    """True if all lines have an unambiguous date with a year."""
    steady: bool = True
    """True if the clock never steps back by more than a second."""
    ends_shown: bool = True
    """True if the log has lines that end or confirm entries. A log filtered by "add a new mq" has none."""
    routes: dict[str, tuple[Queue, ...]] = field(default_factory=dict)
    """The last logged route of each topic."""
    unnamed: int = 0
    """Number of lines that could belong to several clients of the log."""
    undated: int = 0
    held: Held | None = None
    """Result of the model check, if it was requested and the log has consumers' lines."""

    @property
    def commits_at_all(self) -> bool:
        """True if the consumers commit regularly, so that silence is evidence."""
        return any(not one.given_up for one in self.commits)

    @property
    def first(self) -> int | None:
        """Time in ms of the first line that has one."""
        return self.heard[0][0] if self.heard else None

    @property
    def last(self) -> int | None:
        """Time in ms of the last line that has one."""
        return max(end for _, end in self.heard) if self.heard else None
