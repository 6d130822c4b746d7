"""Working state while one log's facts are processed in order."""

from dataclasses import dataclass, field

from rebalance_proofs.recorded.audit.told import Share, Span
from rebalance_proofs.recorded.logs.fact import Fact, Queue

__all__ = ["RECENT", "SAME_REBALANCE", "Entry", "Log", "Placed"]

SAME_REBALANCE = 30_000
"""Longest time in ms between two lines of one rebalance."""
RECENT = 16
"""How many of a queue's most recently ended entries in a log are considered."""

Placed = tuple[Fact, str]
"""A fact, and the name of its file."""
Entry = tuple[str, str, Queue]
"""The group, client id and queue of an entry in a client's process queue table."""


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
    """Groups with at least one line about an added queue."""
    denied: dict[tuple[str, Queue], int] = field(default_factory=dict)
    lock_broke: dict[Queue, int] = field(default_factory=dict)
    """Time of each queue's last failed lock request, in ms."""
    committed: dict[tuple[str, str], int] = field(default_factory=dict)
    """Time of each client's last commit, by (group, client)."""
    seen: dict[tuple[str, str], int] = field(default_factory=dict)
    """Time of each client's last line, by (group, client)."""
    group_of: dict[int, str] = field(default_factory=dict)
    """Group of each ended entry, by ``id`` of the entry."""
    began: dict[str, int] = field(default_factory=dict)
    """Time of each group's first line by a consumer."""
    topics: dict[str, set[str]] = field(default_factory=dict)
    """Topics that lines name together with each group."""
    shut: dict[str, int] = field(default_factory=dict)
    """Time of a group's shutdown, if no line by its consumers follows."""

    results: dict[tuple[Queue, ...], tuple[Queue, ...]] = field(default_factory=dict)
    """One shared object for equal results, to save memory."""

    def share(self, group: str) -> Share:
        """Return the share of a group, and create it if necessary."""
        if group not in self.shares:
            self.shares[group] = Share(group, self.name, heard=self.heard)
        return self.shares[group]
