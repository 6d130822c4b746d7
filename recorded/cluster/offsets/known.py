"""State of one consumer while its events are checked."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field

from rebalance_proofs.model.client.pull_from_where import ConsumeFromWhere, is_retry
from rebalance_proofs.model.offsets.clients import JavaClient
from rebalance_proofs.model.offsets.state import Limits
from rebalance_proofs.model.transition.numbers import WHERES
from rebalance_proofs.recorded.cluster.follow import Move, Way, does
from rebalance_proofs.recorded.cluster.names import topic_of
from rebalance_proofs.recorded.cluster.offsets.brokers import Committed
from rebalance_proofs.recorded.cluster.offsets.chosen import Told
from rebalance_proofs.recorded.cluster.offsets.following import MACHINE, Following
from rebalance_proofs.recorded.cluster.offsets.place import Message, Place
from rebalance_proofs.recorded.cluster.requests import Call
from rebalance_proofs.recorded.cluster.tally import Tally
from rebalance_proofs.recorded.cluster.trace import STALL, Trace
from rebalance_proofs.recorded.groups.event import Event
from rebalance_proofs.recorded.groups.member import Ask, OffsetRead, OffsetUpdate, Pulled

__all__ = ["BEYOND", "LATE", "NOTHING", "Known"]

BEYOND = 1 << 40
"""Offset of a message that never arrives, for facts about the queue alone."""
LATE = 40_000
"""Longest time in ms until an open pull of a removed entry is answered: its time-out."""
NOTHING = ("NO_NEW_MSG", "NO_MATCHED_MSG")
WHERE = {"FIRST": ConsumeFromWhere.FIRST_OFFSET, "LAST": ConsumeFromWhere.LAST_OFFSET}


@dataclass
class Known:
    """State of one process."""

    trace: Trace
    who: str
    tally: Tally
    client: JavaClient
    release: str
    ordered: bool
    group: str
    from_: str
    brokers: Mapping[tuple[str, str], Committed]
    calls: Mapping[tuple[str, int], Call]
    """(broker, row of its answer) -> the consumer's request."""
    told: Told
    notes: Mapping[str, list[OffsetUpdate]]
    """Queue -> offsets stored in memory, sorted by time."""
    pulled: Mapping[str, list[Pulled]]
    """Queue -> pull results, sorted by time."""
    reads: Mapping[str, list[OffsetRead]]
    """Queue -> offsets read by the store, sorted by time."""
    asks: dict[int, Ask] = field(default_factory=dict)
    places: dict[str, Place] = field(default_factory=dict)
    mine: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    """Topic -> queues of its last rebalance result."""
    closing: bool = False
    closing_row: int = 0
    """Row of the start of its shutdown."""
    updates: defaultdict[str, list[Ask]] = field(default_factory=lambda: defaultdict(list))
    """Queue -> commits of the offset store, sorted by time."""
    persisting: int = 0
    """Time in ms of the last ``persistAll``."""
    messages: int = 0
    """Number of followed messages."""

    def place(self, q: str, at: int) -> Place:
        """Return the queue's state; create it at its first event."""
        if q not in self.places:
            committed = self.brokers.get((self.group, q)) or Committed(q.rsplit(":", 2)[-2])
            self.places[q] = Place(q, self.following(q, BEYOND), committed)
            self.begin(self.places[q], at)
        return self.places[q]

    def begin(self, place: Place, at: int) -> None:
        """Start without any relation between consumer and queue."""
        base, place.aside = place.base, False
        first = self.client.machine.begun(base.limits, self.client)
        base.begin(base.alike(first.but(committed=place.committed.at(at))))

    def following(self, q: str, message: int) -> Following:
        """Return a follower of one message of the queue, without states."""
        where = ConsumeFromWhere.FIRST_OFFSET if is_retry(topic_of(q)) else WHERE.get(self.from_)
        limits = Limits(message, WHERES.index(where or ConsumeFromWhere.TIMESTAMP))
        encoding = self.trace.encoding(MACHINE, self.client)
        return Following(self.client.machine, self.client, limits, self.tally, encoding=encoding, client=self.client)

    def slack(self, since: int, until: int) -> int:
        """Return how many ms late an event can be."""
        return self.trace.slack(self.who, since, until)

    def upcoming(self, q: str, event: Event) -> list[int]:
        """Return offsets that listener threads are about to store: their updates follow soon after the event."""
        last = event.at + self.slack(event.at, event.at + STALL)
        notes = (one for one in self.notes.get(q, ()) if one.increase_only is not self.ordered)
        return [*dict.fromkeys(one.offset for one in notes if one.row > event.row and one.at <= last)]

    def found_nothing(self, q: str, event: Event) -> int | None:
        """Return the next offset of an open pull that ends empty and is stored after its entry's removal, or None."""
        notes = [one for one in self.notes.get(q, ()) if one.increase_only and one.row > event.row]
        for one in self.pulled.get(q, ()):
            if one.row > event.row:
                noted = any(note.offset == one.next and 0 <= note.at - one.at < STALL for note in notes)
                return one.next if one.status in NOTHING and one.at - event.at < LATE and noted else None
        return None

    def read(self, q: str, ask: Ask) -> OffsetRead | None:
        """Return the store's result of a query."""
        return next((one for one in self.reads.get(q, ()) if one.row > ask.row), None)

    def others(self, offset: int) -> Way:
        """Return the way in which the listener returns from another message and ``offset`` is to be stored."""
        return (does("others", offset=offset) if self.ordered else does("others", more=0, offset=offset),)

    def returns(self, message: Message, offset: int | None) -> list[Way]:
        """Return the effects of the listener's return.

        ``offset`` is the offset to be stored, or None if none is stored.
        """
        end = message.returned
        if end is None:
            return []
        half = int(end.interrupted)
        cut: Way = (does("returns_interrupted", half=half),)
        ways = [cut, (does("interrupts"), *cut)] if self.closing else []
        if offset is not None and (not self.ordered or offset == end.to + 1):
            more = {} if self.ordered else {"none": 0, "more": 0}
            ways.append((Move("ends", {"half": half, "offset": offset, **more}),))
        return ways
