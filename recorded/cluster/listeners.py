"""Listeners and offsets in memory: each call's messages were pulled for the entry, and each offset noted is behind
messages from which the listener has returned."""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from rebalance_proofs.model.subscriptions.limits import DEFAULTS
from rebalance_proofs.recorded.cluster.messages import Messages
from rebalance_proofs.recorded.cluster.requests import Calls
from rebalance_proofs.recorded.cluster.tally import Tally, Unexplained
from rebalance_proofs.recorded.cluster.trace import STALL, Trace
from rebalance_proofs.recorded.groups.broker import BrokerStarting
from rebalance_proofs.recorded.groups.broker import Table as Row
from rebalance_proofs.recorded.groups.event import Event
from rebalance_proofs.recorded.groups.member import (
    Answer,
    Ask,
    Begin,
    End,
    Entry,
    EntryGone,
    EntryNew,
    ListenerTime,
    OffsetRead,
    OffsetRemoved,
    OffsetUpdate,
    Pulled,
)

__all__ = ["Consumer", "listeners"]

QUERY = "QUERY_CONSUMER_OFFSET"
ILLEGAL = "OFFSET_ILLEGAL"
SUSPENDED = 20_000
"""A pull that finds nothing is answered after so long at least, if nothing comes (``brokerSuspendMaxTimeMillis``)."""
LOSS = 30_000
"""A broker that ends or begins can cost answers of pulls for so long: their time-out."""
NOTHING = ("NO_NEW_MSG", "NO_MATCHED_MSG")


@dataclass
class Call:
    """A call of the listener."""

    begin: Begin
    entry: "Table"
    least: int
    most: int
    """How long the listener is told to take, in ms; two numbers where it was told anew about that time."""
    end: End | None = None
    passed: Begin | None = None
    """The next call of its thread."""


@dataclass
class Table:
    """An entry of a queue, and its messages."""

    name: str
    since: int
    messages: dict[int, Call | None] = field(default_factory=dict)
    """Offset -> the call with the message; None while it waits."""
    waiting: int | None = None
    """The least offset that no call has begun with, if known."""
    top: int = -1
    """The greatest offset that was pulled (``queueOffsetMax``)."""
    next: int | None = None
    """The offset of the next pull; None if it is not known."""
    out: int | None = None
    """When it was first seen marked, or left the table."""
    low: int = 0
    """No offset below this one is without an end."""
    ends: int = 0
    noted: int = 0
    passed: int = 0
    """Calls that ended, offsets that were noted, and calls whose thread has gone on since."""
    corrects: Pulled | None = None
    """A pull that found nothing, whose next offset is noted if no message is left (``correctTagsOffset``)."""


@dataclass
class Flying:
    """A pull under way; of several where it is not known which of them was answered."""

    asks: list[Ask]
    tables: set[int]
    """The entries for which it was asked, by identity."""


