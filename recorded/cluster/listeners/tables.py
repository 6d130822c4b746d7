"""Entries of one consumer with their messages: where each begins, and when it was first seen marked, or left."""

from dataclasses import dataclass, field

from rebalance_proofs.recorded.cluster.trace import Trace
from rebalance_proofs.recorded.groups.event import Event
from rebalance_proofs.recorded.groups.member import Begin, End, Entry, EntryGone, EntryNew, OffsetRead, Pulled

__all__ = ["Call", "Table", "Tables"]


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


class Tables:
    """The entries of one process."""

    def __init__(self, trace: Trace, who: str) -> None:
        self.ordered = trace.ordered(who)
        self.from_first = trace.consumers[who].from_ == "FIRST"
        self.now: dict[str, Table] = {}
        self.former: dict[str, Table] = {}
        self.read: dict[str, int] = {}
        """Queue -> the offset last read for it; ``max`` and the queue -> its end, as last answered."""
        self.named: set[str] = set()
        """Queues that have had an entry."""
        self.owed: list[tuple[Event, Table, str]] = []
        """What is wrong unless the entry turns out to be marked by then, with the event that shows it."""

    def known(self, q: str) -> list[Table]:
        """The queue's entry, and the one before it."""
        return [one for one in (self.now.get(q), self.former.get(q)) if one is not None]

    def offset_read(self, event: OffsetRead) -> None:
        """An offset was read from the store; an ordered queue's entry goes on there."""
        self.read[event.q] = event.result
        table = self.now.get(event.q)
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

    def entry_new(self, event: EntryNew) -> None:
        """An entry has come into the table."""
        self.named.add(event.q)
        begin = self._begins(event.q)
        self.now[event.q] = Table(event.entry, event.at, next=begin, low=begin or 0)

    def entry_gone(self, event: EntryGone) -> None:
        """An entry has left the table."""
        table = self.now.pop(event.q, None)
        if table is not None:
            table.out = table.out or event.at
            self.former[event.q] = table

    def entry_seen(self, event: Entry) -> None:
        """A look has seen an entry."""
        table = self.now.get(event.q)
        if table is not None and table.name == event.entry and event.dropped:
            table.out = table.out or event.at
