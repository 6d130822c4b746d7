"""Check one consumer's pulls and their results.

Each pull must continue at the offset of its process queue, and each result must belong to an unanswered pull.
"""

from bisect import bisect_left
from collections import defaultdict
from dataclasses import dataclass, field

from rebalance_proofs.model.machines.subscriptions.state import DEFAULTS
from rebalance_proofs.recorded.cluster.beats import REFUSED
from rebalance_proofs.recorded.cluster.messages import Messages
from rebalance_proofs.recorded.cluster.requests import Calls
from rebalance_proofs.recorded.cluster.tally import Tally, Unexplained
from rebalance_proofs.recorded.cluster.trace import STALL, Trace
from rebalance_proofs.recorded.groups.broker import BrokerStarting
from rebalance_proofs.recorded.groups.broker import Table as Row
from rebalance_proofs.recorded.groups.event import ILLEGAL, PULL, Event
from rebalance_proofs.recorded.groups.member import Ask, Begin, End, Entry, EntryGone, EntryNew, OffsetRead, Pulled

# One consumer's process queues and their messages, as far as events show them.


@dataclass
class Call:
    """A listener call that has begun."""

    begin: Begin
    entry: "Table"
    least: int
    most: int
    """Shortest and longest duration of the call in ms.

    The driver can change the duration during the call.
    """
    end: End | None = None
    passed: Begin | None = None
    """The next listener call of the same thread."""


@dataclass
class Table:
    """The process queue of one queue at a consumer, with its pulled messages."""

    name: str
    since: int
    messages: dict[int, Call | None] = field(default_factory=dict)
    """Offset -> the listener call with this message.

    The value is None while the message waits for the listener.
    """
    top: int = -1
    """The greatest pulled offset (``ProcessQueue.queueOffsetMax``)."""
    next: int | None = None
    """The offset of the next pull; None if it is not known."""
    out: int | None = None
    """Time in ms at which the process queue was first observed as dropped, or was removed."""
    low: int = 0
    """The listener has returned from all messages below this offset."""
    ends: int = 0
    noted: int = 0
    passed: int = 0
    """Counters of ended listener calls, of stored offsets, and of threads that continued.

    A thread continues after its listener call has ended.
    """
    corrects: Pulled | None = None
    """A pull result without messages.

    Its next offset is stored if no message is left (``correctTagsOffset``).
    """


class Tables:
    """The process queues of one process: current ones, and the previous one of each queue."""

    def __init__(self, trace: Trace, who: str) -> None:
        self.ordered = trace.ordered(who)
        self.from_first = trace.consumers[who].from_ == "FIRST"
        self.now: dict[str, Table] = {}
        self.former: dict[str, Table] = {}
        self.read: dict[str, int] = {}
        """Queue -> last offset that the store read for it.

        ``max QUEUE`` -> the queue's last known end.
        """
        self.named: set[str] = set()
        """Names of queues for which the consumer has had a process queue."""
        self.owed: list[tuple[Event, Table, str]] = []
        """Possible errors, each as (event, process queue, error).

        An error counts unless the process queue turns out to have been dropped before the event.
        """

    def known(self, q: str) -> list[Table]:
        """Return the current and the previous process queue of a queue, as far as they exist."""
        return [one for one in (self.now.get(q), self.former.get(q)) if one is not None]

    def offset_read(self, event: OffsetRead) -> None:
        """Process an offset from the store: an ordered queue's first pull starts there."""
        self.read[event.q] = event.result
        table = self.now.get(event.q)
        if table is not None and self.ordered:
            table.next = self._begins(event.q)

    def end_read(self, q: str, offset: int) -> None:
        """Process a queue's end: without an offset in the store, an ordered queue's first pull starts there."""
        self.read[f"max {q}"] = offset
        table = self.now.get(q)
        if table is not None and self.ordered and self.read.get(q) == -1:
            table.next = self._begins(q)

    def _begins(self, q: str) -> int | None:
        """Return the start offset of a new process queue by the brokers' last answers.

        Return None if not known.
        """
        result = self.read.get(q)
        if result is None or result >= 0:
            return result
        if result != -1:
            return None
        if q.startswith("%RETRY%") or self.from_first:
            return 0
        return self.read.get(f"max {q}")

    def entry_new(self, event: EntryNew) -> None:
        """Add a process queue, which a rebalance has added."""
        self.named.add(event.q)
        begin = self._begins(event.q)
        self.now[event.q] = Table(event.entry, event.at, next=begin, low=begin or 0)

    def entry_gone(self, event: EntryGone) -> None:
        """Remove a process queue from the current ones."""
        table = self.now.pop(event.q, None)
        if table is not None:
            table.out = table.out or event.at
            self.former[event.q] = table

    def entry_seen(self, event: Entry) -> None:
        """Note that a poll of the client showed a process queue as dropped."""
        table = self.now.get(event.q)
        if table is not None and table.name == event.entry and event.dropped:
            table.out = table.out or event.at


