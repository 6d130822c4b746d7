"""What a recording shows of a queue of an ordered consumer, and of its lock (``machines.ordered.recorded.AtLock``)."""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import groupby, takewhile
from operator import attrgetter

from rebalance_proofs.model.client.process_queue_table import PULL_MAX_IDLE_TIME
from rebalance_proofs.model.machine.copies import ME, NOBODY, OTHER
from rebalance_proofs.recorded.cluster.follower.history import Killed, Process, Unchanged
from rebalance_proofs.recorded.cluster.merged import client_id
from rebalance_proofs.recorded.cluster.names import broker_of, topic_of
from rebalance_proofs.recorded.cluster.removals import Removal, removals, resets_of
from rebalance_proofs.recorded.cluster.requests import LEAST_WAIT, WITHIN, Call, Calls
from rebalance_proofs.recorded.cluster.trace import LOOK, STALL, Trace
from rebalance_proofs.recorded.groups.broker import Answered, BrokerStarting, Heard, Table, lock_of
from rebalance_proofs.recorded.groups.event import LIST, LOCK, PULL, REBALANCING, UNLOCK, Event
from rebalance_proofs.recorded.groups.member import (
    Allocate,
    Answer,
    Ask,
    Begin,
    End,
    Entry,
    EntryGone,
    EntryNew,
    Pulled,
    ShutdownBegin,
    Subscribed,
    Unsubscribed,
)
from rebalance_proofs.recorded.groups.run import of_kind

POLLED = LOOK + STALL
"""Longest time in ms from a change of a broker's table to the event of the poll that sees it."""
TRYING = 6_000
"""Longest time in ms from dropping a process queue to its removal from the table.

The rebalance persists the offset and waits a second for the consume lock.
"""
ROUTED = 60_000
"""Longest time in ms after a broker's start until all clients know its address."""


class Locks:
    """What the brokers show of the queue locks of one group."""

    def __init__(self, trace: Trace, group: str) -> None:
        """Find the lock and unlock requests of all clients, and the polled rows, by queue."""
        self.trace = trace
        self.requests: defaultdict[str, list[Answered]] = defaultdict(list)
        """Queue -> answers to lock and unlock requests that name it, by time."""
        self.rows: defaultdict[str, list[Table]] = defaultdict(list)
        self.heard: dict[tuple[str, int], int] = {}
        """(broker, line number) of an answer -> time in ms of the request's arrival."""
        self.starts: dict[str, list[BrokerStarting]] = {}
        self.lives: dict[str, list[tuple[int, int]]] = {}
        for broker in trace.brokers:
            self.starts[broker] = trace.kind(BrokerStarting, broker)
            self.lives[broker] = [(life[0].at, life[-1].at) for life in trace.lives(broker)]
            came: dict[tuple[str, int], int] = {}
            for event in trace.of[broker]:
                if isinstance(event, Heard) and event.code in (LOCK, UNLOCK):
                    came[event.from_, event.opaque] = event.at
                elif isinstance(event, Answered) and event.code in (LOCK, UNLOCK):
                    self.heard[broker, event.row] = came.get((event.from_, event.opaque), event.at)
                    for q in event.asked.queues if event.asked.consumer_group == group else ():
                        self.requests[q].append(event)
                elif isinstance(event, Table) and (lock := lock_of(event)) and lock.group == group:
                    self.rows[lock.q].append(event)

    def span(self, event: Answered) -> tuple[int, int]:
        """Return the times in ms between which the broker has handled a request."""
        return self.heard[event.who, event.row], event.at

    def unchanged(self, q: str) -> Iterator[Unchanged]:
        """Yield one event after each possible change of a queue's lock, when polls must have seen it."""
        broker, rows = broker_of(q), self.rows[q]
        for event in self.requests[q]:
            if event.code == LOCK and q not in (event.said.granted or ()):
                continue
            begin, end = next((one for one in self.lives[event.who] if one[0] <= event.at <= one[1]), (0, 0))
            after = POLLED + self.trace.stood(broker, event.at, event.at + POLLED)
            at = event.at + after
            if at <= end and not self.trace.ending(broker, at):
                place = bisect_right(rows, at, key=lambda one: one.at)
                row = rows[place - 1] if place and rows[place - 1].at >= begin else None
                is_ = row.is_ if row else None
                yield Unchanged(at=at, who=broker, row=row.row if row else event.row, is_=is_, after=after)


