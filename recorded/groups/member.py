"""Events of a push consumer."""

from collections.abc import Mapping
from dataclasses import dataclass

from rebalance_proofs.recorded.groups.event import Event
from rebalance_proofs.recorded.groups.requests import Request, Response


@dataclass(frozen=True, slots=True, kw_only=True)
class Starting(Event):
    """The process has started; no method was called yet."""

    options: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Patched(Event):
    """From now on, results of pulls are recorded."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PatchFailed(Event):
    """Results of pulls cannot be recorded."""

    error: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Ready(Event):
    """The process waits for the command to start."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Started(Event):
    """``start()`` has returned."""

    client_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StartFailed(Event):
    """``start()`` has thrown, and the process ends."""

    error: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ShutdownBegin(Event):
    """``shutdown()`` is called."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShutdownEnd(Event):
    """``shutdown()`` has returned."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Quitting(Event):
    """The process exits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListenerTime(Event):
    """From now on, the listener has another duration."""

    ms: int
    """Milliseconds for each message."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Subscribed(Event):
    """``subscribe`` has returned."""

    topic: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Unsubscribed(Event):
    """``unsubscribe`` has returned."""

    topic: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Suspending(Event):
    """``suspend()`` is called."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Suspended(Event):
    """``suspend()`` has returned."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Resuming(Event):
    """``resume()`` is called, which rebalances."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Resumed(Event):
    """``resume()`` has returned."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WillThrow(Event):
    """The next pulls will throw."""

    where: str
    """``hook``, ``store``, ``callback``, or ``interrupt``."""
    times: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Threw(Event):
    """The RPC hook, the offset store or the pull callback throws as commanded, or its thread is interrupted."""

    where: str
    """``hook``, ``store``, ``callback``, or ``interrupt``."""
    q: str
    error: bool
    """True for an ``Error``, False for an exception."""
    to: str = ""
    """Address to which the pull was to be sent; only for hooks, whose requests do not name their broker."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap(Event):
    """The process paused, as measured by a thread that wakes up every 50 ms."""

    ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Notified(Event):
    """NOTIFY_CONSUMER_IDS_CHANGED arrived."""

    said: Request
    from_: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Allocate(Event):
    """The strategy is called, in a rebalance of a topic."""

    topic: str
    strategy: str
    cid: str
    mq_all: tuple[str, ...] | None
    cid_all: tuple[str, ...] | None
    result: tuple[str, ...] | None
    error: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryNew(Event):
    """An entry was added to ``processQueueTable``."""

    q: str
    entry: str
    """The entry's identity; a queue that returns has a new one."""
    locked: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryGone(Event):
    """An entry was removed from ``processQueueTable``."""

    q: str
    entry: str
    how: str
    """``rebalance``, ``remove`` (one queue), or ``clear`` (shutdown)."""
    dropped: bool
    locked: bool
    messages: int
    """The number of cached messages."""
    since_pull: int
    """Milliseconds since its last pull."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry(Event):
    """An entry's flags have changed since the last poll, about 50 ms ago."""

    q: str
    entry: str
    dropped: bool
    locked: bool
    in_table: bool
    messages: int
    lock_age: int
    """Milliseconds since ``lastLockTimestamp``."""
    pull_age: int
    """Milliseconds since ``lastPullTimestamp``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Begin(Event):
    """The listener is called."""

    q: str
    offsets: tuple[int, ...]
    keys: tuple[str, ...]
    tag: str | None
    reconsume_times: int
    born_ago: int
    """Milliseconds since the first message was created."""
    thread: str


@dataclass(frozen=True, slots=True, kw_only=True)
class End(Event):
    """The listener returns success."""

    q: str
    from_: int
    """Offset of the first message."""
    to: int
    """Offset of the last message."""
    result: str
    """``SUCCESS``, or ``INTERRUPTED`` if the listener was interrupted and did not finish."""

    @property
    def interrupted(self) -> bool:
        """True if the listener was interrupted but reports success."""
        return self.result == "INTERRUPTED"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask(Event):
    """A request is about to be sent."""

    code: str
    """``RequestCode``'s name."""
    opaque: int
    oneway: bool
    said: Request
    to: str
    thread: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer(Event):
    """The response to a request arrived. Not recorded for requests that fail and, in 4.9.8, for asynchronous ones."""

    code: str
    opaque: int
    said: Response


@dataclass(frozen=True, slots=True, kw_only=True)
class Pulled(Event):
    """A pull's result is processed."""

    q: str
    status: str
    next: int
    min: int
    max: int
    got: tuple[int, ...]
    """Offsets of the received messages."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OffsetRead(Event):
    """``OffsetStore.readOffset`` has returned."""

    q: str
    type: str
    result: int


@dataclass(frozen=True, slots=True, kw_only=True)
class OffsetUpdate(Event):
    """``OffsetStore.updateOffset`` is called."""

    q: str
    offset: int
    increase_only: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class OffsetRemoved(Event):
    """``OffsetStore.removeOffset`` is called."""

    q: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Persist(Event):
    """``OffsetStore.persist`` is called."""

    q: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PersistAll(Event):
    """``OffsetStore.persistAll`` is called."""

    queues: int
    """Number of queues in the call."""
