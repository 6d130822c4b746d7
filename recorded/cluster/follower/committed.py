"""Committed offsets of each queue, from commits, brokers' answers, and polls of brokers."""

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from typing import NamedTuple

from rebalance_proofs.model.offsets.broker import NONE
from rebalance_proofs.recorded.cluster.names import broker_of
from rebalance_proofs.recorded.cluster.removals import Reset, Targets, broker_resets
from rebalance_proofs.recorded.cluster.requests import Calls
from rebalance_proofs.recorded.cluster.trace import LOOK, STALL, Trace
from rebalance_proofs.recorded.groups.broker import Answered, BrokerStarting, Table, offset_of
from rebalance_proofs.recorded.groups.event import ILLEGAL, PULL, UPDATE, Event, Sent
from rebalance_proofs.recorded.groups.member import (
    Allocate,
    Ask,
    Begin,
    End,
    EntryGone,
    EntryNew,
    Pulled,
    ShutdownBegin,
)

# Select messages for which the model's behaviours are searched.
# A search for all would take too long.

EVERY = 16
"""Messages whose offset is a multiple of this number are selected as well."""
WAITING = 2
"""Maximum of selected messages that still wait when their process queue is removed."""


@dataclass
class Told:
    """Selected messages and listener calls of one process."""

    chosen: set[tuple[str, str, int]] = field(default_factory=set)
    """Selected messages, each as (queue, identity of its process queue, offset)."""
    begins: defaultdict[tuple[str, int], list[Begin]] = field(default_factory=lambda: defaultdict(list))
    """(queue, offset) of a message -> the listener calls with this message, sorted by time."""
    messages: int = 0
    """Number of messages that the consumer has pulled."""


def again(trace: Trace) -> Mapping[str, frozenset[tuple[str, int]]]:
    """Return, for each group, messages received more than once, as (queue, offset)."""
    times: defaultdict[str, Counter[tuple[str, int]]] = defaultdict(Counter)
    for who, started in trace.consumers.items():
        for event in trace.kind(Begin, who):
            times[started.group].update((event.q, offset) for offset in event.offsets)
    return {group: frozenset(one for one, count in found.items() if count > 1) for group, found in times.items()}


def told(life: Sequence[Event], twice: frozenset[tuple[str, int]]) -> Told:
    """Return the selected messages and the listener calls of one process.

    ``life``: the events of the process. ``twice``: messages that any consumer received twice; they are selected.
    Further selected are each process queue's first and last message, messages that it still contains at its removal,
    and some of the rest.
    """
    found = Told()
    entries: dict[str, tuple[str, list[int]]] = {}
    gone: list[tuple[EntryGone, list[int]]] = []
    ends: dict[tuple[str, int], End] = {}
    for event in life:
        if isinstance(event, EntryNew):
            entries[event.q] = event.entry, []
        elif isinstance(event, Pulled) and event.q in entries:
            entries[event.q][1].extend(event.got)
        elif isinstance(event, EntryGone) and event.q in entries:
            entry, offsets = entries.pop(event.q)
            _choose(found, event.q, entry, offsets, twice)
            gone.append((event, offsets))
        elif isinstance(event, Begin):
            for offset in event.offsets:
                found.begins[event.q, offset].append(event)
        elif isinstance(event, End):
            ends.update({(event.q, offset): event for offset in range(event.from_, event.to + 1)})
    for q, (entry, offsets) in entries.items():
        _choose(found, q, entry, offsets, twice)
    for event, offsets in gone:
        left = [one for one in offsets if (end := ends.get((event.q, one))) is None or end.at > event.at - STALL]
        called = [one for one in left if (event.q, one) in found.begins]
        waiting = [one for one in left if (event.q, one) not in found.begins]
        found.chosen.update((event.q, event.entry, one) for one in (*called, *waiting[:WAITING]))
    return found


def _choose(found: Told, q: str, entry: str, offsets: Sequence[int], twice: frozenset[tuple[str, int]]) -> None:
    found.messages += len(offsets)
    some = [one for one in offsets if (q, one) in twice or one % EVERY == 0]
    found.chosen.update((q, entry, one) for one in (*offsets[:1], *offsets[-1:], *some))


TRANSIT = 5_000
"""Longest time in ms from sending a commit until the broker's table has it.

It can be longer if a process paused.
"""


SUSPENDED = 20_000
"""Longest time in ms for which a broker suspends a pull."""


class Pending(NamedTuple):
    """A reset of a queue's offset by its broker."""

    reset: Reset
    end: int
    """Time in ms of the first pull of the queue: until then, the broker answers queries with the reset offset.

    It also ignores commits.
    """
    sets: Callable[[int], bool]
    """Whether the reset may set the queue to an offset."""
    certain: bool
    """False if no recorded pull need show the reset.

    The queue may have been created later, or a pull of a process that has ended may have got the answer.
    """