class Consumer(Process):
    """History of one life of an ordered consumer, for all queues of its group."""

    def __init__(self, trace: Trace, who: str, life: Sequence[Event], calls: Calls, locks: Locks) -> None:
        """Find the process's events by queue."""
        super().__init__(trace, who, life)
        self.locks, self.id = locks, client_id(life)
        rows = life[0].row, life[-1].row
        own = [one for one in calls.all[who] if rows[0] <= one.ask.row <= rows[1]]
        self.calls = {
            (one.broker, one.answered.row): one for one in own if one.ask.code in (LOCK, UNLOCK) and one.answered
        }
        """(broker, line number of the answer) -> the process's lock or unlock request."""
        self.answers = {one.answer.row: one for one in own if one.ask.code == LOCK and one.answer}
        lists = (one.thread for one in of_kind(life, Ask) if one.code == LIST)
        self.threads = frozenset((REBALANCING, *lists))
        """Threads that rebalance: they request the group's consumer ids."""
        self.grants: defaultdict[str, list[Call]] = defaultdict(list)
        """Queue -> granted renewals that have an answer, by the time of the answer."""
        for call in sorted(self.answers.values(), key=lambda one: one.answer.row if one.answer else 0):
            for q in (call.answer.said.granted or ()) if call.answer else ():
                if not self.adds(call, q):
                    self.grants[q].append(call)
        self.returned: defaultdict[str, list[Call]] = defaultdict(list)
        for call in own:
            for q in call.ask.said.queues if call.ask.code == UNLOCK else ():
                self.returned[q].append(call)
        gone = sorted(removals(life, trace.release(who)), key=attrgetter("q"))
        self.removals: Mapping[str, list[Removal]] = {q: [*each] for q, each in groupby(gone, attrgetter("q"))}
        self.resets = [*resets_of(life, self.group, trace.end)]
        self.of: defaultdict[str, list[Event]] = defaultdict(list)
        self.allocated: defaultdict[str, list[Allocate]] = defaultdict(list)
        self.pulled: defaultdict[str, list[Ask | EntryNew]] = defaultdict(list)
        self.outcomes: defaultdict[str, list[int]] = defaultdict(list)
        """Queue -> line numbers of the results of its pulls."""
        self.subscribed: defaultdict[str, list[Subscribed | Unsubscribed]] = defaultdict(list)
        self.leaves = [one for one in life if isinstance(one, ShutdownBegin)]
        for event in life:
            self._add(event)

    def adds(self, call: Call, q: str) -> bool:
        """Return True if a rebalance has sent the lock request to add the queue.

        If the rebalance of another thread has added it before the answer, the request only renews the lock.
        """
        row = call.answer.row if call.answer else call.ask.row
        last = next((one for one in reversed(self._changes[q]) if one.row < row), None)
        return call.ask.thread in self.threads and not isinstance(last, EntryNew)

    @cached_property
    def _changes(self) -> Mapping[str, list[EntryNew | EntryGone]]:
        """Queue -> additions and removals of its process queues."""
        found: defaultdict[str, list[EntryNew | EntryGone]] = defaultdict(list)
        for one in self.life:
            if isinstance(one, EntryNew | EntryGone):
                found[one.q].append(one)
        return found

    def _add(self, event: Event) -> None:
        """Add an event of the process to those of its queues, and to what is looked up."""
        if isinstance(event, EntryNew | EntryGone | Begin | End) or (
            (isinstance(event, Entry) and event.in_table) or (isinstance(event, Pulled) and event.got)
        ):
            self.of[event.q].append(event)
        elif isinstance(event, Ask) and event.code == UNLOCK:
            for q in event.said.queues:
                self.of[q].append(event)
        elif isinstance(event, Answer) and event.row in self.answers:
            for q in self.answers[event.row].ask.said.queues:
                self.of[q].append(event)
        elif isinstance(event, Allocate) and not event.error:
            self.allocated[event.topic].append(event)
        elif isinstance(event, Subscribed | Unsubscribed):
            self.subscribed[event.topic].append(event)
        if isinstance(event, Pulled):
            self.outcomes[event.q].append(event.row)
        if isinstance(event, EntryNew) or (isinstance(event, Ask) and event.code == PULL):
            self.pulled[event.q if isinstance(event, EntryNew) else event.said.q or ""].append(event)

    @property
    def queues(self) -> list[str]:
        """The queues of the process, and those whose locks its group uses before its end."""
        locks, until = self.locks, self.life[-1].at
        of_group = (q for each in (locks.requests, locks.rows) for q, of in each.items() if of and of[0].at <= until)
        return sorted({*self.of, *of_group})


