"""What is known of one consumer, while its events are held."""

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
"""Offset of a message that does not come: what is true of a queue without its messages."""
LATE = 40_000
"""A pull that was under way for an entry that has left is answered within its time-out, in ms."""
NOTHING = ("NO_NEW_MSG", "NO_MATCHED_MSG")
WHERE = {"FIRST": ConsumeFromWhere.FIRST_OFFSET, "LAST": ConsumeFromWhere.LAST_OFFSET}


@dataclass
class Known:
    """One process."""

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
    """Broker, and the line of its answer -> the consumer's own request that it answers."""
    told: Told
    notes: Mapping[str, list[OffsetUpdate]]
    """Queue -> offsets that the store is told, by time."""
    pulled: Mapping[str, list[Pulled]]
    """Queue -> results of its pulls, by time."""
    reads: Mapping[str, list[OffsetRead]]
    """Queue -> offsets that the store has read, by time."""
    asks: dict[int, Ask] = field(default_factory=dict)
    places: dict[str, Place] = field(default_factory=dict)
    mine: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    """Topic -> the queues that its last rebalance gave it."""
    closing: bool = False
    closing_row: int = 0
    """The line of its shutdown's begin."""
    updates: defaultdict[str, list[Ask]] = field(default_factory=lambda: defaultdict(list))
    """Queue -> commits of its offset store, by time."""
    persisting: int = 0
    """When ``persistAll`` was last called."""
    messages: int = 0
    """So many messages were followed."""

    def place(self, q: str, at: int) -> Place:
        """The queue, from its first event on."""
        if q not in self.places:
            committed = self.brokers.get((self.group, q)) or Committed(q.rsplit(":", 2)[-2])
            self.places[q] = Place(q, self.following(q, BEYOND), committed)
            self.begin(self.places[q], at)
        return self.places[q]

    def begin(self, place: Place, at: int) -> None:
        """The consumer has nothing to do with the queue yet."""
        base, place.aside = place.base, False
        first = self.client.machine.begun(base.limits, self.client)
        base.begin(base.alike(first.but(committed=place.committed.at(at))))

    def following(self, q: str, message: int) -> Following:
        """A follower of a message of the queue, without states yet."""
        where = ConsumeFromWhere.FIRST_OFFSET if is_retry(topic_of(q)) else WHERE.get(self.from_)
        limits = Limits(message, WHERES.index(where or ConsumeFromWhere.TIMESTAMP))
        encoding = self.trace.encoding(MACHINE, self.client)
        return Following(self.client.machine, self.client, limits, self.tally, encoding=encoding, client=self.client)

    def slack(self, since: int, until: int) -> int:
        """How much later than its time something can come."""
        return self.trace.slack(self.who, since, until)

    def upcoming(self, q: str, event: Event) -> list[int]:
        """Offsets that listeners are about to note: told to the store after the event, by threads that were under way
        then."""
        last = event.at + self.slack(event.at, event.at + STALL)
        notes = (one for one in self.notes.get(q, ()) if one.increase_only is not self.ordered)
        return [*dict.fromkeys(one.offset for one in notes if one.row > event.row and one.at <= last)]

    def found_nothing(self, q: str, event: Event) -> int | None:
        """The offset of the next pull, if one that is under way finds nothing, and that is noted though its entry has
        gone by then."""
        notes = [one for one in self.notes.get(q, ()) if one.increase_only and one.row > event.row]
        for one in self.pulled.get(q, ()):
            if one.row > event.row:
                noted = any(note.offset == one.next and 0 <= note.at - one.at < STALL for note in notes)
                return one.next if one.status in NOTHING and one.at - event.at < LATE and noted else None
        return None

    def read(self, q: str, ask: Ask) -> OffsetRead | None:
        """What the store has read by a query."""
        return next((one for one in self.reads.get(q, ()) if one.row > ask.row), None)

    def others(self, offset: int) -> Way:
        """The listener returns from another message, after which that offset is to be noted."""
        return (does("others", offset=offset) if self.ordered else does("others", more=0, offset=offset),)

    def returns(self, message: Message, offset: int | None) -> list[Way]:
        """The ways in which the listener's return from the message takes effect; None where nothing is noted."""
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
