"""Check listeners and in-memory offsets of all consumers of a trace."""

from collections import defaultdict
from collections.abc import Sequence

from rebalance_proofs.recorded.cluster.listeners.pulls import Call, Pulls, Table, Tables
from rebalance_proofs.recorded.cluster.messages import Messages
from rebalance_proofs.recorded.cluster.removals import Reset, Targets, resets_of
from rebalance_proofs.recorded.cluster.requests import Calls
from rebalance_proofs.recorded.cluster.tally import Tally, Unexplained
from rebalance_proofs.recorded.cluster.trace import STALL, Trace
from rebalance_proofs.recorded.groups import member as m
from rebalance_proofs.recorded.groups.event import ENDS, QUERY, Event
from rebalance_proofs.recorded.groups.member import Answer, Ask, Begin, End, ListenerTime, OffsetUpdate

# Check one consumer's listener calls: their messages, order (if ordered) and duration.


class Listening:
    """Checks the listener calls of one process."""

    def __init__(self, trace: Trace, who: str, tables: Tables, messages: Messages, tally: Tally) -> None:
        self.trace, self.who, self.tables, self.messages, self.tally = trace, who, tables, messages, tally
        self.ms = trace.consumers[who].ms
        self.calls: dict[str, Call] = {}
        """Thread -> its last listener call."""
        self.open: dict[tuple[str, int], Call] = {}

    def begins(self, event: Begin) -> None:
        """Check the start of a listener call. Raises ``Unexplained``."""
        self.messages.begun(event)
        last = self.calls.get(event.thread)
        if last is not None and last.end is None:
            why = f"its thread has been in a call since {last.begin.at} ms (line {last.begin.row})"
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
        if self.tables.ordered:
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

    def ends(self, event: End) -> None:
        """Check the return of a listener. Raises ``Unexplained``."""
        call = self.open.pop((event.q, event.from_), None)
        own = self.calls.get(event.thread or "")
        if own is not None and own.end is None and (own.begin.q, own.begin.offsets[0]) == (event.q, event.from_):
            if call is not None and call is not own:
                self.open[event.q, event.from_] = call  # another thread has the same message
            call = own
        if call is None:
            raise Unexplained(event, f"no call with offset {event.from_} has begun")
        begin = call.begin
        if event.to != begin.offsets[-1]:
            raise Unexplained(event, f"the call was with offsets up to {begin.offsets[-1]}, not {event.to}")
        took, least, most = (event.at - begin.at, *(ms * len(begin.offsets) for ms in (call.least, call.most)))
        if took < least - 1 and not event.interrupted:
            raise Unexplained(event, f"the listener takes {least} ms, but returned after {took} ms")
        if took > most + self.trace.slack(self.who, begin.at, event.at):
            raise Unexplained(event, f"the listener takes {most} ms, but returned after {took} ms")
        self.tally.widened += took > most + STALL
        call.end = event
        call.entry.ends += 1
        self.tally.shown["return"] += 1

    def told(self, event: ListenerTime) -> None:
        """Store the listener's new duration, which the driver has changed."""
        self.ms = event.ms
        for call in self.open.values():
            if call.begin.at > event.at - STALL:
                call.least, call.most = min(call.least, event.ms), max(call.most, event.ms)

    def finish(self, last: Event) -> None:
        """Check that listener calls without a return could still be running at the end.

        Raises ``Unexplained``.
        """
        for call in self.open.values():
            least = call.most * len(call.begin.offsets)
            alive = self.trace.alive(self.who, call.begin.at, last.at)
            if alive and last.at - call.begin.at > least + self.trace.slack(self.who, call.begin.at, last.at):
                raise Unexplained(call.begin, f"the listener takes {least} ms, but has not returned")

    def _table(self, event: Begin) -> Table:
        table, former = self.tables.now.get(event.q), self.tables.former.get(event.q)
        if table is not None and all(offset in table.messages for offset in event.offsets):
            return table
        if former is not None and all(offset in former.messages for offset in event.offsets):
            since = event.at - (former.out or event.at)
            if since <= self.trace.slack(self.who, former.out or event.at, event.at):
                self.tally.widened += 1
                return former
            raise Unexplained(event, f"the entry for which it was pulled was removed {since} ms before")
        raise Unexplained(event, f"offset {event.offsets[0]} was not pulled for the queue's entry")

    def _gone_on(self, call: Call, event: Event) -> None:
        table = call.entry
        if call.end and call.end.interrupted and self.tables.ordered:
            return
        table.passed += 1
        if table.noted < table.passed:
            self.tables.owed.append((event, table, f"{call.begin.q}: no offset was stored after the listener returned"))
            table.passed -= 1
            table.ends -= 1


