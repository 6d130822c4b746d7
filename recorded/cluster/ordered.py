"""Ordered queues: the broker's lock, the entry with its marks, and the listener, of each consumer and queue."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from heapq import merge

from rebalance_proofs.model.client.process_queue import PULL_MAX_IDLE_TIME
from rebalance_proofs.model.machine.copies import ME, NOBODY, OTHER, Copies
from rebalance_proofs.model.machine.values import And, Bool, Not, Or, number
from rebalance_proofs.model.ordered.limits import DEFAULTS, Limits
from rebalance_proofs.model.ordered.machine import ORDERED
from rebalance_proofs.model.ordered.state import Choices, Ordered, Variant
from rebalance_proofs.recorded.cluster.clients import ordered_client
from rebalance_proofs.recorded.cluster.follow import Follower, Way, does
from rebalance_proofs.recorded.cluster.requests import LEAST_WAIT, Call, Calls
from rebalance_proofs.recorded.cluster.rounds import THREAD
from rebalance_proofs.recorded.cluster.tally import BEHAVIOURS, Tally, Unexplained
from rebalance_proofs.recorded.cluster.trace import LOOK, STALL, Trace
from rebalance_proofs.recorded.groups.broker import Answered, BrokerStarting, Heard, Table, lock_of
from rebalance_proofs.recorded.groups.driver import StartConsumer
from rebalance_proofs.recorded.groups.event import Event
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

MACHINE = "ordered"
LOCK, UNLOCK, PULL = "LOCK_BATCH_MQ", "UNLOCK_BATCH_MQ", "PULL_MESSAGE"
QUERYING = 5_000
"""An entry is made, with its stamp, before its offset is asked for, which takes so long at most, in ms."""
SHUTDOWN: tuple[Way, ...] = (
    (does("interrupts"),),
    (does("gives_back"),),
    (does("interrupts"), does("gives_back")),
)


def limits(started: StartConsumer) -> Limits:
    """The limits of a consumer: as shipped, or as its system properties and settings say."""
    given = {
        "client": "rocketmq.client.rebalance.lockMaxLiveTime",
        "unlock": "rocketmq.client.unlockDelayTimeMills",
        "loop": "rocketmq.client.maxTimeConsumeContinuously",
        "broker": "rocketmq.broker.rebalance.lockMaxLiveTime",
    }
    wait = int(started.settings.get("awaitTerminationMillisWhenShutdown", number(DEFAULTS.wait)))
    return replace(DEFAULTS, wait=wait, **started.numbers(given))


@dataclass
class Place:
    """One queue at one consumer."""

    follower: Follower[Ordered, Choices, Limits, Variant]
    pulled: int = 0
    """When a pull of it was last sent."""
    granted: int = 0
    merged: int = 0
    """Renewals that were granted and not heard of yet; and those of them that the machine has taken for one."""
    row: str | None = None
    """Whose the lock was at the last look."""
    differs: int | None = None
    """Since when it is another one's."""
    entry: str = ""
    """The entry in the table, by the events of its coming and going."""


Spans = Mapping[tuple[str, str], Sequence[tuple[int, int, str | None]]]
"""Group and queue -> requests that have changed its lock: when each was heard and answered, and who had it then."""


def _spans(trace: Trace) -> Spans:
    found: defaultdict[tuple[str, str], list[tuple[int, int, str | None]]] = defaultdict(list)
    for broker in trace.brokers:
        heard: dict[tuple[str, int], int] = {}
        for event in trace.of[broker]:
            if isinstance(event, Heard) and event.code in (LOCK, UNLOCK):
                heard[event.from_, event.opaque] = event.at
            elif isinstance(event, Answered) and event.code in (LOCK, UNLOCK):
                since = heard.get((event.from_, event.opaque), event.at)
                holder = event.asked.client_id if event.code == LOCK else None
                for q in event.said.granted or () if event.code == LOCK else event.asked.queues:
                    found[event.asked.consumer_group or "", q].append((since, event.at, holder))
    return found


