"""State of one consumer's queues and offsets while its events are checked."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from rebalance_proofs.model.client.pull_from_where import ConsumeFromWhere, is_retry
from rebalance_proofs.model.machines.offsets.state import JavaClient, Limits
from rebalance_proofs.model.transition.numbers import WHERES
from rebalance_proofs.recorded.cluster.follow import Move, Way, does
from rebalance_proofs.recorded.cluster.names import topic_of
from rebalance_proofs.recorded.cluster.offsets.brokers import Committed, Told
from rebalance_proofs.recorded.cluster.offsets.following import MACHINE, Following, Message, Place
from rebalance_proofs.recorded.cluster.removals import Removal, Reset, Targets
from rebalance_proofs.recorded.cluster.requests import Call
from rebalance_proofs.recorded.cluster.tally import Tally
from rebalance_proofs.recorded.cluster.trace import STALL, Trace
from rebalance_proofs.recorded.groups.event import PULLING, QUERY, Event
from rebalance_proofs.recorded.groups.member import Ask, OffsetRead, OffsetUpdate, Pulled

BEYOND = 1 << 40
"""Offset of a message that never arrives, for facts about a queue without any message."""
LATE = 40_000
"""Longest time in ms until a removed process queue's pull is answered: its time-out."""
NOTHING = ("NO_NEW_MSG", "NO_MATCHED_MSG")
WHERE = {"FIRST": ConsumeFromWhere.FIRST_OFFSET, "LAST": ConsumeFromWhere.LAST_OFFSET}


@dataclass
class Known:
    """State of one process while its events are checked."""

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
    """The consumer's requests, by (broker, line number of the broker's answer)."""
    told: Told
    notes: Mapping[str, list[OffsetUpdate]]
    """Queue -> events that stored an offset in memory, sorted by time."""
    pulled: Mapping[str, list[Pulled]]
    """Queue -> results of pulls, sorted by time."""
    reads: Mapping[str, list[OffsetRead]]
    """Queue -> offsets that the store read, sorted by time."""
    asks: dict[int, Ask] = field(default_factory=dict)
    places: dict[str, Place] = field(default_factory=dict)
    mine: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    """Topic -> queues that the last rebalance assigned to the consumer."""
    resets: Sequence[Reset] = ()
    """Resets of the consumer's own offsets."""
    corrections: Sequence[Removal] = ()
    """Removals of process queues whose offset was illegal."""
    targets: Targets = field(kw_only=True)
    closing: bool = False
    closing_row: int = 0
    """Line number of the event with which the process's shutdown begins."""
    updates: defaultdict[str, list[Ask]] = field(default_factory=lambda: defaultdict(list))
    """Queue -> commits that the offset store sent, sorted by time."""
    persisting: int = 0
    """Time in ms of the last ``persistAll`` call."""
    messages: int = 0
    """Number of messages whose behaviours were searched."""

    def place(self, q: str, at: int) -> Place:
        """Return the state of queue ``q``, and create it at the queue's first event."""
        if q not in self.places:
            committed = self.brokers.get((self.group, q)) or Committed(q.rsplit(":", 2)[-2])
            self.places[q] = Place(q, self.following(q, BEYOND), committed)
            self.begin(self.places[q], at)
        return self.places[q]

    def begin(self, place: Place, at: int) -> None:
        """Reset a queue's state: the consumer has no process queue of it, and no pulls or commits."""
        base, place.aside, place.again = place.base, False, at
        first = self.client.machine.begun(base.limits, self.client)
        base.begin(base.alike(first.but(committed=place.committed.at(at))))

    def following(self, q: str, message: int) -> Following:
        """Return an object that follows the possible states of one message of the queue.

        It has no states yet.
        """
        where = ConsumeFromWhere.FIRST_OFFSET if is_retry(topic_of(q)) else WHERE.get(self.from_)
        limits = Limits(message, WHERES.index(where or ConsumeFromWhere.TIMESTAMP))
        encoding = self.trace.encoding(MACHINE, self.client)
        return Following(self.client.machine, self.client, limits, self.tally, encoding=encoding, client=self.client)

    def slack(self, since: int, until: int) -> int:
        """Return how many ms late an event can be that belongs between two times."""
        return self.trace.slack(self.who, since, until)

    def upcoming(self, q: str, event: Event) -> list[int]:
        """Return the offsets that listener threads store in memory soon after the event."""
        last = event.at + self.slack(event.at, event.at + STALL)
        notes = (one for one in self.notes.get(q, ()) if one.increase_only is not self.ordered)
        return [*dict.fromkeys(one.offset for one in notes if one.row > event.row and one.at <= last)]

    def found_nothing(self, q: str, event: Event) -> int | None:
        """Return the offset that a removed process queue's last pull stores, or None.

        The pull must end without a message after the event; its next offset is then stored.
        """
        notes = [one for one in self.notes.get(q, ()) if one.increase_only and one.row > event.row]
        for one in self.pulled.get(q, ()):
            if one.row > event.row:
                noted = any(note.offset == one.next and 0 <= note.at - one.at < STALL for note in notes)
                return one.next if one.status in NOTHING and one.at - event.at < LATE and noted else None
        return None

    def reset(self, q: str, at: int) -> Reset | None:
        """Return the reset by the consumer that may concern the queue at the time ``at``, or None."""
        return next((one for one in self.resets if one.concerns(q, at)), None)

    def resetting(self, q: str, at: int) -> list[Way]:
        """Return the action by which the reset at the time ``at`` drops and clears the process queue.

        Its offset shows when it is stored in memory.
        """
        reset = self.reset(q, at)
        if reset is None:
            return []
        notes = (one for one in self.notes.get(q, ()) if not one.increase_only and at <= one.at <= reset.until)
        aim = next((one.offset for one in notes if self.targets.allows(reset, q, one.offset)), 0)
        return [(does("suspends", zero=int(aim == 0), offset=aim),)]

    def read(self, q: str, ask: Ask) -> OffsetRead | None:
        """Return the offset that the store read by the query ``ask``; None if it read none."""
        return next((one for one in self.reads.get(q, ()) if one.row > ask.row), None)

    def asks_twice(self, call: Call) -> bool:
        """Return True if another thread's rebalance queries the offset of the same queue at the same time.

        ``resume()`` rebalances on its caller's thread. The machine has one query of a queue, and one adds the queue.
        """
        over = call.answer.at if call.answer else call.ask.at
        return any(
            (one.ask.code, one.ask.said.q) == (QUERY, call.ask.said.q)
            and one.ask.thread not in (PULLING, call.ask.thread)
            and one.answer is not None
            and one.ask.at <= over
            and call.ask.at <= one.answer.at
            for one in self.calls.values()
        )

    def others(self, offset: int) -> Way:
        """Return the action: a listener returns from another message.

        ``offset`` is then to be stored in memory.
        """
        return (does("others", offset=offset) if self.ordered else does("others", more=0, offset=offset),)

    def returns(self, message: Message, offset: int | None) -> list[Way]:
        """Return the sequences of actions by which the message's listener may return.

        ``offset`` is the offset to be stored in memory, or None if none is stored.
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
