"""Check one consumer's offsets, by passing each event to the checks of its queues."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

from rebalance_proofs.recorded.cluster.clients import offsets_client
from rebalance_proofs.recorded.cluster.follow import Way, does
from rebalance_proofs.recorded.cluster.offsets.brokers import Committed, told
from rebalance_proofs.recorded.cluster.offsets.entries import Entries, Memory
from rebalance_proofs.recorded.cluster.offsets.following import Place
from rebalance_proofs.recorded.cluster.offsets.known import Known
from rebalance_proofs.recorded.cluster.offsets.messages import Messages, Stored
from rebalance_proofs.recorded.cluster.removals import Targets, removals, resets_of
from rebalance_proofs.recorded.cluster.requests import Calls
from rebalance_proofs.recorded.cluster.tally import Tally, Unexplained
from rebalance_proofs.recorded.cluster.trace import Trace
from rebalance_proofs.recorded.groups import member as m
from rebalance_proofs.recorded.groups.broker import Answered, BrokerStarting, Table, offset_of
from rebalance_proofs.recorded.groups.event import ENDS, ILLEGAL, PULL, PULLING, QUERY, SEARCHES, UPDATE, Event

OF_QUEUE = (
    *(m.EntryNew, m.EntryGone, m.Entry, m.Pulled, m.Begin, m.End),
    *(m.OffsetRead, m.OffsetUpdate, m.OffsetRemoved, m.Persist),
)
E = TypeVar("E", m.OffsetRead, m.OffsetUpdate, m.Pulled)


class Consumer:
    """Checks of all queues of one process."""

    def __init__(
        self,
        trace: Trace,
        who: str,
        life: Sequence[Event],
        calls: Calls,
        brokers: Mapping[tuple[str, str], Committed],
        twice: Mapping[str, frozenset[tuple[str, int]]],
        tally: Tally,
    ) -> None:
        started = trace.consumers[who]
        release, ordered = trace.release(who), trace.ordered(who)
        self.known = known = Known(
            trace=trace,
            who=who,
            tally=tally,
            client=offsets_client(release, orderly=ordered),
            release=release,
            ordered=ordered,
            group=started.group,
            from_=started.from_,
            brokers=brokers,
            calls=calls.answered(who, life, QUERY, UPDATE),
            told=told(life, twice.get(started.group, frozenset())),
            notes=_by_queue(life, m.OffsetUpdate),
            pulled=_by_queue(life, m.Pulled),
            reads=_by_queue(life, m.OffsetRead),
            corrections=[one for one in removals(life, release) if one.illegal],
            resets=[*resets_of(life, started.group, trace.end)],
            targets=Targets(trace),
        )
        for event in life:
            if isinstance(event, m.Ask) and event.code == UPDATE and event.said.q:
                known.updates[event.said.q].append(event)
        self.stored, self.entries = Stored(known), Entries(known)
        self.memory, self.messages = Memory(known), Messages(known)
        self.given_up: set[str] = set()

    def ends(self, life: Sequence[Event]) -> None:
        """Check what must have happened before the process was killed; ``life`` are its events."""
        known, last = self.known, life[-1]
        killed = known.trace.ended(known.who, last.at)
        if known.closing or killed is None:
            return
        for q, place in known.places.items():
            if q not in self.given_up:
                try:
                    self.entries.ends(place, last, killed)
                except Unexplained as found:
                    known.tally.reject(f"{known.who}, {q}", found)

    def held(self, event: Event) -> None:
        """Check one event for its queues.

        After a queue's first unexplained event, the queue is skipped.
        """
        known = self.known
        if isinstance(event, m.Ask):
            known.asks[event.opaque] = event
        elif isinstance(event, m.Allocate):
            known.mine[event.topic] = set(event.result or ())
        elif isinstance(event, m.Unsubscribed):
            known.mine.pop(event.topic, None)
        elif isinstance(event, m.PersistAll):
            known.persisting = event.at
        elif isinstance(event, m.ShutdownBegin):
            known.closing, known.closing_row = True, event.row
        for q in self._queues(event):
            if q in self.given_up:
                continue
            place = known.place(q, event.at)
            try:
                if self._aside(place, event):
                    continue
                place.base.keep(event.at, 8)
                self._shown(place, event)
                self.messages.passed(place, event)
            except Unexplained as found:
                known.tally.reject(f"{known.who}, {q}", found)
                self.given_up.add(q)
                continue
            place.note(event.at)
            known.tally.by[known.client.name, known.release] += 1

    def _aside(self, place: Place, event: Event) -> bool:
        """Return True while the queue cannot be checked, because the client corrects an illegal offset.

        The model lacks such corrections. The client then removes the process queue, and a later rebalance adds the
        queue again.
        """
        known = self.known
        if isinstance(event, m.Pulled) and not place.aside:
            self._moved(place, event)
        if isinstance(event, m.Pulled) and event.status == ILLEGAL:
            place.aside, place.entry, place.messages = True, "", {}
            place.heard, place.unsent, place.early = [], [], []
            known.tally.widened += 1
        call = known.calls.get((event.who, event.row)) if isinstance(event, Answered) else None
        if place.aside and call and call.ask.code == QUERY and call.ask.thread != PULLING:
            # If the old process queue's removal is not over, it will drop the new process queue's offset.
            place.aside = any(one.q == place.q and one.since <= event.at < one.until for one in known.corrections)
            if not place.aside:
                known.begin(place, event.at)
        return place.aside

    def _moved(self, place: Place, event: m.Pulled) -> None:
        """Check that a pull is moved to another offset if, and only if, there is a cause. Raises ``Unexplained``.

        The broker has reset the queue's offset, or the queue does not have the offset of the pull.
        """
        if event.status == ILLEGAL:
            beyond = any(not s.present or not event.min <= s.next <= event.max for s in place.base.states)
            if not beyond and not place.committed.is_reset(event.at, event.next):
                raise Unexplained(event, f"the pull is moved to {event.next}, but no reset has asked for it")
        elif place.base.present and place.committed.is_unmoved(place.pulled, event.at):
            raise Unexplained(event, "the queue's offset was reset, but the next pull was not moved there")

    def _queues(self, event: Event) -> Iterable[str]:
        known = self.known
        if isinstance(event, OF_QUEUE):
            return (event.q,)
        if isinstance(event, m.Ask):
            return (event.said.q,) if event.code in (PULL, UPDATE, QUERY) and event.said.q else ()
        if isinstance(event, m.Answer):
            ask = known.asks.get(event.opaque)
            return (ask.said.q,) if ask and event.code in (QUERY, ENDS, SEARCHES) and ask.said.q else ()
        if isinstance(event, (m.PersistAll, m.ShutdownEnd, BrokerStarting)):
            return [*known.places]
        if isinstance(event, Answered):
            mine = event.asked.consumer_group == known.group and event.asked.q in known.places
            own = event.code == UPDATE or (event.who, event.row) in known.calls
            return (event.asked.q,) if mine and own and event.asked.q else ()
        if isinstance(event, Table) and (key := offset_of(event)):
            return (key.q,) if key.group == known.group and key.q in known.places else ()
        return ()

    def _shown(self, place: Place, event: Event) -> None:
        match event:
            case m.Begin():
                self.messages.begins(place, event)
            case m.End():
                self.messages.ends(place, event)
            case m.OffsetUpdate():
                self.memory.updated(place, event)
            case m.Pulled():
                self.messages.came(place, event)
            case m.Ask():
                self._asks(place, event)
            case m.Answer():
                self._hears(place, event)
            case Answered():
                self._answered(place, event)
            case Table():
                self.stored.row(place, event)
            case BrokerStarting():
                place.loaded = event.at if event.who == place.committed.broker else place.loaded
            case m.PersistAll():
                self._copies(place, event)
            case m.ShutdownEnd():
                self._closed(place, event)
            case _:
                self._of_entry(place, event)

    def _of_entry(self, place: Place, event: Event) -> None:
        match event:
            case m.OffsetRead():
                self.entries.read(place, event)
            case m.EntryNew():
                self.entries.new(place, event)
            case m.EntryGone():
                self.entries.gone(place, event)
            case m.Entry():
                self.entries.seen(place, event)
            case m.OffsetRemoved():
                self.entries.removed(place, event)
            case m.Persist():
                self.entries.persists(place, event)

    def _asks(self, place: Place, event: m.Ask) -> None:
        if event.code == QUERY:
            place.fixing = event.thread == PULLING
            return
        if event.code == PULL:
            self.messages.asks(place, event)
        self.memory.sent(place, event)

    def _hears(self, place: Place, event: m.Answer) -> None:
        offset, ask = event.said.offset, self.known.asks[event.opaque]
        if offset is None:
            return
        if event.code == QUERY:
            place.heard.append((offset, ask.thread == PULLING))
        else:
            place.base.change(lambda s: s.but(end=max(s.end, offset)))
            place.searched = offset if event.code == SEARCHES else place.searched

    def _answered(self, place: Place, event: Answered) -> None:
        call = self.known.calls.get((event.who, event.row))
        if event.code == UPDATE:
            self.stored.arrived(place, event)
        elif call is not None:
            self.stored.asked(place, event, call)

    def _copies(self, place: Place, event: m.PersistAll) -> None:
        """Check that ``persistAll`` commits the queues in the process queue table."""
        ways: list[Way] = [(does("copies"),), (does("finishes"), does("copies"))]
        place.base.show(event, ways, "offsets are persisted")
        place.listed += place.base.present or place.going is not None

    def _closed(self, place: Place, event: Event) -> None:
        """Check the queue's state when ``shutdown()`` has returned."""
        ways: list[Way] = [(does("shuts", more=0),), (does("adds", offset=0), does("shuts", more=0)), ()]
        place.base.show(event, ways, "it was shut down", seen=lambda s: s.closed)


def _by_queue(life: Sequence[Event], kind: type[E]) -> Mapping[str, list[E]]:
    found: defaultdict[str, list[E]] = defaultdict(list)
    for event in life:
        if isinstance(event, kind):
            found[event.q].append(event)
    return found
