"""Removals of process queues outside rebalances: by offset resets, and by corrections of illegal offsets.

A broker asks a consumer to reset its own offsets (RESET_CONSUMER_CLIENT_OFFSET), or it resets the committed offsets
itself (``useServerSideResetOffset``, from 5.1 on) and answers the next pull with PULL_OFFSET_MOVED. Source:
``MQClientInstance.resetOffset``, ``DefaultMQPushConsumerImpl.pullMessage``, ``AdminBrokerProcessor.resetOffset``.
"""

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from rebalance_proofs.model.client.java_v4_9 import TRY_LOCK_MS
from rebalance_proofs.recorded.cluster.clients import pulls_client
from rebalance_proofs.recorded.cluster.messages import SENDING
from rebalance_proofs.recorded.cluster.names import broker_of, topic_of
from rebalance_proofs.recorded.cluster.tally import Unexplained
from rebalance_proofs.recorded.cluster.trace import LOOK, STALL, Trace
from rebalance_proofs.recorded.groups.broker import Answered
from rebalance_proofs.recorded.groups.event import ILLEGAL, RESET, Event, SendFailed, Sent
from rebalance_proofs.recorded.groups.member import (
    Allocate,
    EntryGone,
    EntryNew,
    OffsetRemoved,
    OffsetUpdate,
    Persist,
    Pulled,
    ResetDone,
    ResetTold,
)

CORRECTED = 10_000
"""Time in ms from an illegal offset's answer to its correction, up to Java 5.1 (``executeTaskLater``)."""
END, BEGINNING = -1, 0
"""Times of a reset that mean the queue's end, and its beginning."""


@dataclass(frozen=True)
class Reset:
    """A reset of a group's offsets that a broker has asked a consumer for, or has done itself."""

    at: int
    until: int
    """Times in ms of the request, and of the end of its handling."""
    group: str
    topic: str
    timestamp: int
    """Time of the messages to go back to, in ms since 1970; ``END`` or ``BEGINNING``."""

    def concerns(self, q: str, at: int) -> bool:
        """Return True if the reset may change the queue's offset at the time ``at``."""
        return topic_of(q) == self.topic and self.at <= at <= self.until


def resets_of(life: Sequence[Event], group: str, end: int) -> Iterator[Reset]:
    """Yield a consumer's resets of its own offsets; one after another, in the order of the requests.

    ``life``: the events of one process. ``end``: its last time in ms.
    """
    done = [event.at for event in life if isinstance(event, ResetDone)]
    told = [event for event in life if isinstance(event, ResetTold)]
    for place, event in enumerate(told):
        said = event.said
        until = done[place] if place < len(done) else end
        yield Reset(event.at, until, said.group or group, topic_of(said.q or ""), int(said.timestamp or 0))


@dataclass
class Targets:
    """Offsets to which resets may set queues, by the messages that producers sent."""

    trace: Trace

    @cached_property
    def _sent(self) -> Mapping[str, list[int]]:
        found: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
        for event in self.trace.produced(Sent):
            found[event.q].append((event.offset, event.at))
        return {q: [at for _, at in sorted(each)] for q, each in found.items()}

    def allows(self, reset: Reset, q: str, offset: int) -> bool:
        """Return True if the reset may set the queue to ``offset``.

        The broker looks up the messages around the reset's time. Some releases take the nearest message, others the
        first one after that time.
        """
        sent = self._sent.get(q, [])
        if reset.timestamp == BEGINNING:
            return offset == 0
        # A message is stored between its creation and the producer's event.
        time = reset.at if reset.timestamp == END else reset.timestamp - self.trace.run.start
        broker = broker_of(q)
        late = STALL + self.trace.stood(broker, time - STALL, time + SENDING)
        late += SENDING * self.trace.delayed(broker, time - STALL, time + SENDING)
        least, most = bisect_left(sent, time), bisect_left(sent, time + late)
        unsure = 1 + self._failed[q]
        return least - unsure <= offset <= most + unsure

    @cached_property
    def _failed(self) -> Counter[str]:
        """Queue -> number of its messages that may be missing among the producers' events."""
        return Counter(event.q for event in self.trace.produced(SendFailed))


def broker_resets(trace: Trace) -> Mapping[str, list[Reset]]:
    """Return broker -> resets of its own table of offsets (``useServerSideResetOffset``).

    Each lasts until the table can have been polled. A broker that asks consumers instead leaves its table alone.
    """
    told = [event for who in trace.consumers for event in trace.kind(ResetTold, who)]
    found: defaultdict[str, list[Reset]] = defaultdict(list)
    for broker in trace.brokers:
        for event in trace.kind(Answered, broker):
            if event.code != RESET or event.said.code != 0:
                continue
            group, topic = event.asked.group or "", topic_of(event.asked.q or "")
            until = event.at + LOOK + trace.slack(broker, event.at, event.at + STALL)
            asked = any(
                (one.said.group, topic_of(one.said.q or "")) == (group, topic)
                and event.at - STALL <= one.at <= until + trace.slack(one.who, event.at, one.at)
                for one in told
            )
            if not asked:
                found[broker].append(Reset(event.at, until, group, topic, int(event.asked.timestamp or 0)))
    return found