@dataclass
class Committed:
    """One group's committed offset of one queue at its broker."""

    broker: str
    sent: list[tuple[int, int]] = field(default_factory=list)
    """Each commit that was sent, as (time in ms, offset), sorted."""
    landed: set[tuple[str, int]] = field(default_factory=set)
    """Commits of recorded consumers that arrived, as (broker, line number of its answer)."""
    seen: list[tuple[int, int]] = field(default_factory=list)
    """Committed offsets that a poll or an answer showed, each as (time in ms, offset), sorted."""
    resets: list[Pending] = field(default_factory=list)
    """Resets by the broker."""

    def at(self, time: int) -> int:
        """Return the last committed offset that was observed before ``time``; NONE if there is none."""
        place = bisect_left(self.seen, (time, -1))
        return self.seen[place - 1][1] if place else NONE

    def was(self, value: int, until: int) -> bool:
        """Return True if ``value`` was observed as the committed offset at any time up to ``until``."""
        return any(one == value for _, one in self.seen[: bisect_right(self.seen, (until, 1 << 62))])

    def under_way(self, trace: Trace, value: int, at: int) -> bool:
        """Return True if a commit of ``value`` was sent and may not have arrived yet."""
        last = bisect_right(self.sent, (at, 1 << 62))
        first = bisect_left(self.sent, (at - LOOK - TRANSIT, -1))
        if any(one == value for _, one in self.sent[first:last]):
            return True
        if any(one.reset.at <= at <= one.reset.until and one.sets(value) for one in self.resets):
            return True
        return any(one == value and self._slow(trace, since, at) for since, one in self.sent[:first])

    def is_reset(self, at: int, value: int | None = None) -> bool:
        """Return True if a reset (to ``value``, if given) has not been pulled at the time ``at``."""
        pending = (one.sets for one in self.resets if one.reset.at - STALL <= at <= one.end)
        return any(value is None or sets(value) for sets in pending)

    def is_unmoved(self, asked: int, at: int) -> bool:
        """Return True if a reset has not been pulled at the time ``at``, in spite of a later pull at ``asked``."""
        return any(one.certain and one.reset.until < asked and at + STALL < one.end for one in self.resets)

    def _slow(self, trace: Trace, since: int, until: int) -> bool:
        """Return True if a commit between two times may be late.

        The broker started, or a process paused.
        """
        began = any(since - TRANSIT < one.at < until for one in trace.kind(BrokerStarting, self.broker)[1:])
        late = trace.delayed(self.broker, since, until)
        return began or late or any(trace.stood(who, since, until) for who in (self.broker, *trace.consumers))


def committed(trace: Trace, calls: Calls) -> Mapping[tuple[str, str], Committed]:
    """Return the known commits of each queue of each group, by (group, queue)."""
    found: dict[tuple[str, str], Committed] = {}

    def of(group: str, q: str) -> Committed:
        return found.setdefault((group, q), Committed(broker_of(q)))

    for who, started in trace.consumers.items():
        for call in calls.all[who]:
            if call.ask.said.q and (value := commit(call.ask)) is not None:
                one = of(started.group, call.ask.said.q)
                one.sent.append((call.ask.at, value))
                one.landed.update([(call.broker, call.answered.row)] if call.answered else [])
    for broker in trace.brokers:
        for event in trace.of[broker]:
            if isinstance(event, Table) and (key := offset_of(event)) is not None:
                of(key.group, key.q).seen.append((event.at, NONE if event.is_ is None else int(event.is_)))
            elif isinstance(event, Answered) and event.code == UPDATE and event.asked.commit_offset is not None:
                of(event.asked.consumer_group or "", event.asked.q or "").seen.append(
                    (event.at, event.asked.commit_offset)
                )
    _add_resets(trace, of)
    for one in found.values():
        one.sent.sort()
        one.seen.sort(key=lambda each: each[0])
    return found


def _add_resets(trace: Trace, of: Callable[[str, str], Committed]) -> None:
    """Add the brokers' resets to the queues that they concern; ``of``: (group, queue) -> its commits."""
    targets = Targets(trace)
    pulled: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
    for who, started in trace.consumers.items():
        for event in trace.kind(Pulled, who):
            if event.status == ILLEGAL:
                pulled[started.group, event.q].append(event.at)
    unheard = _unheard(trace)
    known: dict[str, int] = {}
    """Queue -> time in ms at which it is known to exist."""
    for at, q in chain(
        ((event.at, event.q) for event in trace.produced(Sent)),
        ((event.at, q) for who in trace.consumers for event in trace.kind(Allocate, who) for q in event.mq_all or ()),
    ):
        known[q] = min(at, known.get(q, at))
    for broker, resets in broker_resets(trace).items():
        for reset in resets:
            for q in (q for q in known if q.startswith(f"{reset.topic}:{broker}:")):
                ends = [at for at in pulled[reset.group, q] if at >= reset.at]
                sets = partial(targets.allows, reset, q)
                heard = all(at < reset.at - SUSPENDED for at in unheard[reset.group, q])
                pending = Pending(reset, min(ends, default=trace.end), sets, heard and known[q] <= reset.at)
                of(reset.group, q).resets.append(pending)


def _unheard(trace: Trace) -> Mapping[tuple[str, str], list[int]]:
    """Return (group, queue) -> times in ms of the last pulls of processes that ended before the answer.

    A broker answers a suspended pull even if its connection is closed (``executeRequestWhenWakeup``).
    """
    found: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
    for who, started in trace.consumers.items():
        for life in trace.lives(who):
            open_: defaultdict[str, list[int]] = defaultdict(list)
            for event in life:
                if isinstance(event, Ask) and event.code == PULL and event.said.q:
                    open_[event.said.q].append(event.at)
                elif isinstance(event, Pulled):
                    del open_[event.q][:1]
            over = any(isinstance(event, ShutdownBegin) for event in life)
            if over or not trace.alive(who, life[-1].at, trace.end):
                for q, times in open_.items():
                    found[started.group, q] += times
    return found


def commit(ask: Ask) -> int | None:
    """Return the offset that a request commits; None if it commits none."""
    commits = ask.code == UPDATE or (ask.code == PULL and ask.said.commits)
    return ask.said.commit_offset if commits else None
