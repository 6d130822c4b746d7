"""Check the broker's lock of an ordered queue: its holder, and answers to requests."""

from collections.abc import Sequence

from rebalance_proofs.model.client.process_queue_table import PULL_MAX_IDLE_TIME
from rebalance_proofs.model.machine.copies import ME, NOBODY, OTHER, Copies
from rebalance_proofs.model.machine.values import And, Bool, Not, Or, number
from rebalance_proofs.model.machines.ordered.actions import ORDERED, OrderedClient
from rebalance_proofs.model.machines.ordered.state import Choices, Limits, Ordered
from rebalance_proofs.recorded.cluster.follow import Follower, Way, does
from rebalance_proofs.recorded.cluster.names import topic_of
from rebalance_proofs.recorded.cluster.ordered.known import SHUTDOWN, Known, Place
from rebalance_proofs.recorded.cluster.requests import LEAST_WAIT, Call
from rebalance_proofs.recorded.cluster.tally import Unexplained
from rebalance_proofs.recorded.cluster.trace import LOOK, STALL
from rebalance_proofs.recorded.groups.broker import Answered, BrokerStarting, Table, lock_of
from rebalance_proofs.recorded.groups.event import UNLOCK, Event
from rebalance_proofs.recorded.groups.member import Answer, Ask, Begin, End, Entry, EntryGone, EntryNew, Pulled

Following = Follower[Ordered, Choices, Limits, OrderedClient]

# Check an ordered process queue: its flags (locked, dropped), its pulls, and its listener.

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
            self._look(q, place, event, revokes)
        elif isinstance(event, Pulled) and event.got:
            follower.show(event, [(does("pulls"),), ()], "its messages were pulled too early", seen=_pulled)
        elif isinstance(event, Begin):
            self._begins(place, event)
        elif isinstance(event, End):
            follower.show(event, [(does("ends", more=0),), ()], "", seen=lambda s: Not(s.runs))

    def returns(self, q: str, place: Place, event: Ask) -> None:
        """Check that the consumer may now send the unlock request."""
        place.returns += 1
        ways: list[Way] = [(), (does("sends_unlock"),), *self._revokes(q, place, event.at)]
        ways += [(does("gives_back"),), (does("interrupts"), does("gives_back"))]
        # A shutdown sends the request first and then drops its entries.
        place.follower.show(event, ways, "it returns the lock", seen=lambda s: Or(s.unlocking, self.known.closing))

    def _revokes(self, q: str, place: Place, at: int) -> list[Way]:
        """Return possible causes of the queue's removal.

        It was reassigned, its pull expired, its offset is reset, or its illegal offset is corrected.
        """
        topic = topic_of(q)
        if q not in self.known.mine[topic] or self.known.is_going(q, at):
            return [(does("revokes", in_set=0),)]
        idle = at - place.pulled > PULL_MAX_IDLE_TIME
        return [(does("revokes", in_set=1),)] if idle else []

    def _look(self, q: str, place: Place, event: Entry, revokes: list[Way]) -> None:
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
            still = self.known.is_going(q, event.at) and any(
                s.present and s.locked == event.locked for s in place.follower.states
            )
            if event.dropped and (still or self._going(place, revokes, event)):
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
        gone = self.known.gone.get(event.entry)
        if gone is not None and 0 <= event.at - gone < STALL:
            return True  # the poll was made before the removal, and written after it
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