def check(trace: Trace, calls: Calls) -> Tally:
    """Find behaviours of every ordered consumer and queue, with the broker's lock of it."""
    tally, spans = Tally(MACHINE, BEHAVIOURS), _spans(trace)
    for who in trace.consumers:
        if not trace.ordered(who):
            continue
        for life in trace.lives(who):
            one = _Consumer(trace, who, _id(life), calls, spans, tally)
            for event in _merged(trace, who, life):
                try:
                    one.held(event)
                except Unexplained as found:
                    tally.reject(f"{who}, {one.about}", found)
                    one.given_up.add(one.about)
            tally.about += len(one.places)
    return tally


def _id(life: Sequence[Event]) -> str:
    """The client id of a process, by which a broker knows it: for the broker, two processes with one id are one."""
    said = (
        event.said.client_id if isinstance(event, Ask) else event.cid
        for event in life
        if isinstance(event, (Ask, Allocate))
    )
    return next((one for one in said if one), "")


def _merged(trace: Trace, who: str, life: Sequence[Event]) -> Iterator[Event]:
    """The process's events and those of brokers' locks; of one millisecond what asks is first, what hears is last."""

    def own() -> Iterator[tuple[int, int, Event]]:
        last = (0, 0)
        for event in life:
            last = max(last, (event.at, 0 if isinstance(event, Ask) else 2))
            yield *last, event

    def brokers() -> Iterator[tuple[int, int, Event]]:
        until = life[-1].at
        for broker in trace.brokers:
            for event in trace.of[broker]:
                lock = isinstance(event, Answered) and event.code in (LOCK, UNLOCK)
                row = isinstance(event, Table) and event.what == "lock"
                if (lock or row or isinstance(event, BrokerStarting)) and event.at <= until:
                    yield event.at, 1, event

    streams = (own(), sorted(brokers(), key=lambda each: each[0]))
    return (event for _, _, event in merge(*streams, key=lambda each: each[:2]))


