"""What a recording shows of a queue's offsets at one process (``machines.offsets.recorded.AtQueue``)."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice, takewhile

from rebalance_proofs.model.client.process_queue_table import PULL_MAX_IDLE_TIME
from rebalance_proofs.model.client.pull_from_where import ConsumeFromWhere, is_retry
from rebalance_proofs.model.machines.offsets.state import Limits
from rebalance_proofs.model.offsets.broker import NONE
from rebalance_proofs.model.transition.numbers import WHERES
from rebalance_proofs.recorded.cluster.follower.committed import Committed, again, commit, committed
from rebalance_proofs.recorded.cluster.follower.history import Killed, Process, Returned
from rebalance_proofs.recorded.cluster.follower.stored import (
    ABSENT,
    LATE,
    NOTHING,
    OK,
    STORED,
    Consumer,
    Known,
)
from rebalance_proofs.recorded.cluster.names import broker_of
from rebalance_proofs.recorded.cluster.requests import Call, Calls
from rebalance_proofs.recorded.cluster.trace import STALL, Trace
from rebalance_proofs.recorded.groups import member as m
from rebalance_proofs.recorded.groups.broker import Answered, Table
from rebalance_proofs.recorded.groups.event import PULL, PULLING, QUERY, UPDATE, Event

BEYOND = 1 << 40
"""Offset of a message that never arrives, for facts about a queue without any message."""
WHERE = {"FIRST": ConsumeFromWhere.FIRST_OFFSET, "LAST": ConsumeFromWhere.LAST_OFFSET}


class Queue(Process):
    """History of one queue of a process, up to an illegal offset; and of its followed messages."""

    polls = ()

    def __init__(self, member: Consumer, q: str, part: Sequence[Event]) -> None:
        """Begin before the first event of ``part``."""
        super().__init__(member.trace, member.who, member.life)
        self.member, self.queue, self.part = member, q, part
        self.message: int | None = None
        self.committed = member.brokers.get((self.group, q)) or Committed(broker_of(q))
        self.begun = part[0].at
        self.own = member.of.get(q, [])
        self._own_times = [(one.at, one.row) for one in self.own]
        self._part_times = [one.at for one in part]
        self._returned: dict[int, m.End] = {}
        self._fresh: tuple[int, ...] = ()
        self._followed: set[int] = set()

    @property
    def label(self) -> str:
        """Name of what is checked, for people."""
        return f"{self.who}, {self.queue}"

    def turn(self, name: str) -> None:
        """Turn to the queue, or to one of its messages."""
        self.message = int(name) if name else None

    @property
    def base(self) -> bool:
        """True for the queue without regard to any message."""
        return self.message is None

    @property
    def limits(self) -> Limits:
        """The machine's parameters for the queue without regard to any message."""
        return self._limits(BEYOND)

    def _limits(self, message: int) -> Limits:
        where = ConsumeFromWhere.FIRST_OFFSET if is_retry(self.topic) else WHERE.get(self.started.from_)
        return Limits(message, WHERES.index(where or ConsumeFromWhere.TIMESTAMP))

    @property
    def initially(self) -> Iterator[Mapping[str, int]]:
        """Yield the values of the machine's first state."""
        yield {"committed": self.committed.at(self.begun)}

    @cached_property
    def events(self) -> list[Event]:
        """The queue's events and derived ones, by time."""
        found: list[tuple[int, int, Event]] = [(one.at, number, one) for number, one in enumerate(self.part)]
        last = self.part[-1]
        for number, one in enumerate(self.part):
            if isinstance(one, m.End) and (at := one.at + self.slack(one.at, one.at + STALL) + 1) <= last.at:
                made = Returned(at=at, who=one.who, row=one.row, end=one)
                self.member.before[id(made), self.queue] = self._at_time(at)
                found.append((at, number, made))
        killed = self.trace.ended(self.who, self.life[-1].at)
        if killed is not None and self.member.leaves is None and self.part is self.member.lives[self.queue][-1]:
            made_last = Killed(at=max(killed, last.at), who=self.who, row=self.life[-1].row)
            self.member.before[id(made_last), self.queue] = self._at_time(made_last.at)
            found.append((made_last.at, len(self.part), made_last))
        return [one for _, _, one in sorted(found, key=lambda each: each[:2])]

    def _at_time(self, at: int) -> Known:
        """Return what is known at a time: before the next event, or before the last one."""
        place = min(bisect_left(self._part_times, at), len(self.part) - 1)
        return self.member.before[id(self.part[place]), self.queue]

    def slack(self, since: int, until: int) -> int:
        """Return how many ms late an event of the process can be that belongs between two times."""
        return self.trace.slack(self.who, since, until)

    @property
    def known(self) -> Known:
        """What is known of the queue before the event."""
        return self.member.before[id(self.event), self.queue]

    # ---- Messages

    @property
    def brought(self) -> list[Limits]:
        """Limits of the messages that are followed from the event on: a pull brings them."""
        event = self.event
        self._fresh = ()
        if isinstance(event, m.Pulled) and (known := self.known).entry:
            chosen = self.member.told.chosen
            found = [one for one in event.got if (self.queue, known.entry, one) in chosen]
            self._fresh = tuple(one for one in found if one not in self._followed)
            self._followed.update(found)
        return [self._limits(one) for one in self._fresh]

    def forget(self, name: str) -> None:
        """Note that a message is no longer followed."""
        self._followed.discard(int(name))

    @property
    def fresh(self) -> bool:
        """True if the event's pull has brought the message, which was not followed before."""
        return self.message in self._fresh

    def concerns(self, name: str) -> bool:
        """Return True unless the event is about a listener call without the message."""
        event, message = self.event, int(name)
        event = event.end if isinstance(event, Returned) else event
        if isinstance(event, m.Begin):
            return event.offsets[0] <= message <= event.offsets[-1]
        return not isinstance(event, m.End) or event.from_ <= message <= event.to

    def feed(self, event: Event) -> None:
        """Note which listener calls have returned."""
        if isinstance(event, m.Begin):
            for offset in range(event.offsets[0], event.offsets[-1] + 1):
                self._returned.pop(offset, None)
        elif isinstance(event, m.End) and not self._early(event):
            called, last = self._call(event)
            if called is last:
                self._returned.update(dict.fromkeys(range(event.from_, event.to + 1), event))

    @property
    def returned(self) -> m.End | None:
        """The return of the message's last listener call, or None."""
        return None if self.message is None else self._returned.get(self.message)

    @property
    def after(self) -> int:
        """Offset after the messages of the listener call that has returned."""
        return self.returned.to + 1 if self.returned else 0

    @property
    def half(self) -> bool:
        """True if the listener was interrupted before its work was done."""
        event = self.event.end if isinstance(self.event, Returned) else self.event
        event = event if isinstance(event, m.End) else self.returned
        return event is not None and event.interrupted

    @property
    def overdue(self) -> bool:
        """True if nothing was stored since the return that the derived event is about."""
        return self.returned is self.event.end

    def _call(self, event: m.End) -> tuple[m.Begin | None, m.Begin | None]:
        """Return the listener call that returns, and the last call with the same message; None if unknown."""
        begins = self.member.told.begins.get((self.queue, event.from_), ())
        calls = [one for one in begins if one.row < event.row]
        own = [one for one in calls if event.thread in (None, one.thread)]
        return (own[-1], calls[-1]) if own else (None, None)

    def _early(self, event: m.End) -> bool:
        """Return True if the call began before an illegal offset, from which on the queue is followed again."""
        called, _ = self._call(event)
        return called is not None and self.begun > self.member.lives[self.queue][0][0].at and called.at < self.begun

    @property
    def early_call(self) -> bool:
        """True if the listener call that returns began before the machine."""
        return self._early(self.event)

    @property
    def former_call(self) -> bool:
        """True if the listener call that returns is one of a former process queue; the next one has the message."""
        called, last = self._call(self.event)
        return called is not last

    # ---- Races: for how many ms before its event an action can have happened

    def _lately(self, within: int) -> Iterator[Event]:
        """Yield the process's own events about the queue before the event, at most ``within`` ms; the last first."""
        event = self.event
        for place in range(bisect_left(self._own_times, (event.at, event.row)) - 1, -1, -1):
            if self._own_times[place][0] < event.at - within:
                return
            yield self.own[place]

    def _since(self, found: Iterable[Event]) -> int:
        """Return the time in ms from just before the first of some events, or 0 if there are none."""
        first = min((one.at for one in found), default=None)
        return 0 if first is None else self.at - first + 1

    def _removing(self, within: int) -> int:
        """Return for how many ms the process queue may have been removed or dropped before the event, or 0."""
        event, marks = self.event, self._marks
        place = bisect_left(marks, event.at - within, key=lambda one: one.at)
        return self._since(one for one in marks[place : place + 1] if (one.at, one.row) < (event.at, event.row))

    @cached_property
    def _marks(self) -> list[Event]:
        """The process's own events that show a removal of the process queue, or a dropped one."""
        found = (one for one in self.own if isinstance(one, m.Persist | m.EntryGone | m.Entry))
        return [one for one in found if not isinstance(one, m.Entry) or one.dropped]

    @property
    def hesitates(self) -> int:
        """Milliseconds for which the process queue is being removed while the listener is called."""
        return self._removing(self.slack(self.at - STALL, self.at))

    @property
    def crosses(self) -> int:
        """Milliseconds for which the process queue has been removed while an offset is stored."""
        event = self.event
        late = event.increase_only and any(
            isinstance(one, m.Pulled) and one.status in NOTHING and one.next == event.offset
            for one in self._lately(STALL)
        )
        return self._removing(LATE + STALL if late else self.slack(self.at - STALL, self.at))

    @property
    def ahead(self) -> int:
        """Milliseconds for which a commit has shown the offset before the event of its update."""
        event = self.event
        if self.crosses:
            return 0
        asks = self.member.commits[self.queue]
        place = bisect_left(asks, (event.at, event.row), key=lambda one: (one.at, one.row))
        near = takewhile(lambda one: one.at > event.at - STALL, reversed(asks[:place]))
        found = [one for one in near if commit(one) == event.offset and self._owes(one)]
        if not found:
            return 0
        notes = (one for one in self._lately(event.at) if isinstance(one, m.OffsetUpdate) and one.row < found[-1].row)
        before = next(notes, None)
        return 0 if before and before.offset == event.offset else self._since(found)

    def _owes(self, event: Event) -> bool:
        """Return True if a listener has returned, or a pull has ended, whose offset is not stored before an event."""
        known = self.member.before.get((id(event), self.queue))
        return known is not None and known.owed > 0

    @property
    def reads(self) -> int:
        """Milliseconds for which the offset in memory may have changed between its reading and the commit."""
        event, known = self.event, self.known
        since = known.persisting if known.listed else event.at
        since = min(since, known.removed) if known.unsent else since
        since = known.since if event.code == PULL else since
        since = since if known.going is None else min(since, known.going)
        changes = (m.OffsetUpdate, m.OffsetRemoved, m.Persist, m.EntryGone)
        return self._since(one for one in self._lately(event.at - since) if isinstance(one, changes))

    @property
    def polls_late(self) -> int:
        """Milliseconds for which the committed offset may have changed between its reading and the event."""
        event = self.event
        if self.value == self.known.committed or self.sent:
            return 0
        place = bisect_left(self._part_times, event.at - STALL)
        near = takewhile(lambda one: one.at <= event.at, islice(self.part, place, None))
        earlier = (one for one in near if (one.who, one.row) < (event.who, event.row))
        return self._since(
            one for one in earlier if isinstance(one, Table) or (isinstance(one, Answered) and one.code == UPDATE)
        )

    # ---- The broker

    @property
    def value(self) -> int:
        """Offset in the event, ``NONE`` for none: the committed one in a poll or an answer, or that of a commit."""
        event = self.event
        if isinstance(event, Table):
            return NONE if event.is_ is None else int(event.is_)
        if isinstance(event, Answered) and event.code == QUERY:
            return event.said.offset if event.said.code == OK and event.said.offset is not None else NONE
        if isinstance(event, Answered):
            return NONE if event.asked.commit_offset is None else event.asked.commit_offset
        value = commit(event) if isinstance(event, m.Ask) else None
        return NONE if value is None else value

    @property
    def commits(self) -> bool:
        """True if the request commits an offset."""
        return commit(self.event) is not None

    @property
    def polled(self) -> bool:
        """True if the event is a poll of the broker's table."""
        return isinstance(self.event, Table)

    @property
    def sent(self) -> bool:
        """True if a commit of the event's offset was sent and may not have arrived before the event."""
        event = self.event
        landed = isinstance(event, Answered) and (event.who, event.row) in self.committed.landed
        return landed or self.committed.under_way(self.trace, self.value, event.at)

    @property
    def resets(self) -> bool:
        """True if the broker has reset the offset, and no pull has used that: it may ignore commits."""
        return self.committed.is_reset(self.at)

    @property
    def reset_answer(self) -> bool:
        """True if the broker answers with the offset of a reset that no pull has used."""
        return isinstance(self.event, Answered) and self.committed.is_reset(self.at, self.value)

    @property
    def loads(self) -> bool:
        """True if the broker may have loaded the offset at its restart."""
        if not self.known.loaded:
            return False
        value, at = self.value, self.at
        return value == NONE or self.committed.was(value, at - 1) or self.committed.under_way(self.trace, value, at)

    @property
    def answers(self) -> bool:
        """True if the broker answers the query with an offset, or that it has none."""
        return self.event.said.code in (OK, ABSENT)

    @property
    def answers_zero(self) -> bool:
        """True if the broker answers 0, as it may if it has no offset."""
        event = self.event
        return isinstance(event, Answered) and event.code == QUERY and event.said.code == OK and self.value == 0

    @property
    def _call_of(self) -> Call | None:
        return self.member.calls.get((self.event.who, self.event.row))

    @property
    def rebalances(self) -> bool:
        """True if a rebalance has sent the query and reads its answer."""
        call = self._call_of
        if call is None or call.ask.thread == PULLING or call.answer is None:
            return False
        ask = call.ask
        read = next((one for one in self.own if isinstance(one, m.OffsetRead) and one.row > ask.row), None)
        return read is not None and read.row > call.answer.row

    @property
    def twice(self) -> bool:
        """True if another thread's rebalance queries the offset of the queue at about the same time.

        ``resume()`` rebalances on its caller's thread. The machine has one query of a queue, and one adds the queue.
        """
        call = self._call_of
        if call is None:
            return False
        over, ask = call.answer.at if call.answer else call.ask.at, call.ask
        return any(
            (one.ask.code, one.ask.said.q) == (QUERY, ask.said.q)
            and one.ask.thread not in (PULLING, ask.thread)
            and one.answer is not None
            and one.ask.at <= over
            and ask.at <= one.answer.at + STALL
            for one in self.member.calls.values()
        )

    # ---- The process queue and the offset in memory

    @property
    def idle(self) -> int:
        """Milliseconds since the last pull of the queue, or since the creation of its process queue."""
        return self.at - self.known.pulled

    @property
    def unpulled(self) -> bool:
        """True if the queue was not pulled for so long that a rebalance removes its process queue."""
        return self.idle > PULL_MAX_IDLE_TIME

    @property
    def revoked(self) -> bool:
        """True if the queue is not assigned to the process, or the process is shutting down."""
        return not self.known.mine or self.known.closing

    @property
    def again(self) -> bool:
        """True if the offset of the process queue was persisted once: an ordered consumer's reset does it twice."""
        return self.ordered and self.release >= (5, 2) and self.known.persisted == 1 and bool(self.known.entry)

    @property
    def late_pull(self) -> bool:
        """True if a pull of a former process queue may have no answer yet."""
        return self.known.former > 0 and self.at - self.known.gone < LATE

    @property
    def just_gone(self) -> bool:
        """True if the process queue was removed so short ago that a pull of it may be sent."""
        gone = self.known.gone
        return bool(gone) and self.at - gone <= self.slack(gone, self.at)

    @property
    def due(self) -> bool:
        """True if a ``persistAll`` or a removal may send the commit."""
        return bool(self.known.listed) or self.known.unsent > 0

    @property
    def moved(self) -> bool:
        """True if a reset by the broker moves the pull."""
        return self.committed.is_reset(self.at, self.event.next)

    @property
    def unmoved(self) -> bool:
        """True if a reset by the broker should have moved the pull."""
        return bool(self.known.entry) and self.committed.is_unmoved(self.known.pulled, self.at)

    @property
    def aim(self) -> int | None:
        """Offset to which a reset of the process sets the queue, or None. It shows when it is stored in memory."""
        reset = self.member.reset(self.queue, self.at)
        if reset is None:
            return None
        notes = (one for one in self.own if isinstance(one, m.OffsetUpdate) and not one.increase_only)
        notes = (one for one in notes if self.at <= one.at <= reset.until)
        allows = self.member.targets.allows
        return next((one.offset for one in notes if allows(reset, self.queue, one.offset)), 0)

    @cached_property
    def _asked(self) -> list[m.Ask]:
        return [one for one in self.member.commits[self.queue] if one.code == UPDATE]

    @property
    def _leaving(self) -> list[m.Ask]:
        """Commits after the event, before the process queue leaves the table."""
        event = self.event
        ends = (one.row for one in self.own if isinstance(one, m.EntryNew | m.EntryGone) and one.row > event.row)
        until = next(ends, None)
        return [one for one in self._asked if one.row > event.row and (until is None or one.row < until)]

    @property
    def persisted(self) -> Sequence[int]:
        """Offsets that the process commits after the event, before the process queue leaves the table."""
        return [value for one in self._leaving if (value := commit(one)) is not None]

    @property
    def only_removes(self) -> bool:
        """True if no ``persistAll`` sends one of these commits."""
        last = max((one.row for one in self._leaving), default=0)
        calls = (one.row for one in self.member.life if isinstance(one, m.PersistAll))
        return not self.known.listed and not any(self.event.row < row < last for row in calls)

    @property
    def shut(self) -> int | None:
        """Offset that the shutdown has committed, or None."""
        found = [one for one in self._asked if one.row > (self.member.leaves or 0)]
        return commit(found[-1]) if found else None

    @property
    def overtaken(self) -> bool:
        """True if an offset was stored in memory between the read of the committed one and the event, or soon after."""
        event = self.event
        after = (self.member.leaves or 0) if isinstance(event, m.EntryGone) else event.row
        asks = [one for one in self._asked if one.row > after]
        if not asks:
            return False
        ask = asks[-1] if isinstance(event, m.EntryGone) else asks[0]
        reads = [one.row for one in self.member.life if isinstance(one, m.PersistAll) and after < one.row < ask.row]
        first, last = min([event.row, ask.row, *reads[-1:]]), max(event.row, ask.row)
        until = next((one.row for one in self.own if isinstance(one, m.EntryNew) and one.row > last), None)
        notes = [one for one in self.own if isinstance(one, m.OffsetUpdate) and (until is None or one.row < until)]
        before = [one.offset for one in notes if one.row < first][-1:]
        stored = [one for one in notes if self._is_stored(one)]
        beside = [one.offset for one in stored if first < one.row < last or ask.at <= one.at < ask.at + STALL]
        return bool(beside) and commit(ask) in (*before, *beside)

    def _is_stored(self, event: m.OffsetUpdate) -> bool:
        """Return True if a listener or a pull stores the offset."""
        return (known := self.member.before.get((id(event), self.queue))) is not None and known.how == STORED


def queues(trace: Trace, calls: Calls) -> Iterator[Queue]:
    """Yield the histories of all queues of all consumers."""
    brokers, twice = committed(trace, calls), again(trace)
    for who in trace.consumers:
        for life in trace.lives(who):
            member = Consumer(trace, who, life, calls, brokers, twice)
            for q, parts in member.lives.items():
                yield from (Queue(member, q, part) for part in parts if part)
