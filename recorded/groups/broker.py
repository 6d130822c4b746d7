"""Recorded events of a broker: requests, responses, and changes of its tables."""

from dataclasses import dataclass
from functools import lru_cache

from rebalance_proofs.recorded.groups.event import Event, Request, Response


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokerStarting(Event):
    """Event: the broker's process has started."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokerStarted(Event):
    """Event: the broker serves requests."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokerShutdownHook(Event):
    """Event: the broker's process was signalled to end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard(Event):
    """Event: a request arrived: a heartbeat, an unregistration, a lock, or an unlock."""

    code: str
    """Name of the request's code in ``RequestCode``."""
    from_: str
    """Address and port of the client's connection."""
    opaque: int
    """Number that the client gave to the request; the response has the same."""
    said: Request


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered(Event):
    """Event: a response was created, but not yet sent.

    Responses to pulls are recorded only if they have neither messages nor the status "no message yet".
    """

    code: str
    from_: str
    opaque: int
    asked: Request
    said: Response


@dataclass(frozen=True, slots=True, kw_only=True)
class Table(Event):
    """Event: a row of a broker's table has changed since the last poll, about 50 ms ago."""

    what: str
    """Name of the table: ``members``, ``subs``, ``lock`` or ``offset``."""
    of: str
    """Key of the row: a group; for locks ``group queue``; for offsets ``topic@group:queueId``."""
    is_: str | None
    was: str | None


@dataclass(frozen=True, slots=True)
class Key:
    """Group and queue of a row in a broker's table of locks or offsets."""

    group: str
    q: str


def lock_of(row: Table) -> Key | None:
    """Return the group and queue whose lock has changed, or None for a row of another table."""
    if row.what != "lock":
        return None
    group, _, q = row.of.partition(" ")
    return Key(group, q)


def offset_of(row: Table) -> Key | None:
    """Return the group and queue whose committed offset has changed.

    Return None for a row of another table.
    """
    if row.what != "offset":
        return None
    topic, _, rest = row.of.partition("@")
    group, _, number = rest.rpartition(":")
    return Key(group, f"{topic}:{row.who}:{number}")


@dataclass(frozen=True, slots=True)
class Member:
    """One connection of a group at a broker: the client, and the connection's port."""

    client_id: str
    port: int


@lru_cache(1_000)
def members(said: str | None) -> tuple[Member, ...]:
    """Parse a row of the table of members; the result is empty if there is no row (None)."""
    listed = (word.rpartition(":") for word in (said or "").split())
    return tuple(Member(client_id, int(port)) for client_id, _, port in listed)
