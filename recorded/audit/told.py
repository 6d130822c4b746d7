"""What one log says of one group."""

from dataclasses import dataclass, field

from rebalance_proofs.recorded.logs.fact import Kind, Queue

__all__ = ["NOT_ASKED", "Commits", "Event", "Held", "Member", "Share", "Span", "Unexplained", "View", "Where"]

Where = tuple[str, int]
"""(file, number of the line)."""
Member = tuple[str, str]
"""(client id, log): one id in two logs is two members, until their times say otherwise."""


NOT_ASKED = "not asked"
"""Of an event of a queue that was not added for want of its lock: the request failed, and the broker denied nothing."""


@dataclass
class Span:
    """A member's entry of one queue, from when to when."""

    member: Member
    queue: Queue
    begin: int
    """ms; where no line says when it began, the first time at which it is seen."""
    end: int
    """ms; where no line says when it ended, the last time at which it is seen or may be supposed."""
    begins: bool
    """Whether a line says when it began."""
    ends: bool
    """Whether a line says when it ended."""
    first: Where
    last: Where
    earliest: int
    """It cannot have begun before; equal to ``begin`` where that is known."""
    sure: int
    """Last time at which it is certain."""
    committed: bool = False
    worked: int | None = None
    """Time at which its listener is seen to end, after the queue had been taken away."""
    worked_at: Where = ("", 0)
    lost: bool = False
    """Whether it ended with its process, whose connection a broker saw closed."""
    counted: bool = True
    """Whether what that listener did was counted."""


@dataclass(frozen=True)
class View:
    """A rebalance that changed a member's table."""

    member: Member
    topic: str
    at: int | None
    mq_all: int
    """-1 if it is not said."""
    cid_all: int
    strategy: str
    result: tuple[Queue, ...]
    where: Where


@dataclass(frozen=True)
class Commits:
    """A run of commits of one queue by one member."""

    member: Member
    queue: Queue
    at: int
    until: int
    first: int
    last: int
    backs: tuple[tuple[int, int, int, Where], ...]
    """(offset before, lower offset, ms, line) of each commit that is lower than the one before."""
    where: Where
    where_last: Where
    given_up: bool = False
    """Whether it is the one commit of a queue that is being given up, and no sign that its owner commits regularly."""


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
    """A line that no behaviour of the model's clients gives, after those before it."""

    queue: Queue | None
    """None for a result as a whole."""
    topic: str
    at: int
    where: Where
    words: str
    fault: str
    """What would explain it."""


@dataclass(frozen=True)
class Held:
    """What the model says of one log's lines about one group."""

    lines: int = 0
    """So many were held."""
    widened: tuple[tuple[str, int], ...] = ()
    """What was not known, and taken for anything that it can be -> how often."""
    unexplained: tuple[Unexplained, ...] = ()
    why: str = ""
    """Why they could not be held; "" if they were."""


@dataclass
class Share:
    """All that one log says of one group."""

    group: str
    log: str
    members: list[Member] = field(default_factory=list)
    spans: list[Span] = field(default_factory=list)
    views: list[View] = field(default_factory=list)
    commits: list[Commits] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    heard: list[tuple[int, int]] = field(default_factory=list)
    """Times between which the log has lines without a longer pause."""
    active: list[tuple[int, int]] = field(default_factory=list)
    """Times of ``heard`` in which a member of the group was there: from its first line to its last, or its shutdown."""
    version: str = ""
    zone_known: bool = True
    days_known: bool = True
    """Whether its lines say day and year, in one way only."""
    steady: bool = True
    """Whether its clock does not step back by more than a second."""
    ends_shown: bool = True
    """Whether it has lines by which entries end, or go on: of what was chosen by "add a new mq" there are none."""
    routes: dict[str, tuple[Queue, ...]] = field(default_factory=dict)
    """The last route of each topic."""
    unnamed: int = 0
    """Lines that could be of several clients of the log."""
    undated: int = 0
    held: Held | None = None
    """What the model says, if it was asked, and members' lines are among these."""

    @property
    def commits_at_all(self) -> bool:
        """Whether its members commit regularly, so that silence tells something."""
        return any(not one.given_up for one in self.commits)

    @property
    def first(self) -> int | None:
        """ms of the first line with a time."""
        return self.heard[0][0] if self.heard else None

    @property
    def last(self) -> int | None:
        """ms of the last line with a time."""
        return max(end for _, end in self.heard) if self.heard else None
