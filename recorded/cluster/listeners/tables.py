"""One consumer's process queues and their messages, as far as events show them."""

from dataclasses import dataclass, field

from rebalance_proofs.recorded.cluster.trace import Trace
from rebalance_proofs.recorded.groups.event import Event
from rebalance_proofs.recorded.groups.member import Begin, End, Entry, EntryGone, EntryNew, OffsetRead, Pulled


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