class Locked(Process):
    """History of one queue of an ordered consumer, with the lock of the queue at its broker."""

    polls = ()

    def __init__(self, member: Consumer, q: str) -> None:
        """Begin before the first event."""
        super().__init__(member.trace, member.who, member.life)
        self.member, self.locks, self.q, self.broker = member, member.locks, q, broker_of(q)

    @property
    def label(self) -> str:
        """Name of what is checked, for people."""
        return f"{self.who}, {self.q}"

    @property
    def topic(self) -> str:
        """The queue's topic."""
        return topic_of(self.q)

    @cached_property
    def begun(self) -> int:
        """Time in ms at which the machine begins: the queue has no lock before."""
        return min([0, *(one.at for one in self.events[:1])]) - POLLED

    def feed(self, event: Event) -> None:
        """Do nothing but note a shutdown: the history is read as a whole."""
        self.closing = self.closing or isinstance(event, ShutdownBegin)

    @cached_property
    def events(self) -> list[Event]:
        """The events about the queue and its lock up to the end of the process, and derived ones, by time."""
        member, q, last = self.member, self.q, self.life[-1]
        found: list[Event] = [*self.locks.starts.get(self.broker, ())]
        found += [one for one in self.locks.requests[q] if self._concerns(one)]
        found += [*self.locks.rows[q], *self.locks.unchanged(q)]
        found = [one for one in found if one.at <= last.at]
        found += [*member.of[q], *member.leaves]
        killed = self.trace.ended(self.who, last.at)
        if killed is not None and not member.leaves:
            found.append(Killed(at=killed, who=self.who, row=last.row))
        return sorted(found, key=lambda one: (one.at, not isinstance(one, BrokerStarting), one.row))

    def _concerns(self, event: Answered) -> bool:
        """Return True if an answer is about the process, or changes the lock."""
        granted = self.q in (event.said.granted or ())
        return event.code == UNLOCK or granted or (event.who, event.row) in self.member.calls

    # ---- Requests

    @property
    def _call(self) -> Call | None:
        """The process's request of the event; None if it has not sent it."""
        event = self.event
        if isinstance(event, Answer):
            return self.member.answers[event.row]
        call = self.member.calls.get((event.who, event.row))
        return call if call and event.asked.client_id == self.member.id else None

    @property
    def own(self) -> bool:
        """True if the process has sent the request of the event."""
        return self._call is not None

    @property
    def granted(self) -> bool:
        """True if the broker grants the lock."""
        return self.q in (self.event.said.granted or ())

    @property
    def rebalances(self) -> bool:
        """True if a rebalance has sent the lock request to add the queue; other requests renew locks."""
        call = self._call
        return call is not None and self.member.adds(call, self.q)

    @property
    def late(self) -> bool:
        """True if the answer to the lock request may come too late."""
        call = self._call
        return bool(call and call.answer and call.answer.at - call.ask.at > LEAST_WAIT)

    @property
    def heard(self) -> bool | None:
        """Whether the answer to the lock request reaches the consumer; None if it may come too late."""
        call = self._call
        return None if self.late else bool(call and call.answer)

    @property
    def merged(self) -> bool:
        """True if an earlier grant of a renewal reached the consumer while this one was under way."""
        call, grants = self._call, self.member.grants[self.q]
        if call is None or call not in grants or call.answered is None:
            return False
        before = grants[: grants.index(call)]
        return any(one.answer and one.answer.at >= call.answered.at for one in before)

    @property
    def unrecorded(self) -> bool:
        """True if a broker that has just started may have handled the process's request without an event."""
        call = self._call
        return bool(call and call.answered is None and self.trace.unheard(call.ask.at, self.at))

    @property
    def took(self) -> int:
        """Longest time in ms from the handling of the request by the broker to the event."""
        since, until = self.locks.span(self.event)
        return max(1, min(until - since, self.trace.slack(self.broker, since, until)))

    @property
    def more(self) -> bool | None:
        """False if no other unlock request of the process is under way; None if one may be."""
        since, until = self.locks.span(self.event)
        flies = (
            one.ask.at <= until and (one.answered is None or one.answered.at >= since)
            for one in self.member.returned[self.q]
            if one is not self._call and until - one.ask.at <= WITHIN
        )
        return None if any(flies) else False

    @property
    def party(self) -> int:
        """The client that has sent the request: ``ME`` if it has the client id of the process, else ``OTHER``."""
        return ME if self.event.asked.client_id == self.member.id else OTHER

    @property
    def frees(self) -> bool:
        """True if the sender of the unlock request may be the last client beside the process with the lock."""
        return not {"", self.member.id, self.event.asked.client_id}.isdisjoint(self._holders)

    @property
    def foreign(self) -> bool:
        """True if a client that is neither the sender of the request nor the process may hold the lock."""
        return bool({*self._holders} - {"", self.member.id, self.event.asked.client_id})

    @property
    def _holders(self) -> list[str]:
        """Clients that may have got the lock last when the broker handled the request."""
        since, until = self.locks.span(self.event)
        grants = [one for one in self.locks.requests[self.q] if self.q in (one.said.granted or ())]
        before = [one for one in grants if one.at <= since][-1:]
        beside = [one for one in grants if since <= one.at and self.locks.span(one)[0] <= until]
        return [one.asked.client_id or "" for one in (*before, *beside)] or [""]

    # ---- Polls of the broker's table

    @property
    def holder(self) -> int:
        """Holder of the lock in the polled row."""
        is_ = self.event.is_
        return NOBODY if is_ is None else ME if is_ == self.member.id else OTHER

    @property
    def polled(self) -> int:
        """Longest time in ms from the poll of the broker's table to its event."""
        event = self.event
        at: int = event.at
        if isinstance(event, Unchanged):
            return event.after - 1
        begun = max(one.at for one in self.locks.starts[self.broker] if one.at <= at)
        return min(POLLED + self.trace.stood(self.broker, at - POLLED, at), at - begun)

    @property
    def unheard(self) -> bool:
        """True if the broker may have handled requests without an event."""
        at = self.at
        return self.trace.unheard(at - POLLED, at)

    # ---- The process queue

    @property
    def revoked(self) -> bool:
        """True if the process queue is to be removed: it is not assigned, or a reset or a correction removes it."""
        row, q = self.event.row, self.q
        lists = self.member.allocated[self.topic]
        place = bisect_left(lists, row, key=attrgetter("row"))
        assigned = bool(place) and q in (lists[place - 1].result or ())
        return not assigned or self._reset

    @property
    def _reset(self) -> bool:
        """True if a reset, or the correction of an illegal offset, is removing the process queue."""
        at, q = self.at, self.q
        of_reset = any(one.concerns(q, at) for one in self.member.resets)
        return of_reset or any(one.covers(at) for one in self.member.removals.get(q, ()))

    @property
    def unpulled(self) -> bool:
        """True if the queue was not pulled for so long that a rebalance removes its process queue."""
        pulled = self.member.pulled[self.q]
        place = bisect_left(pulled, self.event.row, key=attrgetter("row"))
        return self.at - (pulled[place - 1].at if place else 0) > PULL_MAX_IDLE_TIME

    @property
    def of_former(self) -> bool:
        """True if the result belongs to a pull of the queue's former process queue: the present one has sent none."""
        row, pulled = self.event.row, self.member.pulled[self.q]
        place = bisect_left(pulled, row, key=attrgetter("row"))
        if place < 2 or not isinstance(pulled[place - 1], EntryNew) or not isinstance(pulled[place - 2], Ask):
            return False
        outcomes = self.member.outcomes[self.q]
        return bisect_left(outcomes, pulled[place - 2].row) == bisect_left(outcomes, row)

    @property
    def leaves_lock(self) -> bool:
        """True if the process queue can leave the table without an unlock request."""
        at = self.at
        changes = (one for one in self.member.subscribed[self.topic] if one.at <= at + STALL)
        unsubscribed = any(isinstance(one, Unsubscribed) for one in changes)
        away = any(since <= at <= until + ROUTED for since, until in self.trace.away(self.broker))
        return unsubscribed or away or self.corrects

    @property
    def corrects(self) -> bool:
        """True if an illegal offset of the queue is being corrected."""
        return any(one.illegal and one.covers(self.at) for one in self.member.removals.get(self.q, ()))

    @property
    def going(self) -> bool:
        """True if the process queue is being removed, or was removed just before."""
        event, own = self.event, of_kind(self.member.of[self.q], EntryGone)
        gone = next((one.at for one in own if one.entry == event.entry), self.trace.end)
        if gone <= event.at - STALL:
            return False
        soon = gone <= event.at + TRYING + STALL and (self.revoked or self.unpulled)
        return gone <= event.at or soon or self.closing or self._reset

    @property
    def returning(self) -> bool:
        """True if an unlock request of the process is under way, or is sent soon."""
        at, trace = self.at, self.trace
        until = at + trace.slack(self.who, at, at + STALL)
        until = at + trace.slack(self.who, at, until)
        return any(
            at - WITHIN <= one.ask.at <= until and (one.answered is None or one.answered.at >= at - STALL)
            for one in self.member.returned[self.q]
        )

    @property
    def shown_first(self) -> int:
        """Milliseconds for which a poll has shown the process queue before the event of its addition."""
        event = self.event
        polls = (one for one in of_kind(self.member.of[self.q], Entry) if one.entry == event.entry)
        first = min((one.at for one in polls if one.at <= event.at and one.row < event.row), default=event.at + 1)
        return event.at - first + 1 if event.at - first < STALL else 0

    @property
    def hesitates(self) -> int:
        """Milliseconds since the lock was checked for the listener's call, if the process queue has changed since."""
        event = self.event
        own = self.member.of[self.q]
        before = own[: bisect_left(own, event.row, key=attrgetter("row"))]
        since = takewhile(lambda one: not isinstance(one, Begin | End | EntryNew), reversed(before))
        near = [one.at for one in since if self._changes(one) and event.at - one.at < STALL]
        return event.at - near[-1] + 1 if near else 0

    def _changes(self, event: Event) -> bool:
        """Return True if the lock is denied, or the process queue is dropped or removed."""
        denied = isinstance(event, Answer) and self.q not in (event.said.granted or ())
        marked = isinstance(event, Entry) and (event.dropped or not event.locked)
        return denied or marked or isinstance(event, EntryGone | Ask)


def locked(trace: Trace, calls: Calls) -> Iterator[Locked]:
    """Yield the histories of all queues of all ordered consumers."""
    groups: dict[str, Locks] = {}
    for who, started in trace.consumers.items():
        if not trace.ordered(who):
            continue
        if started.group not in groups:
            groups[started.group] = Locks(trace, started.group)
        for life in trace.lives(who):
            member = Consumer(trace, who, life, calls, groups[started.group])
            yield from (Locked(member, q) for q in member.queues)
