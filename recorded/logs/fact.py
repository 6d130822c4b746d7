"""The fact in a line of a log, or in a run of lines about the same thing."""

from enum import StrEnum
from typing import NamedTuple

__all__ = ["FIRST_PULL", "REMOVES_SILENTLY", "Fact", "Kind", "Queue"]

Queue = tuple[str, str, int]
"""(topic, broker, queue number)."""


FIRST_PULL = "first pull"
"""Marks an ADDED fact from the line about an entry's first pull, which follows the line about the entry."""
REMOVES_SILENTLY = "removes silently"
"""Marks an ADDED fact of a client that does not log removals."""


class Kind(StrEnum):
    """Kinds of facts: a client's own lines first, then the broker's."""

    HEARD = "heard"
    """A run of dated lines of any kind without a long pause: the process was running."""
    COMMITTED = "committed"
    """A run of commits of one queue: the client owned the queue."""
    ADDED = "added"
    REMOVED = "removed"
    RESULT = "result"
    """A rebalance that changed the table: sizes of its lists, and its result."""
    DENIED = "denied"
    """A queue was not added because its lock was denied."""
    NOT_ADDED = "not added"
    """A queue was not added because it had no start offset."""
    LOCK_FAILED = "lock failed"
    """The broker did not grant or renew a lock."""
    LOCK_BROKE = "lock broke"
    """A lock request failed, so the following "queue not added" is not a denied lock."""
    NOT_PULLED = "not pulled"
    NOT_LISTED = "not listed"
    """The client's own id was not in cidAll."""
    CREATED = "created"
    BEGAN = "began"
    SHUT = "shut"
    NOTIFIED = "notified"
    ROUTE = "route"
    REFUSED = "refused"
    """A pull was refused."""
    NO_IDS = "no ids"
    THREW = "threw"
    BROKE = "broke"
    """An exception ended a rebalance, perhaps after it had changed the table."""
    LOCKED = "locked"
    """The broker granted a lock, according to the client's log."""
    GAVE_LOCK = "gave lock"
    ENDED = "ended"
    """The loop of an ordered listener found its entry dropped; the listener ran until then."""
    UNCOUNTED = "uncounted"
    """A concurrent listener returned after its queue had been removed."""
    PAUSED = "paused"
    ILLEGAL = "illegal"
    WENT_BACK = "went back"
    RESET = "reset"
    CONNECTED = "connected"
    GONE = "gone"
    """The broker removed a client: it unregistered, its connection was closed, or its heartbeats stopped."""
    LOCKED_BY_OTHER = "locked by other"
    LOCK_RAN_OUT = "lock ran out"
    GOT_LOCK = "got lock"
    LOCK_BACK = "lock back"
    REFUSES = "refuses"
    SUBSCRIPTION = "subscription"
    IDS_DIFFER = "ids differ"


class Fact(NamedTuple):
    """One fact; texts are empty if the line does not contain them."""

    kind: Kind
    line: int
    """Line number in the file, from 1; of a run, the first one."""
    at: int | None
    """Time in ms since 1970, by the file's clock and zone; None without a date."""
    group: str = ""
    client: str = ""
    queue: Queue | None = None
    topic: str = ""
    more: str = ""
    """Further content by kind: a strategy, a reason, a version, a second client."""
    until: int | None = None
    """Time of the last line of a run, in ms."""
    last_line: int = 0
    numbers: tuple[int, ...] = ()
    """Numbers by kind.

    Commits: first and last offset, then (offset, lower offset, ms, line) for each rollback. Result: mqAllSize,
    cidAllSize, rebalanceResultSize. Rollback at the broker: requested and stored offset.
    """
    queues: tuple[Queue, ...] = ()
    """Result of a rebalance, or the queues of a route."""
