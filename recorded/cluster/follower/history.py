"""What a recording shows of one process, kept up to date event by event (``model.machine.recorded.History``)."""

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from rebalance_proofs.model.client.process_queue_table import PULL_MAX_IDLE_TIME
from rebalance_proofs.recorded.cluster.names import topic_of
from rebalance_proofs.recorded.cluster.removals import removals
from rebalance_proofs.recorded.cluster.trace import STALL, Trace
from rebalance_proofs.recorded.groups.broker import Table, members
from rebalance_proofs.recorded.groups.driver import Start
from rebalance_proofs.recorded.groups.event import LIST, PULL, REBALANCING, Event
from rebalance_proofs.recorded.groups.member import (
    Allocate,
    Answer,
    Ask,
    End,
    Entry,
    EntryGone,
    EntryNew,
    Pulled,
    ResetDone,
    ResetTold,
    Resumed,
    Resuming,
    ShutdownBegin,
    Starting,
    Subscribed,
    Suspending,
    Threw,
    Unsubscribed,
)
from rebalance_proofs.recorded.groups.names import PROCESSES, numbers
from rebalance_proofs.recorded.groups.run import DRIVER, of_kind


@dataclass(frozen=True, slots=True, kw_only=True)
class Raised(Event):
    """Derived event: a subscription of a process has a new version, which is the time of the event."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unchanged(Event):
    """Derived event: a row of a broker's table is unchanged some time after it could change."""

    is_: str | None
    after: int
    """Milliseconds since the row could change."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Returned(Event):
    """Derived event: a listener returned so long ago that its offset is stored."""

    end: End


@dataclass(frozen=True, slots=True, kw_only=True)
class Killed(Event):
    """Derived event: the process has ended without a shutdown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Closed(Event):
    """Derived event: a broker no longer lists a connection of a member."""

    port: int
    until: int
    """Time in ms from which the member uses a newer connection."""
    more: bool
    """Whether the broker lists another earlier connection of the member."""
    after: int = 0
    """Milliseconds since the heartbeat of a connection that no poll has listed; 0 if a poll shows the end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Replaced(Event):
    """Derived event: a member's next connection begins now; the broker may have closed this one before."""

    port: int
    until: int
    """Time in ms from which the member uses a newer connection."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Others(Event):
    """Derived event: a poll of a broker's members, as far as it shows further connections."""

    came: bool
    """Whether a connection of another member has come."""
    left: bool
    """Whether the broker lists connections of other members, or several earlier ones of the member."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Over(Event):
    """Derived event: the process has ended."""

    late: int
    """Milliseconds for which a broker still handles its requests."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved(Event):
    """Derived event: a topic has more queues."""


KIND_OF: Mapping[type[Event], str] = {
    **{made: name for name, made in PROCESSES.items()},
    Raised: "raised",
    Unchanged: "unchanged",
    Returned: "returned",
    Killed: "killed",
    Closed: "closed",
    Replaced: "replaced",
    Others: "others",
    Over: "over",
    Moved: "moved",
}
"""Class of an event -> its name in the recording format, or the name of a derived event."""

INTERRUPT = "interrupt"
UNPOLLED = 1_000
"""Time in ms after a broker's pause in which membership changes can follow each other between two polls."""