class Locks:
    """Checks of the locks of one consumer's queues. All methods raise ``Unexplained``.

    ``q`` is a queue, and ``place`` its state at this consumer.
    """

    def __init__(self, known: Known) -> None:
        self.known = known

    def row(self, place: Place, event: Table) -> None:
        """Check a poll of the broker's lock table, which showed another holder."""
        holder = NOBODY if event.is_ is None else ME if event.is_ == self.known.id else OTHER
        try:
            place.follower.show(
                event, [()], f"the broker's lock is {event.is_ or 'free'}", seen=lambda s: s.holder == holder
            )
        except Unexplained:
            lock = lock_of(event)
            spans = self.known.spans.get((lock.group, lock.q), ()) if lock else ()
            if any(heard <= event.at <= answered and holds == event.is_ for heard, answered, holds in spans):
                self.known.tally.widened += 1
                return
            if not self.known.a_little_before(place, event, lambda s: s.holder == holder):
                raise

    def unseen(self, q: str, place: Place, event: Event) -> None:
        """Check that a change of the lock's holder has appeared in the next poll of the broker."""
        if isinstance(event, BrokerStarting):
            place.row = None
        elif isinstance(event, Table):
            place.row = event.is_
        row = NOBODY if place.row is None else ME if place.row == self.known.id else OTHER
        seen = any(s.holder == row for s in place.follower.states)
        place.differs = None if seen else event.at if place.differs is None else place.differs
        if place.differs is not None:
            broker = q.rsplit(":", 2)[1]
            late = event.at - place.differs - self.known.trace.stood(broker, place.differs, event.at)
            if late > LOOK + STALL and not self.known.trace.ending(broker, event.at):
                told = place.follower.told(place.follower.states)
                raise Unexplained(event, f"no poll has seen the lock's holder since {late} ms", told)

    def unsent(self, place: Place, event: Event) -> None:
        """Check that an unlock request that the model has under way was really sent."""
        states = place.follower.states
        as_seen = place.returns or not states or any(not s.unlocking for s in states)
        place.unsent = None if as_seen else event.at if place.unsent is None else place.unsent
        if place.unsent is not None:
            late = event.at - place.unsent - self.known.trace.slack(self.known.who, place.unsent, event.at)
            if late > 0:
                told = place.follower.told(place.follower.states)
                raise Unexplained(event, "its lock is released by an unlock request that no consumer has sent", told)

    def answered(self, q: str, place: Place, event: Answered) -> None:
        """Check a broker's answer to a lock or unlock request of any consumer."""
        follower = place.follower
        call = self.known.calls.get((event.who, event.row))
        mine = event.asked.client_id == self.known.id and call is not None
        if event.code == UNLOCK:
            if mine:
                place.returns = max(0, place.returns - 1)
                ways = [(*first, does("unlocked")) for first in ((), *(SHUTDOWN[1:] if self.known.closing else ()))]
                follower.show(event, ways, "it has not returned a lock")
            elif place.other in ("", event.asked.client_id):
                self._others(follower, event, "unlocked")
            # Else a third client holds the lock, and the broker ignores the request.
            return
        granted = q in (event.said.granted or ())
        if not mine:
            if granted:
                self._grants_another(q, follower, event)
                place.other = event.asked.client_id or ""
            return
        assert call is not None
        if granted:
            self._granted(q, place, event, call)
            return
        asked = ("renews", "locks") if call.ask.thread in self.known.threads else ("renews",)
        left = {s: None for s in follower.states if not any(follower.able(s, one, event.at) for one in asked)}
        if not left and not self._at_once(q, event, call, free=False) and not self._denied_before(place, call, asked):
            raise Unexplained(
                event,
                "the broker denies a lock that is free, or that the consumer holds",
                follower.told(follower.states),
            )
        follower.states = left or follower.states

    def _grants_another(self, q: str, follower: Following, event: Answered) -> None:
        """Apply the grant of the lock to another client.

        If an unlock request was handled at the same time, it may have come first.
        """
        try:
            self._others(follower, event, "renews")
        except Unexplained:
            spans = self.known.spans.get((self.known.group, q), ())
            own = [one for one in spans if one[1] == event.at and one[2] == event.asked.client_id]
            since = own[0][0] if own else event.at
            if not any(holder is None and heard <= event.at and since <= at for heard, at, holder in spans):
                raise
            self.known.tally.widened += 1
            follower.states = {s.but(holder=NOBODY): None for s in follower.states}
            self._others(follower, event, "renews")

    def _denied_before(self, place: Place, call: Call, asked: Sequence[str]) -> bool:
        """Return True if another client held the lock when the request arrived.

        That client released the lock before the answer was recorded.
        """
        since = call.heard.at if call.heard else call.ask.at
        able, past = place.follower.able, place.follower.past
        denied = any(not any(able(s, one, at) for one in asked) for at, states in past if at >= since for s in states)
        self.known.tally.widened += denied
        return denied

    def _granted(self, q: str, place: Place, event: Answered, call: Call) -> None:
        follower, heard = place.follower, _heard(call)
        rebalances = call.ask.thread in self.known.threads
        ways: list[Way] = [(does("locks" if rebalances else "renews", heard=one),) for one in heard]
        if rebalances:
            ways += [(does("adds", found=0), *way) for way in ways]
        why = "the broker grants a lock that another client holds"
        try:
            follower.show(event, ways, why)
        except Unexplained:
            if not self._at_once(q, event, call, free=True):
                raise
            follower.states = {s.but(holder=NOBODY): None for s in follower.states}
            follower.show(event, ways, why)
        place.granted += any(heard) and not rebalances
        place.other = ""

    def _at_once(self, q: str, event: Answered, call: Call, *, free: bool) -> bool:
        """Return True if the broker handled another lock request at the same time.

        Either request may have been first.
        """
        since = call.heard.at if call.heard else event.at
        near = [
            one
            for one in self.known.spans.get((self.known.group, q), ())
            if one[0] <= event.at and since <= one[1] and (one[2] is None) == free and one[2] != self.known.id
        ]
        self.known.tally.widened += bool(near)
        return bool(near)

    def _others(self, follower: Following, event: Answered, action: str) -> None:
        """Apply another client's lock or unlock request by the model's ``action`` for other clients."""
        party = ME if event.asked.client_id == self.known.id else OTHER
        found: dict[Ordered, None] = {}
        for state in follower.states:
            other = ORDERED.begun(self.known.limits, self.known.client, now=event.at).but(
                holder=state.holder, updated=state.updated, unlocking=action == "unlocked"
            )
            copies = Copies((state.at_time(event.at), other), (ME, party))
            for after in follower.after(
                copies.view(1), (does(action, heard=0) if action == "renews" else does(action, more=0),), event.at
            ):
                found[follower.alike(copies.acted(1, after).states[0])] = None
        if not found:
            raise Unexplained(
                event,
                f"the broker grants {event.asked.client_id} a lock that {self.known.who} holds",
                follower.told(follower.states),
            )
        follower.states = found


def _heard(call: Call) -> tuple[int, ...]:
    """Return whether the client received the answer, as (0,) or (1,).

    Return both values if the client may have timed out, which has no event.
    """
    if call.answer is None:
        return (0,)
    return (0, 1) if call.answer.at - call.ask.at > LEAST_WAIT else (1,)
