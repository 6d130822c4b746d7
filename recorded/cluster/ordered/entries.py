"""Check an ordered process queue: its flags (locked, dropped), its pulls, and its listener."""

from rebalance_proofs.model.client.process_queue import PULL_MAX_IDLE_TIME
from rebalance_proofs.model.machine.values import And, Bool, Not, Or, number
from rebalance_proofs.model.ordered.state import Ordered
from rebalance_proofs.recorded.cluster.follow import Way, does
from rebalance_proofs.recorded.cluster.names import topic_of
from rebalance_proofs.recorded.cluster.ordered.known import Known, Place
from rebalance_proofs.recorded.cluster.requests import LEAST_WAIT
from rebalance_proofs.recorded.cluster.tally import Unexplained
from rebalance_proofs.recorded.cluster.trace import STALL
from rebalance_proofs.recorded.groups.event import Event
from rebalance_proofs.recorded.groups.member import Answer, Ask, Begin, End, Entry, EntryGone, EntryNew, Pulled

TRYING = 6_000
"""Longest time in ms from dropping a process queue to its removal from the table.

The rebalance persists the offset and waits a second for the consume lock.
"""
QUERYING = 5_000
"""Longest time in ms of an offset query.

The process queue is created and locked before the query.
"""


class Entries:
    """Checks of one ordered consumer's process queues. All methods raise ``Unexplained``.

    ``q`` is a queue, and ``place`` its state at this consumer.
    """

    def __init__(self, known: Known) -> None:
        self.known = known

    def renewed(self, q: str, place: Place, event: Answer) -> None:
        """Check how the consumer reacts to the answer to its lock request."""
        follower = place.follower
        granted = q in (event.said.granted or ())
        ways: list[Way] = [(does("renewed"),)] if granted else [(does("refused"),), ()]
        ask = self.known.asks[event.opaque]
        late = event.at - ask.at > LEAST_WAIT
        if granted and (place.merged or late):
            ways.append(())
            self.known.tally.widened += late
        why = f"it receives the answer that its lock was {'' if granted else 'not '}renewed"
        follower.show(event, ways, why, seen=None if granted else lambda s: Not(And(s.present, s.locked)))
        place.granted -= granted
        place.merged = place.granted if granted else place.merged

    def shown(self, q: str, place: Place, event: Event) -> None:
        """Check an event about the process queue, its pulls, or its listener."""
        follower, revokes = place.follower, self._revokes(q, place, event.at)
        if isinstance(event, EntryNew):
            place.entry = event.entry
            early, at = place.early
            # A poll can see the entry in the table before the event of its addition.
            ways: list[Way] = [(does("adds", found=1),), *[()] * (early == event.entry and event.at - at < STALL)]
            follower.show(event, ways, "its lock was not granted to a rebalance", seen=lambda s: s.present)
        elif isinstance(event, EntryGone):
            place.entry = ""
            if event.how == "clear":
                ways = [(does("clears"),), (does("gives_back"), does("clears"))]
                ways.append((does("interrupts"), does("gives_back"), does("clears")))
            else:
                ways = [(), *revokes, (does("unsubscribes"),)]
            follower.show(event, ways, "its entry leaves the table", seen=lambda s: Not(s.present))
        elif isinstance(event, Entry):
            self._look(place, event, revokes)
        elif isinstance(event, Pulled) and event.got:
            follower.show(event, [(does("pulls"),), ()], "its messages were pulled too early", seen=_pulled)
        elif isinstance(event, Begin):
            self._begins(place, event)
        elif isinstance(event, End):
            follower.show(event, [(does("ends", more=0),), ()], "", seen=lambda s: Not(s.runs))

    def returns(self, q: str, place: Place, event: Ask) -> None:
        """Check that the consumer may now send the unlock request."""
        place.returns += 1
        ways: list[Way] = [(), (does("returns"),), *self._revokes(q, place, event.at)]
        ways += [(does("gives_back"),), (does("interrupts"), does("gives_back"))]
        # A shutdown sends the request first and then drops its entries.
        place.follower.show(event, ways, "it returns the lock", seen=lambda s: Or(s.unlocking, self.known.closing))

    def _revokes(self, q: str, place: Place, at: int) -> list[Way]:
        """Return possible causes of the queue's removal: it was reassigned, or its pull expired."""
        topic = topic_of(q)
        if q not in self.known.mine[topic]:
            return [(does("revokes", in_set=0),)]
        idle = at - place.pulled > PULL_MAX_IDLE_TIME
        return [(does("revokes", in_set=1),)] if idle else []

    def _look(self, place: Place, event: Entry, revokes: list[Way]) -> None:
        if not event.in_table:
            return
        if event.entry != place.entry:
            place.early = event.entry, event.at
        stamp = event.at - event.lock_age
        near = [s for s in place.follower.states if not s.present or -QUERYING - STALL <= stamp - s.stamp <= STALL]
        if not near:
            raise Unexplained(event, f"its lock's time is {stamp} ms", place.follower.told(place.follower.states))
        place.follower.states = dict.fromkeys(near)
        seen = event.dropped, event.locked
        ways: list[Way] = [(), (does("adds", found=1),), (does("gives_back"),)]
        ways += [(does("interrupts"), does("gives_back"))]
        try:
            place.follower.show(
                event,
                [*ways, *revokes],
                f"a poll sees it {'' if event.dropped else 'not '}dropped, {'' if event.locked else 'not '}locked",
                seen=lambda s: And(s.present, (s.dropped, s.locked) == seen),
            )
        except Unexplained:
            if event.dropped and self._going(place, revokes, event):
                self.known.tally.widened += 1
                return
            if not self.known.a_little_before(place, event, lambda s: s.present and (s.dropped, s.locked) == seen):
                raise

    def _going(self, place: Place, revokes: list[Way], event: Entry) -> bool:
        """Return True if a rebalance is removing the process queue.

        The model removes it in one step, while a poll can show an intermediate state. The rebalance also tries to get
        the consume lock; without it, the process queue stays.
        """
        follower = place.follower
        if place.entry and not any(s.present for s in follower.states):
            return True
        if (
            self.known.gone.get(event.entry, self.known.trace.end) > event.at + TRYING + STALL
            and not self.known.closing
        ):
            return False
        return any(next(follower.after(s, way, event.at), None) is not None for s in follower.states for way in revokes)

    def _begins(self, place: Place, event: Begin) -> None:
        follower = place.follower
        now = dict(follower.states)
        try:
            follower.show(event, [(does("starts"),)], "the listener is called")
        except Unexplained:
            # The check of the lock and of the dropped flag was a little earlier.
            for at, states in reversed(follower.past):
                old = [
                    s for s in states if event.at - at < STALL and follower.able(s, "starts", max(at, number(s.now)))
                ]
                if old:
                    self.known.tally.widened += 1
                    follower.states = {follower.alike(s.but(runs=True, orphan=not s.present)): None for s in now}
                    return
            raise


def _pulled(s: Ordered) -> Bool:
    return Or(s.cached, s.dropped, Not(s.present), s.stopping)
