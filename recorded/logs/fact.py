"""What one line of a log tells, or a run of lines that say the same."""

from enum import StrEnum
from typing import NamedTuple

__all__ = ["FIRST_PULL", "REMOVES_SILENTLY", "Fact", "Kind", "Queue"]

Queue = tuple[str, str, int]
"""(topic, broker, number)."""


FIRST_PULL = "first pull"
"""Of ADDED: the line on the first pull of an entry, which follows the one on the entry."""
REMOVES_SILENTLY = "removes silently"
"""Of ADDED: logged by a client that logs no removals."""


class Kind(StrEnum):
    """Kinds of facts. A client's own lines first, then the broker's."""

    HEARD = "heard"
    """A run of dated lines of any kind, without a longer pause: the process ran."""
    COMMITTED = "committed"
    """A run of commits of one queue: the client had it."""
    ADDED = "added"
    REMOVED = "removed"
    RESULT = "result"
    """A rebalance that changed the table: sizes of its view, and its result."""
    DENIED = "denied"
    """A queue was not added, because its lock was denied."""
    NOT_ADDED = "not added"
    """A queue was not added, because it had no start offset."""
    LOCK_FAILED = "lock failed"
    """The broker did not give or renew a lock."""
    LOCK_BROKE = "lock broke"
    """A request for locks failed: what follows was not denied."""
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
    """The broker gave a lock, by the client's log."""
    GAVE_LOCK = "gave lock"
    ENDED = "ended"
    """The loop of an ordered listener found the entry dropped: until then it ran."""
    UNCOUNTED = "uncounted"
    """A concurrent listener returned after its queue had been taken away."""
    PAUSED = "paused"
    ILLEGAL = "illegal"
    WENT_BACK = "went back"
    RESET = "reset"
    CONNECTED = "connected"
    GONE = "gone"
    """The broker removed a client: it said good-bye, its connection was closed, or nothing was heard of it."""
    LOCKED_BY_OTHER = "locked by other"
    LOCK_RAN_OUT = "lock ran out"
    GOT_LOCK = "got lock"
    LOCK_BACK = "lock back"
    REFUSES = "refuses"
    SUBSCRIPTION = "subscription"
    IDS_DIFFER = "ids differ"


class Fact(NamedTuple):
    """One fact. Texts are empty where the line does not say them."""

    kind: Kind
    line: int
    """Number of the line in its file, from 1; of a run the first."""
    at: int | None
    """Time in ms since 1970, by the clock and zone of the file; None without a date."""
    group: str = ""
    client: str = ""
    queue: Queue | None = None
    topic: str = ""
    more: str = ""
    """What else the line says, by kind: a strategy, a reason, a version, a second client."""
    until: int | None = None
    """Of a run, the time of its last line."""
    last_line: int = 0
    numbers: tuple[int, ...] = ()
    """By kind: (first, last) offset of commits, with pairs of offsets of which the second is lower; (mqAllSize,
    cidAllSize, rebalanceResultSize) of a result; (requested, stored) offset of one that went back."""
    queues: tuple[Queue, ...] = ()
    """Result of a rebalance, or the queues of a route."""