@dataclass
class Removal:
    """A process queue's removal by another thread than a rebalance's."""

    q: str
    illegal: bool
    """True if an illegal offset is corrected; False if the consumer resets its offsets."""
    since: int
    """Time in ms from which the process queue may be dropped."""
    gone: EntryGone | None
    """The event of the removal; None if the process ended before."""
    effects: list[Event]
    """The removal's events in order, ``gone`` among them."""
    until: int
    """Time in ms of the removal's last event."""
    waits: bool = False
    """True if the offset may be persisted and dropped after a rebalance has begun again: the listener still runs."""

    def covers(self, at: int) -> bool:
        """Return True if the removal can be under way at the time ``at``; its unlock request comes last."""
        return self.since <= at <= self.until + STALL

    def has(self, event: Event) -> bool:
        """Return True if an event of the queue's offset is an effect of this removal.

        A removal persists the offset before it drops it. A rebalance that adds the queue again only drops it. If no
        process queue is removed, the offset is persisted once and stays.
        """
        if self.gone is None:
            return isinstance(event, Persist) and not self.effects
        return isinstance(event, Persist) or (isinstance(event, OffsetRemoved) and not self.waits)

    def removes(self, event: EntryGone) -> bool:
        """Return True if this correction, which has just persisted the offset, removes the process queue."""
        return self.gone is None and event.how == "remove" and bool(self.effects) and event.at - self.until < STALL


def removals(life: Sequence[Event], release: str) -> list[Removal]:
    """Return the removals in the events of one process that are not by a rebalance.

    Up to Java 5.1, an illegal offset is corrected 10 s after the answer to the pull. The correction stores the offset
    that the broker has named, and removes the process queue that the queue has by then, if any.
    """
    later = not pulls_client(release).rules.repairs_at_once
    found: list[Removal] = []
    told: list[ResetTold] = []
    pending: defaultdict[str, list[Event]] = defaultdict(list)
    illegal: defaultdict[str, list[Pulled]] = defaultdict(list)
    open_: dict[str, Removal] = {}
    for event in life:
        if isinstance(event, ResetTold):
            told.append(event)
        elif isinstance(event, Allocate):  # a rebalance follows, and can add the queue before the removal is over
            for q, one in [*open_.items()]:
                if topic_of(q) == event.topic and one.gone:
                    one.waits = True
        elif isinstance(event, Pulled) and event.status == ILLEGAL:
            if not later:
                illegal[event.q].clear()
                open_.pop(event.q, None)
            illegal[event.q].append(event)
            pending[event.q] = []
        elif isinstance(event, EntryNew):
            if not later:
                illegal[event.q].clear()
            pending[event.q] = []
        elif isinstance(event, (OffsetUpdate, Persist, OffsetRemoved)):
            begun = open_.get(event.q)
            if begun and begun.waits and event.at - begun.until > TRY_LOCK_MS + STALL:
                begun = None  # the listener ran on, and the offset stays
                del open_[event.q]
            due = next((one for one in illegal[event.q] if _corrects(event, one)), None) if later else None
            if due:
                illegal[event.q].remove(due)
                open_[event.q] = Removal(event.q, True, due.at, None, [], event.at)
                found.append(open_[event.q])
            elif begun is None:
                pending[event.q] = [] if isinstance(event, OffsetUpdate) else [*pending[event.q], event]
            elif begun.has(event):
                begun.effects.append(event)
                begun.until, begun.waits = event.at, False
                if isinstance(event, OffsetRemoved):
                    del open_[event.q]
            elif begun.gone is None:
                del open_[event.q]
        elif isinstance(event, EntryGone):
            begun = open_.get(event.q)
            if begun and begun.removes(event):
                begun.gone, begun.until = event, event.at
                begun.effects.append(event)
            elif event.how == "remove" and illegal[event.q] and not later:
                since = illegal[event.q].pop().at
                one = Removal(event.q, True, since, event, [*pending.pop(event.q, []), event], event.at)
                open_[event.q] = one
                found.append(one)
            elif event.how == "reset":
                at = next((one.at for one in reversed(told) if topic_of(one.said.q or "") == topic_of(event.q)), None)
                if at is not None:
                    found.append(Removal(event.q, False, at, event, [*pending.pop(event.q, []), event], event.at))
            pending[event.q] = []
    rest = ((q, each) for q, every in illegal.items() for each in every)
    found += [Removal(q, True, each.at, None, pending[q], life[-1].at) for q, each in rest]
    return found


def _corrects(event: Event, pulled: Pulled) -> bool:
    """Return True if the correction of the illegal offset of ``pulled`` begins with the event, up to Java 5.1."""
    stores = isinstance(event, OffsetUpdate) and not event.increase_only and event.offset == pulled.next
    return stores and event.at >= pulled.at + CORRECTED - 1


def left(trace: Trace, life: Sequence[Event]) -> None:
    """Check that a reset has removed the process queues of its topic. Raises ``Unexplained``."""
    table: dict[str, EntryNew] = {}
    told: list[ResetTold] = []
    for event in life:
        if isinstance(event, EntryNew):
            table[event.q] = event
        elif isinstance(event, EntryGone):
            table.pop(event.q, None)
        elif isinstance(event, ResetTold):
            told.append(event)
        elif isinstance(event, ResetDone) and told:
            since = told.pop(0)
            topic = topic_of(since.said.q or "")
            for q, one in table.items():
                if one.at < since.at and topic_of(q) == topic and _is_reset(trace, since, q):
                    raise Unexplained(event, f"the offset reset has left the process queue of {q} in the table")


def _is_reset(trace: Trace, told: ResetTold, q: str) -> bool:
    """Return True if the queue's broker has sent the request ``told``, as far as known."""
    broker = broker_of(q)
    asked = (event for event in trace.kind(Answered, broker) if event.code == RESET and event.said.code == 0)
    return any(abs(event.at - told.at) < trace.slack(broker, event.at, told.at) for event in asked)
