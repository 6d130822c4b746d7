"""What one log contains about one group: ownership, rebalance results, commits, events."""

from dataclasses import dataclass, field

from rebalance_proofs.recorded.logs.fact import Kind, Queue

Where = tuple[str, int]
"""Place of a log line: (file, line number)."""
Member = tuple[str, str]
"""A consumer: (client id, name of its log).

The same id in two logs counts as two consumers, unless their times show that it is one.
"""


Still = tuple[int, int, Where, int, Where]
"""A time in which a committed offset did not move: (offset, ms, line, last ms, last line)."""

NOT_ASKED = "not asked"
"""Reason of a queue that was not added because its lock request failed.

The broker denied nothing.
"""


@dataclass
class Span:
    """An interval in which a consumer owned a queue: had it in its process queue table."""

    member: Member
    queue: Queue
    begin: int
    """Start in ms; if no line shows the start, the first time at which ownership is certain."""
    end: int
    """End in ms; if no line shows it, the last time when ownership is certain or assumed."""
    begins: bool
    """True if a log line shows the start of ownership."""
    ends: bool
    """True if a log line shows the end of ownership."""
    first: Where
    last: Where
    earliest: int
    """Earliest possible start in ms; it equals ``begin`` if a line shows the start."""
    sure: int
    """Last time in ms at which the consumer certainly owned the queue."""
    committed: bool = False
    worked: int | None = None
    """Time in ms at which the queue's listener returned, if that was after the queue's removal."""
    worked_at: Where = ("", 0)
    lost: bool = False
    """True if ownership ended with the process, whose connection a broker saw closed."""
    counted: bool = True
    """True if the consumer processed the result of the listener that returned late (``worked``)."""


@dataclass(frozen=True)
class View:
    """A logged rebalance result: the sizes of both lists, and the queues that the consumer got."""

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
    """Successive commits of one queue by one consumer, without a long pause."""

    member: Member
    queue: Queue
    at: int
    until: int
    first: int
    last: int
    backs: tuple[tuple[int, int, int, Where], ...]
    """Offset rollbacks among these commits, each as (offset before, lower offset, ms, line)."""
    where: Where
    where_last: Where
    given_up: bool = False
    """True for the single commit of a queue that is being released.

    Such a commit is no evidence that its owner commits regularly.
    """
    stills: tuple[Still, ...] = ()
    """Times in which the offset did not move, as in ``Fact.stills``."""


@dataclass(frozen=True)
class Start:
    """The offset at which a consumer starts to pull a queue that it added."""

    member: Member
    queue: Queue
    at: int
    offset: int
    where: Where


@dataclass(frozen=True)
class Event:
    """A log line about the group that is no commit and not about ownership, as a denied lock."""

    kind: Kind
    member: Member
    at: int | None
    queue: Queue | None
    topic: str
    more: str
    numbers: tuple[int, ...]
    where: Where
    name: str = ""
    """Name of the known line, such as ``lock-denied``."""
    until: int | None = None
    """For several equal lines: time of the last one in ms."""
    last: Where = ("", 0)
    """For several equal lines: the last one."""


@dataclass(frozen=True)
class Unexplained:
    """A log line that the client model cannot produce after the lines before it."""

    queue: Queue | None
    """The queue that the line contradicts; None if the whole rebalance result is impossible."""
    topic: str
    at: int
    where: Where
    words: str
    fault: str
    """What would explain the line, such as a missing line."""


@dataclass(frozen=True)
class Held:
    """Result of checking one log's lines about a group against the client model."""

    lines: int = 0
    """Number of log lines that were checked."""
    widened: tuple[tuple[str, int], ...] = ()
    """Unknown states that were treated as "anything possible", each as (reason, how often)."""
    unexplained: tuple[Unexplained, ...] = ()
    why: str = ""
    """Reason why the lines could not be checked, or "" if they were."""


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
    starts: list[Start] = field(default_factory=list)
    heard: list[tuple[int, int]] = field(default_factory=list)
    """Intervals in ms in which the log has no long pause."""
    active: list[tuple[int, int]] = field(default_factory=list)
    """Parts of ``heard`` in which a consumer ran.

    A consumer runs from its first line to its last line or shutdown.
    """
    version: str = ""
    zone_known: bool = True
    days_known: bool = True
    """True if all lines have an unambiguous date with a year."""
    steady: bool = True
    """True if the clock never steps back by more than a second."""
    ends_shown: bool = True
    """True if the log has lines that end or confirm ownership.

    A log that was filtered by "add a new mq" has none.
    """
    routes: dict[str, tuple[Queue, ...]] = field(default_factory=dict)
    """Topic -> its queues in the last logged route."""
    begins: tuple[int, ...] = ()
    """Times in ms at which consumers of any group start in this log."""
    shuts: tuple[int, ...] = ()
    """Times in ms at which consumers of any group have shut down in this log."""
    refused_lists: tuple[tuple[int, str, str, int], ...] = ()
    """Requests of this log's process for a group's member list that failed: (ms, group, exception, code or -1)."""
    unnamed: int = 0
    """Number of lines that could belong to several clients that write this log."""
    undated: int = 0
    held: Held | None = None
    """Result of the check against the client model.

    It is None if the user did not request the check, or the log has no consumer's lines.
    """

    @property
    def commits_at_all(self) -> bool:
        """True if the consumers commit regularly, so that silence shows that they did not run."""
        return any(not one.given_up for one in self.commits)

    @property
    def first(self) -> int | None:
        """Time in ms of the first line with a time, or None."""
        return self.heard[0][0] if self.heard else None

    @property
    def last(self) -> int | None:
        """Time in ms of the last line with a time, or None."""
        return max(end for _, end in self.heard) if self.heard else None
