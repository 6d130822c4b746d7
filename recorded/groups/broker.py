"""Events of a broker: requests, responses, and changes of its tables."""

from dataclasses import dataclass

from rebalance_proofs.recorded.groups.event import Event
from rebalance_proofs.recorded.groups.requests import Request, Response


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokerStarting(Event):
    """The process has started."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokerStarted(Event):
    """The broker serves requests."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokerShutdownHook(Event):
    """The process was signalled to end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard(Event):
    """A request arrived: a heartbeat, an unregistration, a lock, or an unlock."""

    code: str
    """``RequestCode``'s name."""
    from_: str
    """Address and port of the client's connection."""
    opaque: int
    """The request's number on its client's side."""
    said: Request


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered(Event):
    """A response was created, but not yet sent.

    Of pulls, only responses other than messages and "no message yet" are recorded.
    """

    code: str
    from_: str
    opaque: int
    asked: Request
    said: Response


@dataclass(frozen=True, slots=True, kw_only=True)
class Table(Event):
    """A row of a table has changed since the last poll, about 50 ms ago."""

    what: str
    """``members``, ``subs``, ``lock`` or ``offset``."""
    of: str
    """The row's key: a group; for locks ``group queue``, for offsets ``topic@group:queueId``."""
    is_: str | None
    was: str | None


@dataclass(frozen=True, slots=True)
class Key:
    """The key of a row in the table of locks, or of offsets."""

    group: str
    q: str


def lock_of(row: Table) -> Key | None:
    """Return the queue whose lock has changed, or None for a row of another table."""
    if row.what != "lock":
        return None
    group, _, q = row.of.partition(" ")
    return Key(group, q)


def offset_of(row: Table) -> Key | None:
    """Return the queue whose committed offset has changed, or None for a row of another table."""
    if row.what != "offset":
        return None
    topic, _, rest = row.of.partition("@")
    group, _, number = rest.rpartition(":")
    return Key(group, f"{topic}:{row.who}:{number}")


@dataclass(frozen=True, slots=True)
class Member:
    """One channel of a group: a client, and the port of its connection."""

    client_id: str
    port: int


def members(said: str | None) -> tuple[Member, ...]:
    """Return the members in a row of the table of members; none without a row."""
    listed = (word.rpartition(":") for word in (said or "").split())
    return tuple(Member(client_id, int(port)) for client_id, _, port in listed)
