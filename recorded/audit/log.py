"""Working state while one log's facts are processed in order."""

from dataclasses import dataclass, field

from rebalance_proofs.recorded.audit.told import Share, Span
from rebalance_proofs.recorded.logs.fact import Fact, Queue

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
