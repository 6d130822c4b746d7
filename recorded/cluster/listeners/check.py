"""Check listeners and in-memory offsets of all consumers of a trace."""

from collections.abc import Sequence

from rebalance_proofs.recorded.cluster.listeners.calls import Listening
from rebalance_proofs.recorded.cluster.listeners.noted import Noted
from rebalance_proofs.recorded.cluster.listeners.pulls import Pulls
from rebalance_proofs.recorded.cluster.listeners.tables import Tables
from rebalance_proofs.recorded.cluster.messages import Messages
from rebalance_proofs.recorded.cluster.requests import Calls
from rebalance_proofs.recorded.cluster.tally import Tally, Unexplained
from rebalance_proofs.recorded.cluster.trace import STALL, Trace
from rebalance_proofs.recorded.groups import member as m
from rebalance_proofs.recorded.groups.event import Event


class _Consumer:
    """Checks of one process; pass each event to ``held`` in order of time."""

    def __init__(self, trace: Trace, who: str, messages: Messages, calls: Calls, tally: Tally) -> None:
        self.trace, self.who = trace, who
        self.tables = Tables(trace, who)
        self.pulls = Pulls(trace, who, self.tables, messages, calls, tally)
        self.listening = Listening(trace, who, self.tables, messages, tally)
        self.noted = Noted(self.tables, self.pulls, self.listening, tally)

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
            case m.OffsetRemoved():
                self.noted.removed(event)
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
    consumer = _Consumer(trace, who, messages, calls, tally)
    try:
        for event in life:
            consumer.held(event)
            tally.events += 1
        consumer.finish(life[-1])
    except Unexplained as found:
        tally.reject(who, found)