SUSPENDED = 20_000
"""Shortest time in ms after which a broker answers an empty pull.

It is ``brokerSuspendMaxTimeMillis``.
"""
LOSS = 30_000
"""Time in ms around a broker's start or end in which answers to pulls can be lost.

It is the time-out of a pull.
"""
NOTHING = ("NO_NEW_MSG", "NO_MATCHED_MSG")


@dataclass
class Flying:
    """An unanswered pull, or several pulls if it is not known which of them was answered."""

    asks: list[Ask]
    tables: set[int]
    """Identities of the process queues for which the pulls were sent."""


class Pulls:
    """Checks the pulls of one process."""

    def __init__(self, trace: Trace, who: str, tables: Tables, messages: Messages, calls: Calls, tally: Tally) -> None:
        self.trace, self.who, self.tables, self.messages, self.tally = trace, who, tables, messages, tally
        self.pulls = {call.ask.row: call for call in calls.all[who] if call.ask.code == PULL}
        self.flying: defaultdict[str, list[Flying]] = defaultdict(list)
        self.corrects: defaultdict[str, list[Pulled]] = defaultdict(list)
        """Queue -> results without messages whose next offset was not stored in memory yet."""
        self.threw: dict[str, int] = {}
        """Queue -> time in ms of the last exception in a thread that handles its pulls."""
        self.illegal: dict[str, int] = {}
        """Queue -> offset that a broker proposed instead of an illegal one."""
        group = trace.consumers[who].group
        rows = (row for broker in trace.brokers for row in trace.kind(Row, broker))
        self.changes = sorted(row.at for row in rows if row.of == group and row.what in ("subs", "members"))

    def asks(self, event: Ask) -> None:
        """Check a request that is about to be sent. Raises ``Unexplained`` for an impossible pull."""
        q = event.said.q
        if event.code != PULL or q is None or q not in self.tables.named:
            return
        table, offset = self.tables.now.get(q), event.said.queue_offset or 0
        if table is None or (table.out is not None and table.next != offset):
            table = self.tables.former.get(q) or table
        if table is None:
            raise Unexplained(event, f"{q} is pulled, but has never had an entry")
        if table.out is not None:
            if event.at - table.out > self.trace.slack(self.who, table.out, event.at):
                raise Unexplained(event, f"{q} is pulled, but its entry was removed {event.at - table.out} ms before")
            self.tally.widened += 1
        elif table.next is not None and offset != table.next:
            raise Unexplained(event, f"the pull starts at {offset}, but the entry continues at {table.next}")
        flying = self.flying[q]
        same = [one for one in flying if one.tables == {id(table)}]
        for one in same:
            self._failed(one.asks[0], event)
            flying.remove(one)
        flying.append(Flying([event], {id(table)}))
        table.next = offset
        self.tally.shown["pull-goes-on"] += 1
        self._corrected(table, event)

    def pulled(self, event: Pulled) -> None:
        """Check the result of a pull. Raises ``Unexplained``."""
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
            raise Unexplained(event, f"no pull of the queue at or before {least} is open ({asks or 'none'})")
        if list(event.got) != sorted(set(event.got)) or (event.got and event.got[-1] >= event.next):
            raise Unexplained(event, f"offsets {list(event.got)} were received, but the next is {event.next}")
        if event.next > event.max and event.status in ("FOUND", *NOTHING):
            raise Unexplained(event, f"the next offset is {event.next}, but the queue ends at {event.max}")
        one = able[0]
        flying.remove(one)
        if len(able) > 1:
            self.tally.widened += 1
            flying[:] = [Flying([*one.asks, *other.asks], one.tables | other.tables) for other in flying]
        of = set[int]().union(*(each.tables for each in able))
        for table in self.tables.known(event.q):
            if id(table) in of:
                self._came(table, event, sure=len(able) == 1 and len(one.tables) == 1)
        if event.status in NOTHING:
            self.corrects[event.q].append(event)
        self.tally.shown["pulled"] += 1

    def _came(self, table: Table, event: Pulled, *, sure: bool) -> None:
        table.messages.update((offset, None) for offset in event.got if offset not in table.messages)
        table.top = max(table.top, *event.got) if event.got else table.top
        table.next = event.next if sure and event.status in ("FOUND", *NOTHING) else None
        table.corrects = event if sure and event.status in NOTHING else None

    def _failed(self, before: Ask, event: Ask) -> None:
        """Find why a process queue is pulled again: its last pull was refused, lost, or waited too long.

        Raises ``Unexplained``.
        """
        call = self.pulls.get(before.row)
        took = event.at - before.at
        if call is not None and call.answered is not None:
            if call.answered.at <= event.at + STALL:
                self.tally.shown["pull-refused"] += 1
                return
            again = self.pulls.get(event.row)
            if (again is None or again.port in ("", call.port)) and self._steady(before.at, event.at):
                raise Unexplained(
                    event, f"the pull before (line {before.row}) was refused later, at {call.answered.at} ms"
                )
            # The client had closed the connection, which fails the pull (NettyRemotingAbstract.failFast).
            self.tally.widened += 1
        elif call is not None and call.answer is not None and call.answer.said.code in REFUSED:
            self.tally.shown["pull-refused"] += 1  # a broker does not record its second answer to a held pull
        elif self.threw.get(event.said.q or "", -1) >= before.at:
            self.tally.shown["pull-threw"] += 1
        elif took >= SUSPENDED or not self._steady(before.at, event.at):
            self.tally.widened += 1
        elif took >= DEFAULTS.retry and self._changed(before.at - STALL, event.at):
            # A pull that the broker has held is answered without running its hook.
            self.tally.widened += 1
        else:
            raise Unexplained(event, f"the pull before (line {before.row}) had no result")

    def _changed(self, since: int, until: int) -> bool:
        """Return True if the group's members or subscriptions changed at a broker between two times.

        A broker accepts or refuses pulls by this data.
        """
        place = bisect_left(self.changes, since)
        return place < len(self.changes) and self.changes[place] <= until

    def _corrected(self, table: Table, event: Ask) -> None:
        pulled, table.corrects = table.corrects, None
        none = all(call is not None and call.passed is not None for call in table.messages.values())
        if pulled is not None and none and pulled in self.corrects[pulled.q]:
            why = f"the pull before found no message (line {pulled.row}), but its offset {pulled.next} was not stored"
            self.tables.owed.append((event, table, why))

    def _steady(self, since: int, until: int) -> bool:
        """Return True if nothing can have lost a broker's answer between these times."""
        ends = (at for broker in self.trace.brokers for at in self.trace.killed(broker))
        away = until > self.trace.end or any(since - LOSS <= at <= until for at in ends)
        restarts = (one.at for broker in self.trace.brokers for one in self.trace.kind(BrokerStarting, broker)[1:])
        still = any(self.trace.stood(one, since, until) for one in (self.who, *self.trace.brokers))
        late = any(self.trace.delayed(broker, since, until) for broker in self.trace.brokers)
        return not away and not still and not late and all(not since - LOSS < at < until + LOSS for at in restarts)