class Consumer:
    """One process's listeners. Every event is told to ``held``, in order of time."""

    def __init__(self, trace: Trace, who: str, messages: Messages, calls: Calls, tally: Tally) -> None:
        self.pulls = {call.ask.row: call for call in calls.all[who] if call.ask.code == "PULL_MESSAGE"}
        self.trace, self.who, self.messages, self.tally = trace, who, messages, tally
        self.ordered = trace.ordered(who)
        self.ms = trace.consumers[who].ms
        self.from_first = trace.consumers[who].from_ == "FIRST"
        self.tables: dict[str, Table] = {}
        self.former: dict[str, Table] = {}
        self.read: dict[str, int] = {}
        self.calls: dict[str, Call] = {}
        """Thread -> its last call."""
        self.open: dict[tuple[str, int], Call] = {}
        self.queried: defaultdict[str, list[int]] = defaultdict(list)
        """Queue -> answers about its offset that the store has not taken yet."""
        self.asked: dict[int, Ask] = {}
        self.named: set[str] = set()
        """Queues that have had an entry."""
        self.illegal: dict[str, int] = {}
        self.flying: defaultdict[str, list[Flying]] = defaultdict(list)
        self.corrects: defaultdict[str, list[Pulled]] = defaultdict(list)
        """Pulls that found nothing, and whose offset was not noted yet."""
        group = trace.consumers[who].group
        rows = (row for broker in trace.brokers for row in trace.kind(Row, broker))
        self.changes = sorted(row.at for row in rows if row.of == group and row.what in ("subs", "members"))
        self.owed: list[tuple[Event, Table, str]] = []

    def steady(self, since: int, until: int) -> bool:
        """Whether nothing is known that could have cost an answer between these times."""
        away = any(not self.trace.alive(broker, since - LOSS, until) for broker in self.trace.brokers)
        restarts = (one.at for broker in self.trace.brokers for one in self.trace.kind(BrokerStarting, broker)[1:])
        still = any(self.trace.stood(one, since, until) for one in (self.who, *self.trace.brokers))
        late = any(self.trace.delayed(broker, since, until) for broker in self.trace.brokers)
        return not away and not still and not late and all(not since - LOSS < at < until + LOSS for at in restarts)

    def held(self, event: Event) -> None:
        """Hold one event. Raises ``Unexplained``."""
        kind = type(event).__name__.lower()
        rule = getattr(self, f"_{kind}", None)
        if rule is not None:
            rule(event)

    def _ask(self, event: Ask) -> None:
        self.asked[event.opaque] = event
        q = event.said.q
        if event.code != "PULL_MESSAGE" or q is None or q not in self.named:
            return
        table, offset = self.tables.get(q), event.said.queue_offset or 0
        if table is None or (table.out is not None and table.next != offset):
            table = self.former.get(q) or table
        if table is None:
            raise Unexplained(event, f"{q} is pulled, and has never had an entry")
        if table.out is not None:
            if event.at - table.out > self.trace.slack(self.who, table.out, event.at):
                raise Unexplained(
                    event, f"{q} is pulled, and its entry has left the table {event.at - table.out} ms before"
                )
            self.tally.widened += 1
        elif table.next is not None and offset != table.next:
            raise Unexplained(event, f"the pull is from {offset}, and the entry goes on at {table.next}")
        flying = self.flying[q]
        same = [one for one in flying if one.tables == {id(table)}]
        for one in same:
            self._failed(one.asks[0], event)
            flying.remove(one)
        flying.append(Flying([event], {id(table)}))
        table.next = offset
        self.tally.shown["pull-goes-on"] += 1
        self._corrected(table, event)

    def _failed(self, before: Ask, event: Ask) -> None:
        """The same entry is pulled anew: the pull before was refused, got lost, or has waited for too long."""
        call = self.pulls.get(before.row)
        took = event.at - before.at
        if call is not None and call.answered is not None:
            if call.answered.at > event.at + STALL:
                raise Unexplained(
                    event, f"the pull before (line {before.row}) was refused later, at {call.answered.at} ms"
                )
            self.tally.shown["pull-refused"] += 1
        elif took >= SUSPENDED or not self.steady(before.at, event.at):
            self.tally.widened += 1
        elif took >= DEFAULTS.retry and self._changed(before.at - STALL, event.at):
            # A pull that the broker has kept waiting is answered without its hook.
            self.tally.widened += 1
        else:
            raise Unexplained(event, f"the pull before (line {before.row}) had no result")

    def _changed(self, since: int, until: int) -> bool:
        """Whether a broker's record of the group was seen to change, by which pulls are let through."""
        place = bisect_left(self.changes, since)
        return place < len(self.changes) and self.changes[place] <= until

    def _corrected(self, table: Table, event: Ask) -> None:
        pulled, table.corrects = table.corrects, None
        none = all(call is not None and call.passed is not None for call in table.messages.values())
        if pulled is not None and none and pulled in self.corrects[pulled.q]:
            why = f"the pull before found nothing (line {pulled.row}), and its offset {pulled.next} was not noted"
            self.owed.append((event, table, why))

    def _answer(self, event: Answer) -> None:
        ask = self.asked.pop(event.opaque, None)
        if event.code == QUERY and ask and ask.said.q and event.said.offset is not None:
            self.queried[ask.said.q].append(event.said.offset)
        if event.code == "GET_MAX_OFFSET" and ask and ask.said.q and event.said.offset is not None:
            self.read[f"max {ask.said.q}"] = event.said.offset

    def _offsetread(self, event: OffsetRead) -> None:
        self.read[event.q] = event.result
        table = self.tables.get(event.q)
        if table is not None and self.ordered:
            table.next = self._begins(event.q)

    def _begins(self, q: str) -> int | None:
        """Where an entry begins by the last answer; None if that is not known."""
        result = self.read.get(q)
        if result is None or result >= 0:
            return result
        if result != -1:
            return None
        if q.startswith("%RETRY%") or self.from_first:
            return 0
        return self.read.get(f"max {q}")

    def _entrynew(self, event: EntryNew) -> None:
        self.named.add(event.q)
        begin = self._begins(event.q)
        self.tables[event.q] = Table(event.entry, event.at, next=begin, low=begin or 0)

    def _entrygone(self, event: EntryGone) -> None:
        table = self.tables.pop(event.q, None)
        if table is not None:
            table.out = table.out or event.at
            self.former[event.q] = table

    def _entry(self, event: Entry) -> None:
        table = self.tables.get(event.q)
        if table is not None and table.name == event.entry and event.dropped:
            table.out = table.out or event.at

    def _pulled(self, event: Pulled) -> None:
        self.messages.pulled(event)
        if event.status == ILLEGAL:
            self.illegal[event.q] = event.next
        flying = self.flying[event.q]
        least = event.got[0] if event.got else event.next
        able = [
            one
            for one in flying
            if event.status == ILLEGAL or any((a.said.queue_offset or 0) <= least for a in one.asks)
        ]
        if not able:
            asks = ", ".join(str(ask.said.queue_offset) for one in flying for ask in one.asks)
            raise Unexplained(event, f"no pull of the queue up to {least} is under way ({asks or 'none'})")
        if list(event.got) != sorted(set(event.got)) or (event.got and event.got[-1] >= event.next):
            raise Unexplained(event, f"offsets {list(event.got)} came, and the next is {event.next}")
        if event.next > event.max and event.status in ("FOUND", *NOTHING):
            raise Unexplained(event, f"the next offset is {event.next}, and the queue ends at {event.max}")
        one = able[0]
        flying.remove(one)
        if len(able) > 1:
            self.tally.widened += 1
            flying[:] = [Flying([*one.asks, *other.asks], one.tables | other.tables) for other in flying]
        of = set[int]().union(*(each.tables for each in able))
        for table in (self.tables.get(event.q), self.former.get(event.q)):
            if table is not None and id(table) in of:
                self._came(table, event, sure=len(able) == 1 and len(one.tables) == 1)
        if event.status in NOTHING:
            self.corrects[event.q].append(event)
        self.tally.shown["pulled"] += 1

    def _came(self, table: Table, event: Pulled, *, sure: bool) -> None:
        table.messages.update((offset, None) for offset in event.got if offset not in table.messages)
        table.top = max(table.top, *event.got) if event.got else table.top
        table.next = event.next if sure and event.status in ("FOUND", *NOTHING) else None
        table.corrects = event if sure and event.status in NOTHING else None

    def _begin(self, event: Begin) -> None:
        self.messages.begun(event)
        last = self.calls.get(event.thread)
        if last is not None and last.end is None:
            why = f"its thread is in a call since {last.begin.at} ms (line {last.begin.row})"
            raise Unexplained(event, why)
        if last is not None:
            last.passed = event
            self._gone_on(last, event)
        table = self._table(event)
        call = Call(event, table, self.ms, self.ms)
        for offset in event.offsets:
            before = table.messages.get(offset)
            if before is not None:
                raise Unexplained(event, f"offset {offset} was given to a listener before (line {before.begin.row})")
            table.messages[offset] = call
        if self.ordered:
            if any(one.entry is table and one.end is None for one in self.calls.values()):
                raise Unexplained(event, "another call of the queue has not returned")
            earlier = next(
                (one for one in table.messages if table.messages[one] is None and one < event.offsets[0]), None
            )
            if earlier is not None:
                raise Unexplained(event, f"offset {earlier} comes first")
        self.calls[event.thread] = call
        self.open[event.q, event.offsets[0]] = call
        self.tally.shown["call"] += 1

    def _table(self, event: Begin) -> Table:
        table, former = self.tables.get(event.q), self.former.get(event.q)
        if table is not None and all(offset in table.messages for offset in event.offsets):
            return table
        if former is not None and all(offset in former.messages for offset in event.offsets):
            since = event.at - (former.out or event.at)
            if since <= self.trace.slack(self.who, former.out or event.at, event.at):
                self.tally.widened += 1
                return former
            raise Unexplained(event, f"the entry for which it was pulled has left the table {since} ms before")
        raise Unexplained(event, f"offset {event.offsets[0]} was not pulled for the queue's entry")

    def _gone_on(self, call: Call, event: Event) -> None:
        table = call.entry
        if call.end and call.end.interrupted and self.ordered:
            return
        table.passed += 1
        if table.noted < table.passed:
            self.owed.append((event, table, f"{call.begin.q}: nothing was noted when its listener had returned"))
            table.passed -= 1
            table.ends -= 1

    def _end(self, event: End) -> None:
        call = self.open.pop((event.q, event.from_), None)
        if call is None:
            raise Unexplained(event, f"no call with offset {event.from_} has begun")
        begin = call.begin
        if event.to != begin.offsets[-1]:
            raise Unexplained(event, f"the call was with offsets up to {begin.offsets[-1]}, not {event.to}")
        took, least, most = (event.at - begin.at, *(ms * len(begin.offsets) for ms in (call.least, call.most)))
        if took < least - 1 and not event.interrupted:
            raise Unexplained(event, f"the listener takes {least} ms, and it has returned after {took} ms")
        if took > most + self.trace.slack(self.who, begin.at, event.at):
            raise Unexplained(event, f"the listener takes {most} ms, and it has returned after {took} ms")
        self.tally.widened += took > most + STALL
        call.end = event
        call.entry.ends += 1
        self.tally.shown["return"] += 1

    def _listenertime(self, event: ListenerTime) -> None:
        self.ms = event.ms
        for call in self.open.values():
            if call.begin.at > event.at - STALL:
                call.least, call.most = min(call.least, event.ms), max(call.most, event.ms)

    def _offsetremoved(self, event: OffsetRemoved) -> None:
        self.queried.pop(event.q, None)

    def _offsetupdate(self, event: OffsetUpdate) -> None:
        if not event.increase_only and self._told(event):
            self.tally.shown["noted-as-told"] += 1
            return
        corrects = [one for one in self.corrects[event.q] if one.next == event.offset]
        if event.increase_only and corrects:
            self.corrects[event.q].remove(corrects[0])
            self.tally.shown["corrected"] += 1
            return
        known = [one for one in (self.tables.get(event.q), self.former.get(event.q)) if one is not None]
        whys = [why for one in known if (why := self._noted(one, event)) is not None]
        if len(whys) == len(known):
            raise Unexplained(event, whys[0] if whys else f"{event.q} has no entry")
        self.tally.shown["noted"] += 1

    def _told(self, event: OffsetUpdate) -> bool:
        """Whether the offset is a broker's answer, or corrects an illegal one."""
        answers = self.queried.get(event.q, [])
        if event.offset in answers:
            answers.remove(event.offset)
            return True
        return self.illegal.pop(event.q, None) == event.offset

    def _noted(self, table: Table, event: OffsetUpdate) -> str | None:
        """Why the offset cannot be noted for that entry; None if it can, which is counted then."""
        if table.noted >= table.ends:
            return f"offset {event.offset} is noted, and no listener has returned since"
        if self.ordered:
            done = table.messages.get(event.offset - 1)
            if done is None or done.end is None or done.begin.offsets[-1] != event.offset - 1:
                return f"offset {event.offset} is noted, and no listener has returned from the one before"
        else:
            why = self._least(table, event)
            if why:
                return why
        table.noted += 1
        return None

    def _least(self, table: Table, event: OffsetUpdate) -> str:
        """``removeMessage`` gives the least offset that is left, or that behind the last one."""
        value, low = event.offset, table.low
        while low < value and (low not in table.messages or self._over(table, low)):
            low += 1
        table.low = max(table.low, low)
        if low < value:
            return f"offset {value} is noted, and the listener has not returned from {low}"
        if value == table.top + 1:
            return ""
        if value not in table.messages:
            return f"offset {value} is noted, which was not pulled"
        call = table.messages[value]
        passed = None if call is None else call.passed
        if passed is None:
            return ""
        # Who notes it has taken its own message out before that: its call had returned then.
        pending = (one.end for one in self.calls.values() if one.entry is table and one.end is not None)
        if any(end.row < passed.row for end in pending if end is not None):
            return ""
        return f"offset {value} is noted, and the message was done with before (line {passed.row})"

    @staticmethod
    def _over(table: Table, offset: int) -> bool:
        call = table.messages[offset]
        return call is not None and call.end is not None

    def finish(self, last: Event) -> None:
        """Hold what was owed: nothing is noted for an entry that was marked. Raises ``Unexplained``."""
        for event, table, why in self.owed:
            if table.out is None or table.out > event.at + self.trace.slack(self.who, event.at, event.at + STALL):
                raise Unexplained(event, why)
        for call in self.open.values():
            least = call.most * len(call.begin.offsets)
            alive = self.trace.alive(self.who, call.begin.at, last.at)
            if alive and last.at - call.begin.at > least + self.trace.slack(self.who, call.begin.at, last.at):
                raise Unexplained(call.begin, f"the listener takes {least} ms, and has not returned")


def listeners(trace: Trace, messages: Messages, calls: Calls, tally: Tally) -> None:
    """Hold all consumers' listeners and offsets in memory."""
    for who in trace.consumers:
        for life in trace.lives(who):
            tally.about += 1
            _one(trace, who, life, messages, calls, tally)


def _one(trace: Trace, who: str, life: Sequence[Event], messages: Messages, calls: Calls, tally: Tally) -> None:
    consumer = Consumer(trace, who, messages, calls, tally)
    try:
        for event in life:
            consumer.held(event)
            tally.events += 1
        consumer.finish(life[-1])
    except Unexplained as found:
        tally.reject(who, found)