class _Consumer:
    """One process, all its queues."""

    def __init__(self, trace: Trace, who: str, id_: str, calls: Calls, spans: Spans, tally: Tally) -> None:
        self.trace, self.who, self.id, self.spans, self.tally = trace, who, id_, spans, tally
        self.started = trace.consumers[who]
        self.group, self.limits = self.started.group, limits(self.started)
        self.client = ordered_client(trace.release(who))
        self.calls: Mapping[int, Call] = {
            call.answered.row: call for call in calls.all[who] if call.answered and call.ask.code in (LOCK, UNLOCK)
        }
        self.asks: dict[int, Ask] = {}
        self.places: dict[str, Place] = {}
        self.given_up: set[str] = set()
        self.mine: defaultdict[str, set[str]] = defaultdict(set)
        self.about = ""
        self.closing = False

    def place(self, q: str) -> Place:
        """What is known of a queue."""
        if q not in self.places:
            follower: Follower[Ordered, Choices, Limits, Variant] = Follower(
                ORDERED, self.client, self.limits, self.tally, encoding=self.trace.encodings.get(MACHINE)
            )
            follower.begin(follower.alike(ORDERED.begun(self.limits, self.client)))
            self.places[q] = Place(follower)
        return self.places[q]

    def held(self, event: Event) -> None:
        """Hold one event to all queues that it is about. Raises ``Unexplained``."""
        for q in self._queues(event):
            self.about = q
            if q in self.given_up:
                continue
            place = self.place(q)
            place.follower.keep(event.at, 6)
            if self.closing:
                place.follower.let(event.at, *SHUTDOWN)
            self._shown(q, place, event)
            self._unseen(q, place, event)
            self.tally.events += 1

    def _unseen(self, q: str, place: Place, event: Event) -> None:
        """Whose the lock is, is seen by the next look. Raises ``Unexplained``."""
        if isinstance(event, BrokerStarting):
            place.row = None
        elif isinstance(event, Table):
            place.row = event.is_
        row = NOBODY if place.row is None else ME if place.row == self.id else OTHER
        seen = any(s.holder == row for s in place.follower.states)
        place.differs = None if seen else event.at if place.differs is None else place.differs
        if place.differs is not None:
            broker = q.rsplit(":", 2)[1]
            late = event.at - place.differs - self.trace.stood(broker, place.differs, event.at)
            if late > LOOK + STALL and not self.trace.ending(broker, event.at):
                told = place.follower.told(place.follower.states)
                raise Unexplained(event, f"whose the lock is since {late} ms was seen by no look", told)

    def _queues(self, event: Event) -> Sequence[str]:
        if isinstance(event, (EntryNew, EntryGone, Entry, Pulled, Begin, End)):
            return (event.q,)
        if isinstance(event, Answered):
            return event.asked.queues if event.asked.consumer_group == self.group else ()
        if isinstance(event, Table):
            lock = lock_of(event)
            return (lock.q,) if lock and lock.group == self.group else ()
        if isinstance(event, Ask):
            self.asks[event.opaque] = event
            if event.code == PULL and event.said.q in self.places:
                self.places[event.said.q].pulled = event.at
            return event.said.queues if event.code == UNLOCK else ()
        if isinstance(event, Answer) and event.code == LOCK:
            ask = self.asks.get(event.opaque)
            return ask.said.queues if ask and ask.thread != THREAD else ()
        if isinstance(event, Allocate):
            self.mine[event.topic] = set(event.result or ())
        if isinstance(event, ShutdownBegin):
            self.closing = True
            return [*self.places]
        return [*self.places] if isinstance(event, BrokerStarting) else ()

    def _shown(self, q: str, place: Place, event: Event) -> None:
        follower = place.follower
        if isinstance(event, BrokerStarting):
            follower.show(event, [(does("restarts"),)], "")
        elif isinstance(event, Answered):
            self._answered(q, place, event)
        elif isinstance(event, Table):
            self._row(place, event)
        elif isinstance(event, Answer):
            granted = q in (event.said.granted or ())
            ways: list[Way] = [(does("renewed"),)] if granted else [(does("refused"),), ()]
            ask = self.asks[event.opaque]
            late = event.at - ask.at > LEAST_WAIT
            if granted and (place.merged or late):
                ways.append(())
                self.tally.widened += late
            why = f"it hears that its lock was {'' if granted else 'not '}renewed"
            follower.show(event, ways, why, seen=None if granted else lambda s: Not(And(s.present, s.locked)))
            place.granted -= granted
            place.merged = place.granted if granted else place.merged
        elif isinstance(event, Ask):
            self._returns(q, place, event)
        elif isinstance(event, ShutdownBegin):
            follower.show(event, [(does("shuts"),)], "")
        else:
            self._entry(q, place, event)

    def _revokes(self, q: str, place: Place, at: int) -> list[Way]:
        """The ways in which a rebalance can take the queue now: it is another's, or no pull was sent for long."""
        topic = q.rsplit(":", 2)[0]
        if q not in self.mine[topic]:
            return [(does("revokes", in_set=0),)]
        idle = at - place.pulled > PULL_MAX_IDLE_TIME
        return [(does("revokes", in_set=1),)] if idle else []

    def _entry(self, q: str, place: Place, event: Event) -> None:
        follower, revokes = place.follower, self._revokes(q, place, event.at)
        if isinstance(event, EntryNew):
            place.entry = event.entry
            follower.show(event, [(does("adds", found=1),)], "its lock was not granted to a rebalance")
        elif isinstance(event, EntryGone):
            place.entry = ""
            if event.how == "clear":
                ways: list[Way] = [(does("clears"),), (does("gives_back"), does("clears"))]
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

    def _look(self, place: Place, event: Entry, revokes: list[Way]) -> None:
        if not event.in_table:
            return
        stamp = event.at - event.lock_age
        near = [s for s in place.follower.states if not s.present or -QUERYING - STALL <= stamp - s.stamp <= STALL]
        if not near:
            raise Unexplained(event, f"its lock's stamp is {stamp} ms", place.follower.told(place.follower.states))
        place.follower.states = dict.fromkeys(near)
        seen = event.dropped, event.locked
        ways: list[Way] = [(), (does("adds", found=1),), (does("gives_back"),)]
        ways += [(does("interrupts"), does("gives_back"))]
        try:
            place.follower.show(
                event,
                [*ways, *revokes],
                f"its entry is seen {'' if event.dropped else 'not '}marked, {'' if event.locked else 'not '}locked",
                seen=lambda s: And(s.present, (s.dropped, s.locked) == seen),
            )
        except Unexplained:
            if event.dropped and self._going(place, revokes, event.at):
                self.tally.widened += 1
                return
            if not self._a_little_before(place, event, lambda s: s.present and (s.dropped, s.locked) == seen):
                raise

    def _going(self, place: Place, revokes: list[Way], at: int) -> bool:
        """Whether a rebalance is taking the entry away: the machine does at once what a look can see half of."""
        follower = place.follower
        if place.entry and not any(s.present for s in follower.states):
            return True
        return any(next(follower.after(s, way, at), None) is not None for s in follower.states for way in revokes)

    def _begins(self, place: Place, event: Begin) -> None:
        follower = place.follower
        now = dict(follower.states)
        try:
            follower.show(event, [(does("starts"),)], "the listener is called")
        except Unexplained:
            # The check of the lock and of the mark was a little before.
            for at, states in reversed(follower.past):
                old = [
                    s for s in states if event.at - at < STALL and follower.able(s, "starts", max(at, number(s.now)))
                ]
                if old:
                    self.tally.widened += 1
                    follower.states = {follower.alike(s.but(runs=True, orphan=not s.present)): None for s in now}
                    return
            raise

    def _a_little_before(self, place: Place, event: Event, seen: Callable[[Ordered], object]) -> bool:
        """Whether it was so when the look was made, a little before it was written."""
        was = any(map(seen, place.follower.lately(event.at, STALL)))
        self.tally.widened += was
        return was

    def _returns(self, q: str, place: Place, event: Ask) -> None:
        ways: list[Way] = [(), (does("returns"),), *self._revokes(q, place, event.at)]
        ways += [(does("gives_back"),), (does("interrupts"), does("gives_back"))]
        # A shutdown asks first, and marks its entries then.
        place.follower.show(event, ways, "it returns the lock", seen=lambda s: Or(s.unlocking, self.closing))

    def _row(self, place: Place, event: Table) -> None:
        holder = NOBODY if event.is_ is None else ME if event.is_ == self.id else OTHER
        try:
            place.follower.show(
                event, [()], f"the broker's lock is {event.is_ or 'free'}", seen=lambda s: s.holder == holder
            )
        except Unexplained:
            lock = lock_of(event)
            spans = self.spans.get((lock.group, lock.q), ()) if lock else ()
            if any(heard <= event.at <= answered and holds == event.is_ for heard, answered, holds in spans):
                self.tally.widened += 1
                return
            if not self._a_little_before(place, event, lambda s: s.holder == holder):
                raise

    def _answered(self, q: str, place: Place, event: Answered) -> None:
        follower = place.follower
        call = self.calls.get(event.row)
        mine = event.asked.client_id == self.id and call is not None
        if event.code == UNLOCK:
            if mine:
                ways = [(*first, does("returned")) for first in ((), *(SHUTDOWN[1:] if self.closing else ()))]
                follower.show(event, ways, "it has returned no lock")
            else:
                self._others(follower, event, "returned")
            return
        granted = q in (event.said.granted or ())
        if not mine:
            if granted:
                self._grants_another(q, follower, event)
            return
        assert call is not None
        if granted:
            self._granted(q, place, event, call)
            return
        asked = ("renews", "locks") if call.ask.thread == THREAD else ("renews",)
        left = {s: None for s in follower.states if not any(follower.able(s, one, event.at) for one in asked)}
        if not left and not self._at_once(q, event, call, free=False) and not self._denied_before(place, call, asked):
            raise Unexplained(
                event, "the broker denies a lock that is free, or its own", follower.told(follower.states)
            )
        follower.states = left or follower.states

    def _grants_another(self, q: str, follower: Follower[Ordered, Choices, Limits, Variant], event: Answered) -> None:
        """Another client's lock; where it was being given back at the same time, that can have come first."""
        try:
            self._others(follower, event, "renews")
        except Unexplained:
            spans = self.spans.get((self.group, q), ())
            own = [one for one in spans if one[1] == event.at and one[2] == event.asked.client_id]
            since = own[0][0] if own else event.at
            if not any(holder is None and heard <= event.at and since <= at for heard, at, holder in spans):
                raise
            self.tally.widened += 1
            follower.states = {s.but(holder=NOBODY): None for s in follower.states}
            self._others(follower, event, "renews")

    def _denied_before(self, place: Place, call: Call, asked: Sequence[str]) -> bool:
        """Whether the lock was another's when the request had come: it was given back before the answer was noted."""
        since = call.heard.at if call.heard else call.ask.at
        able, past = place.follower.able, place.follower.past
        denied = any(not any(able(s, one, at) for one in asked) for at, states in past if at >= since for s in states)
        self.tally.widened += denied
        return denied

    def _granted(self, q: str, place: Place, event: Answered, call: Call) -> None:
        follower, heard = place.follower, _heard(call)
        rebalances = call.ask.thread == THREAD
        ways: list[Way] = [(does("locks" if rebalances else "renews", heard=one),) for one in heard]
        if rebalances:
            ways += [(does("adds", found=0), *way) for way in ways]
        why = "the broker grants a lock that is another's"
        try:
            follower.show(event, ways, why)
        except Unexplained:
            if not self._at_once(q, event, call, free=True):
                raise
            follower.states = {s.but(holder=NOBODY): None for s in follower.states}
            follower.show(event, ways, why)
        place.granted += any(heard) and not rebalances

    def _at_once(self, q: str, event: Answered, call: Call, *, free: bool) -> bool:
        """Whether another request for the lock was worked on at the same time: either may have been first."""
        since = call.heard.at if call.heard else event.at
        near = [
            one
            for one in self.spans.get((self.group, q), ())
            if one[0] <= event.at and since <= one[1] and (one[2] is None) == free and one[2] != self.id
        ]
        self.tally.widened += bool(near)
        return bool(near)

    def _others(self, follower: Follower[Ordered, Choices, Limits, Variant], event: Answered, action: str) -> None:
        """Another client's lock, or return of it, as the machine does it for that client."""
        party = ME if event.asked.client_id == self.id else OTHER
        found: dict[Ordered, None] = {}
        for state in follower.states:
            other = ORDERED.begun(self.limits, self.client, now=event.at).but(
                holder=state.holder, updated=state.updated, unlocking=action == "returned"
            )
            copies = Copies((state.at_time(event.at), other), (ME, party))
            for after in follower.after(
                copies.view(1), (does(action, heard=0) if action == "renews" else does(action, more=0),), event.at
            ):
                found[follower.alike(copies.acted(1, after).states[0])] = None
        if not found:
            raise Unexplained(
                event,
                f"the broker grants {event.asked.client_id} a lock that is {self.who}'s",
                follower.told(follower.states),
            )
        follower.states = found


def _heard(call: Call) -> tuple[int, ...]:
    """Whether the client heard an answer: it does not wait for more than its time-out, and then no event tells."""
    if call.answer is None:
        return (0,)
    return (0, 1) if call.answer.at - call.ask.at > LEAST_WAIT else (1,)


def _pulled(s: Ordered) -> Bool:
    return Or(s.cached, s.dropped, Not(s.present), s.stopping)
