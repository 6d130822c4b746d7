"""One consumer's entries and their messages: start offset, and when each was first dropped or removed."""

from dataclasses import dataclass, field

from rebalance_proofs.recorded.cluster.trace import Trace
from rebalance_proofs.recorded.groups.event import Event
from rebalance_proofs.recorded.groups.member import Begin, End, Entry, EntryGone, EntryNew, OffsetRead, Pulled

__all__ = ["Call", "Table", "Tables"]


@dataclass
class Call:
    """A listener call."""

    begin: Begin
    entry: "Table"
    least: int
    most: int
    """Range in ms of the listener's configured duration; it can change during the call."""
    end: End | None = None
    passed: Begin | None = None
    """The next call of the same thread."""


@dataclass
class Table:
    """An entry of a queue, and its messages."""

    name: str
    since: int
    messages: dict[int, Call | None] = field(default_factory=dict)
    """Offset -> the call with the message; None while the message waits."""
    top: int = -1
    """The greatest pulled offset (``queueOffsetMax``)."""
    next: int | None = None
    """The offset of the next pull; None if not known."""
    out: int | None = None
    """Time in ms at which the entry was first seen dropped or was removed."""
    low: int = 0
    """All messages below this offset are finished."""
    ends: int = 0
    noted: int = 0
    passed: int = 0
    """Number of calls that ended, of stored offsets, and of ended calls whose thread has continued."""
    corrects: Pulled | None = None
    """A pull without messages; its next offset is stored if no message is left (``correctTagsOffset``)."""


class Tables:
    """The entries of one process."""

    def __init__(self, trace: Trace, who: str) -> None:
        self.ordered = trace.ordered(who)
        self.from_first = trace.consumers[who].from_ == "FIRST"
        self.now: dict[str, Table] = {}
        self.former: dict[str, Table] = {}
        self.read: dict[str, int] = {}
        """Queue -> last offset read for it; ``max QUEUE`` -> the queue's end by the last answer."""
        self.named: set[str] = set()
        """Queues that have had an entry."""
        self.owed: list[tuple[Event, Table, str]] = []
        """(event, entry, problem): a problem unless the entry turns out to have been dropped by then."""

    def known(self, q: str) -> list[Table]:
        """Return the queue's entry and the previous one, as far as they exist."""
        return [one for one in (self.now.get(q), self.former.get(q)) if one is not None]

    def offset_read(self, event: OffsetRead) -> None:
        """Process an offset from the store; an ordered queue's entry continues there."""
        self.read[event.q] = event.result
        table = self.now.get(event.q)
        if table is not None and self.ordered:
            table.next = self._begins(event.q)

    def _begins(self, q: str) -> int | None:
        """Return the start offset of an entry by the last answers; None if not known."""
        result = self.read.get(q)
        if result is None or result >= 0:
            return result
        if result != -1:
            return None
        if q.startswith("%RETRY%") or self.from_first:
            return 0
        return self.read.get(f"max {q}")

    def entry_new(self, event: EntryNew) -> None:
        """Process an added entry."""
        self.named.add(event.q)
        begin = self._begins(event.q)
        self.now[event.q] = Table(event.entry, event.at, next=begin, low=begin or 0)

    def entry_gone(self, event: EntryGone) -> None:
        """Process a removed entry."""
        table = self.now.pop(event.q, None)
        if table is not None:
            table.out = table.out or event.at
            self.former[event.q] = table

    def entry_seen(self, event: Entry) -> None:
        """Process a poll that saw an entry."""
        table = self.now.get(event.q)
        if table is not None and table.name == event.entry and event.dropped:
            table.out = table.out or event.at
