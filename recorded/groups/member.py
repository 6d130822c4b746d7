"""Recorded events of a push consumer."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from rebalance_proofs.recorded.groups.event import Event, Request, Response

# Parse the subscriptions with which a consumer was started.


def subscriptions(sub: str) -> dict[str, frozenset[str]]:
    """Parse ``T1:A||B,T2`` into topic -> tags, with ``*`` for all tags.

    If a topic occurs twice, the last one counts, as in RocketMQ's clients.
    """
    found = {}
    for each in sub.split(","):
        topic, _, tags = each.partition(":")
        found[topic] = tags_of(tags)
    return found


def tags_of(expression: str) -> frozenset[str]:
    """Parse an expression such as ``A||B`` into tags.

    ``*`` means all tags, as does an empty expression.
    """
    return frozenset(expression.split("||") if expression else "*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Starting(Event):
    """Event: the process has started; no method was called yet."""

    options: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Patched(Event):
    """Event: from now on, results of pulls are recorded."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PatchFailed(Event):
    """Event: results of pulls cannot be recorded."""

    error: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Ready(Event):
    """Event: the process waits for the driver's command to start."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Started(Event):
    """Event: ``start()`` has returned."""

    client_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StartFailed(Event):
    """Event: ``start()`` has thrown, and the process ends."""

    error: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ShutdownBegin(Event):
    """Event: ``shutdown()`` is called."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShutdownEnd(Event):
    """Event: ``shutdown()`` has returned."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Quitting(Event):
    """Event: the process exits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListenerTime(Event):
    """Event: from now on, the listener has another duration."""

    ms: int
    """Duration of a listener call in milliseconds for each message."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Subscribed(Event):
    """Event: ``subscribe`` has returned."""

    topic: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Unsubscribed(Event):
    """Event: ``unsubscribe`` has returned."""

    topic: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Suspending(Event):
    """Event: ``suspend()`` is called."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Suspended(Event):
    """Event: ``suspend()`` has returned."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Resuming(Event):
    """Event: ``resume()`` is called, which rebalances."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Resumed(Event):
    """Event: ``resume()`` has returned."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WillThrow(Event):
    """Event: user code will throw in the next pulls, as the driver has commanded."""

    where: str
    """Place of the exception: ``hook``, ``store``, ``callback``, or ``interrupt``."""
    times: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Threw(Event):
    """Event: user code throws as commanded, or its thread is interrupted.

    It is the RPC hook, the offset store or the pull callback.
    """

    where: str
    """Place of the exception: ``hook``, ``store``, ``callback``, or ``interrupt``."""
    q: str
    error: bool
    """True if a Java ``Error`` is thrown, False for an exception."""
    to: str = ""
    """Address to which the pull was to be sent.

    It is recorded only for hooks, whose requests do not name their broker.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap(Event):
    """Event: the process paused, as measured by a thread that wakes up every 50 ms."""

    ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Notified(Event):
    """Event: the request NOTIFY_CONSUMER_IDS_CHANGED arrived."""

    said: Request
    from_: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ResetTold(Event):
    """Event: the request RESET_CONSUMER_CLIENT_OFFSET arrived: the client is to reset its own offsets."""

    said: Request
    from_: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ResetDone(Event):
    """Event: the client has reset its own offsets, and rebalanced."""

    from_: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Allocate(Event):
    """Event: the strategy is called in the rebalance of a topic."""

    topic: str
    strategy: str
    cid: str
    mq_all: tuple[str, ...] | None
    cid_all: tuple[str, ...] | None
    result: tuple[str, ...] | None
    error: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryNew(Event):
    """Event: a process queue was added to ``processQueueTable``."""

    q: str
    entry: str
    """Identity of the process queue; a queue that is added again gets another one."""
    locked: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryGone(Event):
    """Event: a process queue was removed from ``processQueueTable``."""

    q: str
    entry: str
    how: str
    """How it was removed: ``rebalance``, ``reset`` (of offsets), ``remove`` (one queue), or ``clear`` (shutdown)."""
    dropped: bool
    locked: bool
    messages: int
    """Number of messages in the process queue."""
    since_pull: int
    """Milliseconds since the last pull for the process queue."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry(Event):
    """Event: the flags of a process queue have changed since the last poll, about 50 ms ago."""

    q: str
    entry: str
    dropped: bool
    locked: bool
    in_table: bool
    messages: int
    lock_age: int
    """Milliseconds since the process queue's ``lastLockTimestamp``."""
    pull_age: int
    """Milliseconds since the process queue's ``lastPullTimestamp``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Begin(Event):
    """Event: the listener is called."""

    q: str
    offsets: tuple[int, ...]
    keys: tuple[str, ...]
    tag: str | None
    reconsume_times: int
    born_ago: int
    """Milliseconds since the call's first message was created."""
    thread: str


@dataclass(frozen=True, slots=True, kw_only=True)
class End(Event):
    """Event: the listener returns success."""

    q: str
    from_: int
    """Offset of the first message of the listener call."""
    to: int
    """Offset of the last message of the listener call."""
    result: Literal["SUCCESS", "INTERRUPTED"]
    """``SUCCESS``, or ``INTERRUPTED`` if the listener was interrupted and did not finish."""
    thread: str | None = None
    """Name of the listener's thread, which tells apart two calls with one message; None in older recordings."""

    @property
    def interrupted(self) -> bool:
        """True if the listener was interrupted but reports success."""
        return self.result == "INTERRUPTED"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask(Event):
    """Event: a request is about to be sent."""

    code: str
    """Name of the request's code in ``RequestCode``."""
    opaque: int
    oneway: bool
    said: Request
    to: str
    thread: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer(Event):
    """Event: the response to a request arrived.

    It is not recorded for requests that fail and, in 4.9.8, for asynchronous requests.
    """

    code: str
    opaque: int
    said: Response


@dataclass(frozen=True, slots=True, kw_only=True)
class Pulled(Event):
    """Event: the client processes the result of a pull."""

    q: str
    status: str
    next: int
    min: int
    max: int
    got: tuple[int, ...]
    """Offsets of the messages in the pull's result."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OffsetRead(Event):
    """Event: ``OffsetStore.readOffset`` has returned."""

    q: str
    type: str
    result: int


@dataclass(frozen=True, slots=True, kw_only=True)
class OffsetUpdate(Event):
    """Event: ``OffsetStore.updateOffset`` is called."""

    q: str
    offset: int
    increase_only: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class OffsetRemoved(Event):
    """Event: ``OffsetStore.removeOffset`` is called."""

    q: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Persist(Event):
    """Event: ``OffsetStore.persist`` is called."""

    q: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PersistAll(Event):
    """Event: ``OffsetStore.persistAll`` is called."""

    queues: int
    """Number of queues whose offsets the call persists."""