# Check one consumer's in-memory offsets (its ``OffsetStore``).
# Each stored offset must follow messages whose listener has returned, or be a broker's answer.


class Noted:
    """Checks the offset store of one process."""

    def __init__(
        self,
        tables: Tables,
        pulls: Pulls,
        listening: Listening,
        tally: Tally,
        resets: Sequence[Reset],
        targets: Targets,
    ) -> None:
        self.tables, self.pulls, self.listening, self.tally = tables, pulls, listening, tally
        self.resets, self.targets = resets, targets
        self.queried: defaultdict[str, dict[str, int]] = defaultdict(dict)
        """Queue -> thread -> the broker's last answer about its committed offset, which the store has not used yet."""
        self.asked: dict[int, Ask] = {}

    def asks(self, event: Ask) -> None:
        """Remember an offset query that is about to be sent."""
        self.asked[event.opaque] = event
        if event.code == QUERY and event.said.q:
            self.queried[event.said.q].pop(event.thread, None)

    def answered(self, event: Answer) -> None:
        """Store the offset in a broker's answer, which the offset store may use."""
        ask = self.asked.pop(event.opaque, None)
        if event.code == QUERY and ask and ask.said.q and event.said.offset is not None:
            self.queried[ask.said.q][ask.thread] = event.said.offset
        if event.code == ENDS and ask and ask.said.q and event.said.offset is not None:
            self.tables.end_read(ask.said.q, event.said.offset)

    def updated(self, event: OffsetUpdate) -> None:
        """Check an offset that is stored in memory. Raises ``Unexplained``."""
        if not event.increase_only and self._told(event):
            self.tally.shown["noted-as-told"] += 1
            return
        if not event.increase_only and self._reset(event):
            self.tally.shown["noted-by-reset"] += 1
            return
        known = self.tables.known(event.q)
        whys = [why for one in known if (why := self._noted(one, event)) is not None]
        if len(whys) < len(known):
            self.tally.shown["noted"] += 1
            return
        # Take the newest pull: an older one may have left messages in the entry and corrected nothing.
        corrects = [one for one in self.pulls.corrects[event.q] if one.next == event.offset]
        if not event.increase_only or not corrects:
            raise Unexplained(event, whys[0] if whys else f"{event.q} has no entry")
        self.pulls.corrects[event.q].remove(corrects[-1])
        self.tally.shown["corrected"] += 1

    def _told(self, event: OffsetUpdate) -> bool:
        """Return True if the stored offset is a broker's answer, or replaces an illegal offset."""
        answers = self.queried[event.q]
        if (thread := next((one for one, offset in answers.items() if offset == event.offset), None)) is not None:
            del answers[thread]
            return True
        return self.pulls.illegal.pop(event.q, None) == event.offset

    def _reset(self, event: OffsetUpdate) -> bool:
        """Return True if an offset reset may store the offset."""
        return any(
            one.concerns(event.q, event.at) and self.targets.allows(one, event.q, event.offset) for one in self.resets
        )

    def _noted(self, table: Table, event: OffsetUpdate) -> str | None:
        """Return why the offset cannot be stored for this process queue.

        If the offset can be stored, count it and return None.
        """
        if table.noted >= table.ends:
            return f"offset {event.offset} was stored, but no listener has returned since"
        if self.tables.ordered:
            done = table.messages.get(event.offset - 1)
            if done is None or done.end is None or done.begin.offsets[-1] != event.offset - 1:
                return f"offset {event.offset} was stored, but no listener has returned from the message before"
        else:
            why = self._least(table, event)
            if why:
                return why
        table.noted += 1
        return None

    def _least(self, table: Table, event: OffsetUpdate) -> str:
        """Check that the offset is the least unfinished message's, or follows the last message.

        ``ProcessQueue#removeMessage`` computes it. Return its kind, for the counters.
        """
        value, low = event.offset, table.low
        while low < value and (low not in table.messages or self._over(table, low)):
            low += 1
        table.low = max(table.low, low)
        if low < value:
            return f"offset {value} was stored, but the listener has not returned from {low}"
        if value == table.top + 1:
            return ""
        if value not in table.messages:
            return f"offset {value} was stored, but not pulled"
        call = table.messages[value]
        passed = None if call is None else call.passed
        if passed is None:
            return ""
        # The thread that stores the offset has removed its own message before: its call had returned then.
        pending = (one.end for one in self.listening.calls.values() if one.entry is table and one.end is not None)
        if any(end.row < passed.row for end in pending if end is not None):
            return ""
        return f"offset {value} was stored, but its message was finished before (line {passed.row})"

    @staticmethod
    def _over(table: Table, offset: int) -> bool:
        call = table.messages[offset]
        return call is not None and call.end is not None


