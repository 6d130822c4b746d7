"""Working state while one log's facts are processed in order."""

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, field

from rebalance_proofs.recorded.audit.told import Share, Span
from rebalance_proofs.recorded.logs.fact import Fact, Kind, Queue

# Sets of times, as sorted disjoint intervals.

Times = list[tuple[int, int]]
"""Sorted disjoint intervals in ms."""


def intersection(one: Iterable[tuple[int, int]], other: Iterable[tuple[int, int]]) -> Times:
    """Return the times that are in both of two sets."""
    found: Times = []
    left, right = list(one), list(other)
    first = second = 0
    while first < len(left) and second < len(right):
        begin = max(left[first][0], right[second][0])
        end = min(left[first][1], right[second][1])
        if begin <= end:
            found.append((begin, end))
        if left[first][1] < right[second][1]:
            first += 1
        else:
            second += 1
    return found


def clipped(times: Times, at: int, until: int) -> Times:
    """Return the part of a set between the times ``at`` and ``until``.

    It uses binary search, because sets can be very large.
    """
    place = bisect_right(times, at, key=lambda one: one[1] - 1) if times else 0
    found: Times = []
    while place < len(times) and times[place][0] <= until:
        begin, end = max(times[place][0], at), min(times[place][1], until)
        if begin <= end:
            found.append((begin, end))
        place += 1
    return found


def union(every: Iterable[tuple[int, int]]) -> Times:
    """Return the times that are in at least one of the given intervals."""
    found: Times = []
    for begin, end in sorted(every):
        if found and begin <= found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], end))
        else:
            found.append((begin, end))
    return found


# Sets of kinds of log lines: which process writes them, and whether the audit stores them.

TABLE = (Kind.COMMITTED, Kind.RESULT, Kind.ADDED, Kind.REMOVED, Kind.ILLEGAL)
REFUSALS = (Kind.DENIED, Kind.NOT_ADDED, Kind.NO_IDS, Kind.NOT_LISTED)
OWN = (
    *TABLE,
    *REFUSALS,
    Kind.BEGAN,
    Kind.SHUT,
    Kind.FORGOT,
    Kind.NOTIFIED,
    Kind.GAVE_LOCK,
    Kind.LOCKED,
    Kind.LOCK_FAILED,
    Kind.REFUSED,
    Kind.PAUSED,
    Kind.NOT_PULLED,
    Kind.CONSUMES,
)
"""Kinds of lines that only a consumer's own log contains."""
NAMING = (Kind.COMMITTED, Kind.RESULT, Kind.NOT_LISTED, Kind.GAVE_LOCK)
"""Kinds of lines that always name the client."""
BROKERS = (
    Kind.SUBSCRIPTION,
    Kind.WENT_BACK,
    Kind.RESET,
    Kind.CONNECTED,
    Kind.GONE,
    Kind.LOCKED_BY_OTHER,
    Kind.LOCK_RAN_OUT,
    Kind.REFUSES,
    Kind.IDS_DIFFER,
)
"""Kinds of lines that a broker logs; they may name no client."""
NAMELESS = (Kind.SAID, Kind.NO_IDS, Kind.NOT_LISTED, Kind.REFUSED, Kind.THREW)
"""Kinds of lines that are reported even if they name no group."""
EVENTS = (
    *BROKERS,
    *REFUSALS,
    Kind.LOCK_FAILED,
    Kind.LOCKED,
    Kind.CONSUMES,
    Kind.ILLEGAL,
    Kind.NOT_PULLED,
    Kind.SAID,
    Kind.NOTIFIED,
    Kind.REFUSED,
    Kind.THREW,
    Kind.PAUSED,
    Kind.BEGAN,
    Kind.SHUT,
)
"""Kinds of lines that are stored as events, besides ownership intervals and commits."""


SAME_REBALANCE = 30_000
"""Longest time in ms between two lines of one rebalance."""
RECENT = 16
"""How many of a queue's last ended ownership intervals in a log are considered."""

Placed = tuple[Fact, str]
"""A parsed line (fact), and the name of its file."""
Entry = tuple[str, str, Queue]
"""Key of an ownership interval: group, client id and queue."""


@dataclass
class Log:
    """Working state while one log's facts are processed."""

    name: str
    heard: list[tuple[int, int]]
    shares: dict[str, Share] = field(default_factory=dict)
    open: dict[Entry, Span] = field(default_factory=dict)
    closed: dict[Queue, list[Span]] = field(default_factory=dict)
    clients: dict[str, list[str]] = field(default_factory=dict)
    adds: set[str] = field(default_factory=set)
    """Names of groups with at least one line about an added queue."""
    denied: dict[tuple[str, Queue], int] = field(default_factory=dict)
    lock_broke: dict[Queue, int] = field(default_factory=dict)
    """Queue -> time in ms of its last failed lock request."""
    committed: dict[tuple[str, str], int] = field(default_factory=dict)
    """(group, client) -> time in ms of the client's last commit."""
    seen: dict[tuple[str, str], int] = field(default_factory=dict)
    """(group, client) -> time in ms of the client's last line."""
    created: dict[str, int] = field(default_factory=dict)
    """Client -> time in ms at which its last instance was created."""
    over: set[tuple[str, str]] = field(default_factory=set)
    """(group, client) of consumers that shut down, if no line that names the client follows."""
    group_of: dict[int, str] = field(default_factory=dict)
    """``id`` of an ended ownership interval -> its group."""
    began: dict[str, int] = field(default_factory=dict)
    """Group -> time in ms of its first line by a consumer."""
    topics: dict[str, set[str]] = field(default_factory=dict)
    """Group -> topics that lines name together with it."""
    groups: set[str] = field(default_factory=set)
    """All groups that any line names."""
    shut: dict[str, int] = field(default_factory=dict)
    """Group -> time in ms of its shutdown, if no line by its consumers follows."""

    results: dict[tuple[Queue, ...], tuple[Queue, ...]] = field(default_factory=dict)
    """Rebalance results; equal results share one object, to save memory."""

    def share(self, group: str) -> Share:
        """Return the log's content about a group; it is empty at first."""
        if group not in self.shares:
            self.shares[group] = Share(group, self.name, heard=self.heard)
        return self.shares[group]