class Process:
    """History of one process: a name's life from its start to its end."""

    def __init__(self, trace: Trace, who: str, life: Sequence[Event]) -> None:
        """Begin before the first event of ``life``."""
        self.trace, self.who, self.life = trace, who, life
        self.started = trace.consumers[who]
        self.event: Any = life[0]
        self.queue = ""
        self.group, self.ordered = self.started.group, trace.ordered(who)
        self.topics = trace.topics(who)
        self.release = numbers(trace.release(who))
        self.resuming = self.closing = False
        self.suspended: int | None = None
        self.flow_limits = any("hreshold" in name or "Span" in name for name in self.started.settings)
        self._pulled: dict[str, int] = {}
        self._unread: Counter[str] = Counter()
        self._unsubscribed: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
        self.resetting: list[str] = []
        self.table: dict[str, bool] = {}
        self.assigned: dict[str, frozenset[str] | None] = {}
        self._of: defaultdict[str, list[Event]] = defaultdict(list)
        self._times: defaultdict[str, list[int]] = defaultdict(list)
        self._open: dict[str, int] = {}

    @property
    def label(self) -> str:
        """Name of what is checked, for people."""
        return self.who

    @property
    def events(self) -> Sequence[Event]:
        """The events that are explained, by time."""
        return self.life

    @property
    def polls(self) -> Sequence[Event]:
        """Polls of the brokers' tables in the life of the process."""
        first, last = self.life[0].at, self.life[-1].at
        every = (one for broker in self.trace.brokers for one in self.trace.kind(Table, broker))
        return [one for one in every if first < one.at <= last]

    @property
    def at(self) -> int:
        """Time of the event in ms."""
        at: int = self.event.at
        return at

    def turn(self, name: str) -> None:
        """Turn to one of several machines of the process: of this queue, or of this message."""
        self.queue = name

    def concerns(self, name: str) -> bool:
        """Return True if the event is about this message, if messages have machines of their own."""
        return True

    def forget(self, name: str) -> None:
        """Note that a message is no longer followed."""

    def feed(self, event: Event) -> None:
        """Add an event, after it is explained."""
        kind = KIND_OF[type(event)]
        self._of[kind].append(event)
        self._times[kind].append(event.at)
        if isinstance(event, Ask):
            if not event.oneway:
                self._open[event.thread] = event.opaque
            if event.code == LIST and event.thread != REBALANCING and self.resetting:
                self.resuming = True  # a reset ends with a resume
            if event.code == PULL and event.said.q:
                self._pulled[event.said.q] = event.at
        elif isinstance(event, Answer):
            for thread in [thread for thread, opaque in self._open.items() if opaque == event.opaque]:
                del self._open[thread]
        elif isinstance(event, EntryNew):
            self.table[event.q], self._pulled[event.q], self._unread[event.q] = False, event.at, 0
        elif isinstance(event, Pulled):
            self._unread[event.q] += len(event.got)
        elif isinstance(event, End):
            self._unread[event.q] -= event.to - event.from_ + 1
        elif isinstance(event, EntryGone) and event.how != "clear":
            self.table.pop(event.q, None)
        elif isinstance(event, Entry) and event.q in self.table:
            self.table[event.q] = event.dropped
        elif isinstance(event, Allocate) and not self._is_unsubscribed(event.topic):
            # A rebalance can still divide a topic that is being unsubscribed. Its process queues are then removed.
            self.assigned[event.topic] = None if event.error else frozenset(event.result or ())
        elif isinstance(event, Subscribed):
            self.topics += 1
            if spans := self._unsubscribed[event.topic]:
                spans[-1] = spans[-1][0], event.at
        elif isinstance(event, Unsubscribed):
            self.assigned.pop(event.topic, None)
            self._unsubscribed[event.topic].append((event.at, self.trace.end))
        elif isinstance(event, (Suspending, Resuming, Resumed)):
            self.resuming = isinstance(event, Resuming)
            self.suspended = event.at if isinstance(event, Suspending) else None
        elif isinstance(event, ResetTold):
            self.resetting.append(topic_of(event.said.q or ""))
        elif isinstance(event, ResetDone) and self.resetting:
            del self.resetting[0]
            self.resuming = False
        elif isinstance(event, ShutdownBegin):
            self.closing = True

    def since(self, kind: str, at: int, **values: object) -> Sequence[Any]:
        """Return the process's earlier events of a kind from a time on, with these values of their fields."""
        found = self._of[kind][bisect_left(self._times[kind], at) :]
        if not values:
            return found
        return [one for one in found if all(getattr(one, name) == value for name, value in values.items())]

    def waits_for_answer(self, thread: str) -> bool:
        """Return True if the last request of a thread had no answer yet."""
        return thread in self._open

    def _is_unsubscribed(self, topic: str) -> bool:
        spans = self._unsubscribed[topic]
        return bool(spans) and spans[-1][1] == self.trace.end

    # ---- One queue

    @property
    def topic(self) -> str:
        """The queue's topic."""
        return topic_of(self.queue)

    @property
    def idle(self) -> int:
        """Milliseconds since the queue's last pull, or since the creation of its process queue."""
        return self.at - self._pulled.get(self.queue, 0)

    @property
    def unread(self) -> int:
        """Number of pulled messages whose listener has not returned, at most."""
        return self._unread[self.queue]

    @property
    def loses_request(self) -> bool:
        """True if the process queue is later removed as no longer pulled, and no event shows why."""
        pulled = self._pulled.get(self.queue, 0)
        later = (one for one in self._gone[self.queue] if one.at >= self.at and one.since_pull > PULL_MAX_IDLE_TIME)
        lost = any(one.at - one.since_pull <= pulled + STALL for one in later)
        return lost and not any(one.at >= pulled for one in self._threw[self.queue])

    @cached_property
    def _threw(self) -> Mapping[str, list[Threw]]:
        found: defaultdict[str, list[Threw]] = defaultdict(list)
        for one in of_kind(self.life, Threw):
            found[one.q].append(one)
        return found

    @cached_property
    def _gone(self) -> Mapping[str, list[EntryGone]]:
        found: defaultdict[str, list[EntryGone]] = defaultdict(list)
        for one in of_kind(self.life, EntryGone):
            found[one.q].append(one)
        return found

    @property
    def interrupted(self) -> bool:
        """True if the thread that handles this result of a pull is interrupted."""
        return self.event.row in self._interrupted

    @cached_property
    def _interrupted(self) -> set[int]:
        found, last = set[int](), dict[str, int]()
        for one in self.life:
            if isinstance(one, Pulled):
                last[one.q] = one.row
            elif isinstance(one, Threw) and one.where == INTERRUPT and one.q in last:
                found.add(last[one.q])
        return found

    @property
    def corrected(self) -> bool:
        """Whether the event belongs to the correction of an illegal offset, by another thread."""
        return id(self.event) in self._corrected

    @cached_property
    def _corrected(self) -> frozenset[int]:
        """Identities of the events of all corrections."""
        every = removals(self.life, self.trace.release(self.who))
        return frozenset(id(event) for one in every if one.illegal for event in one.effects)

    @property
    def waited(self) -> int:
        """Milliseconds for which the thread may have waited for a connection before it wrote the request."""
        return self._waited.get(self.event.row, 0)

    @cached_property
    def _waited(self) -> Mapping[int, int]:
        """Row of a request whose number (``opaque``) is below that of an earlier row -> ms since the thread's last."""
        asks = [one for one in self.life if isinstance(one, Ask)]
        highest, last, found = -1, dict[str, int](), dict[int, int]()
        for one in asks:
            if one.opaque < highest:
                found[one.row] = one.at - last.get(one.thread, self.life[0].at)
            highest, last[one.thread] = max(highest, one.opaque), one.at
        return found

    @property
    def overtaken(self) -> int:
        """Milliseconds since the pull began, if another thread dropped its process queue before it was sent."""
        return self._overtaken.get(self.event.row, 0)

    @cached_property
    def _overtaken(self) -> Mapping[int, int]:
        """Row of a pull's request -> ms since the pull began, when its process queue was not dropped."""
        last, begun, found = dict[str, int](), dict[str, int](), dict[int, int]()
        for one in self.life:
            if isinstance(one, EntryNew):
                last[one.q] = one.at
                begun.pop(one.q, None)
            elif (isinstance(one, Entry) and one.dropped) or isinstance(one, EntryGone):
                since = one.at - (one.pull_age if isinstance(one, Entry) else one.since_pull)
                if since > last.get(one.q, one.at):
                    begun[one.q] = since
            elif isinstance(one, Ask) and one.code == PULL and one.said.q:
                since = begun.pop(one.said.q, one.at)
                if 0 < one.at - since < STALL:
                    found[one.row] = one.at - since
                last[one.said.q] = one.at
        return found

    @cached_property
    def pulls(self) -> bool:
        """True if the recording contains the process's pulls."""
        return any(isinstance(one, Ask) and one.code == PULL for one in self.life)

    @cached_property
    def results(self) -> bool:
        """True if the recording contains results of the process's pulls."""
        return any(isinstance(one, Pulled) for one in self.life)

    def unsubscribed(self, since: int, later: int) -> int:
        """Return for how many ms since a time the topic was unsubscribed, or had been until ``later`` ms before."""
        spans = self._unsubscribed[self.topic]
        return sum(max(0, min(end + later, self.at) - max(begin, since)) for begin, end in spans)

    def disturbed(self, since: int) -> bool:
        """Return True if a broker was away, paused or delayed since a time."""
        trace, until = self.trace, self.at
        return any(begin <= until and since <= end for begin, end in self.away) or any(
            trace.delayed(broker, since, until) or trace.stood(broker, since, until) for broker in trace.brokers
        )

    # ---- The whole process

    @cached_property
    def begun(self) -> int:
        """Earliest time in ms of the client's start. Some processes wait for the driver's command."""
        starting = next((one for one in self.life if isinstance(one, Starting)), self.life[0])
        held = isinstance(starting, Starting) and "hold" in starting.options
        told = (one.at for one in of_kind(self.trace.of[DRIVER], Start) if one.of == self.who and one.at >= starting.at)
        return min(told, default=starting.at) if held else starting.at

    @property
    def created(self) -> int:
        """Earliest time in ms at which objects of the process were created."""
        return min(self.started.at, self.life[0].at)

    @cached_property
    def last_change(self) -> Table | None:
        """Poll that shows the last membership change in the process's life.

        None for several brokers, and if a list of members shows a later change at a broker that was just frozen, which
        no poll has seen.
        """
        if len(self.trace.brokers) != 1:
            return None
        begin, end = self.life[0].at, self.life[-1].at
        end = min([one.at for one in self.life if isinstance(one, ShutdownBegin)], default=end)
        rows = (one for one in self.trace.kind(Table, self.trace.brokers[0]) if one.what == "members")
        rows = (one for one in rows if one.of == self.group and begin < one.at < end and _ids(one.was) != _ids(one.is_))
        found = [*rows]
        last = found[-1] if found else None
        if last is None or last.is_ is None:
            return None
        lists = (one for one in of_kind(self.life, Allocate) if last.at < one.at < end and one.cid_all)
        other = (one.at for one in lists if tuple(one.cid_all or ()) != _ids(last.is_))
        return None if any(self.trace.stood(last.who, at - UNPOLLED, at) for at in other) else last

    @cached_property
    def members(self) -> tuple[str, ...] | None:
        """The consumer ids after the last membership change."""
        return _ids(self.last_change.is_) if self.last_change else None

    @cached_property
    def away(self) -> Sequence[tuple[int, int]]:
        """Times in ms without a broker."""
        return [span for broker in self.trace.brokers for span in self.trace.away(broker)]

    def spans(self, begin: str, end: str) -> Iterable[tuple[int, int]]:
        """Yield the times in ms from each event of the kind ``begin`` to the next one of the kind ``end``."""
        ends = [one.at for one in self.life if KIND_OF[type(one)] == end]
        for one in self.life:
            if KIND_OF[type(one)] == begin:
                yield one.at, min((at for at in ends if at >= one.at), default=self.trace.end)


def _ids(row: str | None) -> tuple[str, ...]:
    return tuple(sorted(one.client_id for one in members(row)))