class _Consumer:
    """Checks of one process; pass each event to ``held`` in order of time."""

    def __init__(
        self, trace: Trace, who: str, life: Sequence[Event], messages: Messages, calls: Calls, tally: Tally
    ) -> None:
        self.trace, self.who = trace, who
        self.tables = Tables(trace, who)
        self.pulls = Pulls(trace, who, self.tables, messages, calls, tally)
        self.listening = Listening(trace, who, self.tables, messages, tally)
        resets = [*resets_of(life, trace.consumers[who].group, trace.end)]
        self.noted = Noted(self.tables, self.pulls, self.listening, tally, resets, Targets(trace))

    def held(self, event: Event) -> None:
        """Check one event of the process, or of a broker about it. Raises ``Unexplained``."""
        match event:
            case m.Ask():
                self.noted.asks(event)
                self.pulls.asks(event)
            case m.Answer():
                self.noted.answered(event)
            case m.OffsetRead():
                self.tables.offset_read(event)
            case m.EntryNew():
                self.tables.entry_new(event)
            case m.EntryGone():
                self.tables.entry_gone(event)
            case m.Entry():
                self.tables.entry_seen(event)
            case m.Pulled():
                self.pulls.pulled(event)
            case m.Threw():
                self.pulls.threw[event.q] = event.at
            case m.Begin():
                self.listening.begins(event)
            case m.End():
                self.listening.ends(event)
            case m.ListenerTime():
                self.listening.told(event)
            case m.OffsetUpdate():
                self.noted.updated(event)

    def finish(self, last: Event) -> None:
        """Check what must have happened by the end: no offset is stored for a removed process queue.

        Raises ``Unexplained``.
        """
        for event, table, why in self.tables.owed:
            if table.out is None or table.out > event.at + self.trace.slack(self.who, event.at, event.at + STALL):
                raise Unexplained(event, why)
        self.listening.finish(last)


def listeners(trace: Trace, messages: Messages, calls: Calls, tally: Tally) -> None:
    """Check all consumers' listener calls and in-memory offsets, and count them in ``tally``."""
    for who in trace.consumers:
        for life in trace.lives(who):
            tally.about += 1
            _one(trace, who, life, messages, calls, tally)


def _one(trace: Trace, who: str, life: Sequence[Event], messages: Messages, calls: Calls, tally: Tally) -> None:
    consumer = _Consumer(trace, who, life, messages, calls, tally)
    try:
        for event in life:
            consumer.held(event)
            tally.events += 1
        consumer.finish(life[-1])
    except Unexplained as found:
        tally.reject(who, found)
