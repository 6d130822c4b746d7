"""What is known of a log while it is gone through."""

from dataclasses import dataclass, field

from rebalance_proofs.recorded.audit.told import Share, Span
from rebalance_proofs.recorded.logs.fact import Fact, Queue

__all__ = ["RECENT", "SAME_REBALANCE", "Entry", "Log", "Placed"]

SAME_REBALANCE = 30_000
"""ms within which the lines of one rebalance stand."""
RECENT = 16
"""Entries of one queue in one log that are looked at: the last ones that ended."""

Placed = tuple[Fact, str]
"""A fact, and the name of its file."""
Entry = tuple[str, str, Queue]
"""The group, the client and the queue of an entry of a client's table."""


@dataclass
class Log:
    """What is known while a log is gone through."""

    name: str
    heard: list[tuple[int, int]]
    shares: dict[str, Share] = field(default_factory=dict)
    open: dict[Entry, Span] = field(default_factory=dict)
    closed: dict[Queue, list[Span]] = field(default_factory=dict)
    clients: dict[str, list[str]] = field(default_factory=dict)
    adds: set[str] = field(default_factory=set)
    """Groups of which lines say that a queue was added."""
    denied: dict[tuple[str, Queue], int] = field(default_factory=dict)
    lock_broke: dict[Queue, int] = field(default_factory=dict)
    """Time at which a request for each queue's lock failed."""
    committed: dict[tuple[str, str], int] = field(default_factory=dict)
    """Time of each client's last commit."""
    seen: dict[tuple[str, str], int] = field(default_factory=dict)
    """Time of each client's last line."""
    group_of: dict[int, str] = field(default_factory=dict)
    """Group of each entry that has ended."""
    began: dict[str, int] = field(default_factory=dict)
    """Time of each group's first line of a member."""
    topics: dict[str, set[str]] = field(default_factory=dict)
    """Topics that lines name together with each group."""
    shut: dict[str, int] = field(default_factory=dict)
    """Time at which a group's consumer was shut down, if none of its members' lines follows."""

    results: dict[tuple[Queue, ...], tuple[Queue, ...]] = field(default_factory=dict)
    """One object for all equal results."""

    def share(self, group: str) -> Share:
        """What the log says of a group."""
        if group not in self.shares:
            self.shares[group] = Share(group, self.name, heard=self.heard)
        return self.shares[group]
