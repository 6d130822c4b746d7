"""Facts: what one line of a log, or a series of similar lines, shows."""

from enum import StrEnum
from typing import NamedTuple

Queue = tuple[str, str, int]
"""A queue as (topic, broker name, queue number)."""


FIRST_PULL = "first pull"
"""Mark of an ADDED fact from the line about a queue's first pull.

This line follows the line about the added queue.
"""
REMOVES_SILENTLY = "removes silently"
"""Mark of an ADDED fact from a client that does not log removed queues."""

OF_BROKER = "broker"
"""Mark of a HEARD fact of a broker's lines in a paste."""


class Kind(StrEnum):
    """Kinds of facts: first those in clients' logs, then those in brokers' logs."""

    HEARD = "heard"
    """Lines of any kind with times and without a long pause: the process was running."""
    COMMITTED = "committed"
    """Successive commits of one queue: the client owned the queue."""
    ADDED = "added"
    REMOVED = "removed"
    FORGOT = "forgot"
    """The client forgot a queue's offset: it has just given the queue up, or is about to take it."""
    RESULT = "result"
    """A rebalance changed the process queue table: sizes of both lists, resulting queues."""
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
    """The client's own id was not in cidAll, the list of consumer ids, at a rebalance."""
    CREATED = "created"
    BEGAN = "began"
    SHUT = "shut"
    NOTIFIED = "notified"
    ROUTE = "route"
    REFUSED = "refused"
    """A broker refused a pull, or the pull failed."""
    NO_IDS = "no ids"
    THREW = "threw"
    BROKE = "broke"
    """An exception ended a rebalance, perhaps after it had changed the table."""
    LOCKED = "locked"
    """The broker granted a lock, according to the client's log."""
    GAVE_LOCK = "gave lock"
    CONSUMES = "consumes"
    """Statistics of a minute: how many messages of a topic the client consumed."""
    ENDED = "ended"
    """An ordered listener's loop found its process queue dropped; the listener ran until then."""
    UNCOUNTED = "uncounted"
    """A concurrent listener returned after its queue had been removed.

    Its result was not processed.
    """
    PAUSED = "paused"
    ILLEGAL = "illegal"
    WENT_BACK = "went back"
    RESET = "reset"
    CONNECTED = "connected"
    GONE = "gone"
    """The broker removed a client.

    The client unregistered, its connection was closed, or its heartbeats stopped.
    """
    LOCKED_BY_OTHER = "locked by other"
    LOCK_RAN_OUT = "lock ran out"
    GOT_LOCK = "got lock"
    LOCK_BACK = "lock back"
    REFUSES = "refuses"
    SUBSCRIPTION = "subscription"
    IDS_DIFFER = "ids differ"
    SAID = "said"
    """A known line without a parser of its own, or several equal ones; its name gives the meaning."""


class Fact(NamedTuple):
    """One fact; fields with text are empty if the line does not contain them."""

    kind: Kind
    line: int
    """Line number in the file, from 1; for a series of lines, the first one's."""
    at: int | None
    """Time in ms since 1970 by the log's clock and time zone; None without a date."""
    group: str = ""
    client: str = ""
    queue: Queue | None = None
    topic: str = ""
    more: str = ""
    """Further content by kind: a strategy, a reason, a version, or a second client."""
    until: int | None = None
    """For a series of lines: time of the last line in ms."""
    last_line: int = 0
    numbers: tuple[int, ...] = ()
    """Numbers, depending on the kind.

    Commits: first and last offset, then (offset, lower offset, ms, line) for each rollback. First pull: the start
    offset. Result: mqAllSize, cidAllSize, rebalanceResultSize. Rollback at the broker: requested and stored offset.
    Line without a parser of its own: how often it occurs, then its values.
    """
    queues: tuple[Queue, ...] = ()
    """The queues in a rebalance's result, or in a route."""
    name: str = ""
    """Name of the known line, such as ``lock-denied``."""
    stills: tuple[int, ...] = ()
    """Commits: (offset, ms, line, last ms, last line) of each time in which the committed offset did not move.

    The first and the last one are there for any length, others from ``commits.STILL`` on.
    """
