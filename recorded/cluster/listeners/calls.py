"""Check one consumer's listener calls: their messages, order (if ordered) and duration."""

from rebalance_proofs.recorded.cluster.listeners.tables import Call, Table, Tables
from rebalance_proofs.recorded.cluster.messages import Messages
from rebalance_proofs.recorded.cluster.tally import Tally, Unexplained
from rebalance_proofs.recorded.cluster.trace import STALL, Trace
from rebalance_proofs.recorded.groups.event import Event
from rebalance_proofs.recorded.groups.member import Begin, End, ListenerTime


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
