"""Check all ordered consumers of a trace, by passing each event to the checks of its queues."""

from collections.abc import Sequence
from itertools import groupby
from operator import attrgetter

from rebalance_proofs.model.machines.ordered.actions import ORDERED, OrderedClient
from rebalance_proofs.model.machines.ordered.state import Choices, Limits, Ordered
from rebalance_proofs.recorded.cluster.clients import ordered_client
from rebalance_proofs.recorded.cluster.follow import Follower, Way, does
from rebalance_proofs.recorded.cluster.merged import client_id, merged
from rebalance_proofs.recorded.cluster.ordered.known import MACHINE, SHUTDOWN, Known, Place, Spans, limits, spans
from rebalance_proofs.recorded.cluster.ordered.locks import Entries, Locks
from rebalance_proofs.recorded.cluster.removals import removals, resets_of
from rebalance_proofs.recorded.cluster.requests import Calls
from rebalance_proofs.recorded.cluster.tally import BEHAVIOURS, Tally, Unexplained
from rebalance_proofs.recorded.cluster.trace import Trace
from rebalance_proofs.recorded.groups.broker import Answered, BrokerStarting, Table, lock_of
from rebalance_proofs.recorded.groups.event import LIST, LOCK, PULL, REBALANCING, UNLOCK, Event
from rebalance_proofs.recorded.groups.member import (
    Allocate,
    Answer,
    Ask,
    Begin,
    End,
    Entry,
    EntryGone,
    EntryNew,
    Pulled,
    ShutdownBegin,
)

__all__ = ["MACHINE", "check"]


def check(trace: Trace, calls: Calls) -> Tally:
    """Check each queue of each ordered consumer against the model, including the broker's lock."""
    tally, changed = Tally(MACHINE, BEHAVIOURS), spans(trace)
    for who in trace.consumers:
        if not trace.ordered(who):
            continue
        for life in trace.lives(who):
            one = _Consumer(trace, who, life, calls, changed, tally)
            one.known.removals = {
                q: [*each] for q, each in groupby(sorted(removals(life), key=attrgetter("q")), attrgetter("q"))
            }
            one.known.resets = [*resets_of(life, one.known.group, trace.end)]
            lists = (event.thread for event in life if isinstance(event, Ask) and event.code == LIST)
            one.known.threads = frozenset((REBALANCING, *lists))
            one.known.gone.update((event.entry, event.at) for event in life if isinstance(event, EntryGone))
            for event in merged(trace, life, one.known.calls, (LOCK, UNLOCK), "lock"):
                try:
                    one.held(event)
                except Unexplained as found:
                    tally.reject(f"{who}, {one.about}", found)
                    one.given_up.add(one.about)
            one.ends(life)
            tally.about += len(one.known.places)
    return tally


class _Consumer:
    """Checks of all queues of one ordered consumer's process."""

    def __init__(
        self, trace: Trace, who: str, life: Sequence[Event], calls: Calls, changed: Spans, tally: Tally
    ) -> None:
        started = trace.consumers[who]
        answers = calls.answered(who, life, LOCK, UNLOCK)
        self.release = trace.release(who)
        client = ordered_client(self.release)
        id_ = client_id(life)
        self.known = Known(trace, who, id_, changed, tally, client, limits(started), started.group, answers)
        self.locks, self.entries = Locks(self.known), Entries(self.known)
        self.given_up: set[str] = set()
        self.about = ""

    def _place(self, q: str) -> Place:
        known = self.known
        if q not in known.places:
            encoding = known.trace.encoding(MACHINE, known.client)
            follower: Follower[Ordered, Choices, Limits, OrderedClient] = Follower(
                ORDERED, known.client, known.limits, known.tally, encoding=encoding
            )
            follower.begin(follower.alike(ORDERED.begun(known.limits, known.client)))
            known.places[q] = Place(follower)
        return known.places[q]

    def ends(self, life: Sequence[Event]) -> None:
        """Apply the kill of a process: process queues are gone, locks remain at the broker."""
        known, last = self.known, life[-1]
        killed = known.trace.ended(known.who, last.at)
        if known.closing or killed is None:
            return
        for q, place in known.places.items():
            if q not in self.given_up:
                try:
                    crashed: list[Way] = [(does("crashes"),)]
                    place.follower.show(last, crashed, "its process has ended", at=killed, seen=lambda s: s.closed)
                except Unexplained as found:
                    known.tally.reject(f"{known.who}, {q}", found)

    def held(self, event: Event) -> None:
        """Check one event for all queues that it concerns. Raises ``Unexplained``."""
        for q in self._queues(event):
            self.about = q
            if q in self.given_up:
                continue
            place = self._place(q)
            place.follower.keep(event.at, 6)
            if self.known.closing:
                place.follower.let(event.at, *SHUTDOWN)
            self._shown(q, place, event)
            self.locks.unseen(q, place, event)
            self.locks.unsent(place, event)
            self.known.tally.held(self.known.client.name, self.release)

    def _queues(self, event: Event) -> Sequence[str]:
        if isinstance(event, (EntryNew, EntryGone, Entry, Pulled, Begin, End)):
            return (event.q,)
        if isinstance(event, Answered):
            return event.asked.queues if event.asked.consumer_group == self.known.group else ()
        if isinstance(event, Table):
            lock = lock_of(event)
            return (lock.q,) if lock and lock.group == self.known.group else ()
        if isinstance(event, Ask):
            self.known.asks[event.opaque] = event
            if event.code == PULL and event.said.q in self.known.places:
                self.known.places[event.said.q].pulled = event.at
            return event.said.queues if event.code == UNLOCK else ()
        if isinstance(event, Answer) and event.code == LOCK:
            ask = self.known.asks.get(event.opaque)
            return ask.said.queues if ask and ask.thread not in self.known.threads else ()
        if isinstance(event, Allocate):
            self.known.mine[event.topic] = set(event.result or ())
        if isinstance(event, ShutdownBegin):
            self.known.closing = True
            return [*self.known.places]
        if isinstance(event, BrokerStarting):  # another broker has other locks
            return [q for q in self.known.places if q.rsplit(":", 2)[1] == event.who]
        return ()

    def _shown(self, q: str, place: Place, event: Event) -> None:
        if isinstance(event, BrokerStarting):
            place.follower.show(event, [(does("restarts"),)], "")
        elif isinstance(event, ShutdownBegin):
            place.follower.show(event, [(does("shuts"),)], "")
        elif isinstance(event, Answered):
            self.locks.answered(q, place, event)
        elif isinstance(event, Table):
            self.locks.row(place, event)
        elif isinstance(event, Answer):
            self.entries.renewed(q, place, event)
        elif isinstance(event, Ask):
            self.entries.returns(q, place, event)
        else:
            self.entries.shown(q, place, event)
