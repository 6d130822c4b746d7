"""Check pull requests (``PullRequest``): each pull and each result needs one.

A consumer has one pull request for each process queue. It waits in the pull thread's queue, or its pull is at a broker,
or it was lost. If it was lost, the process queue is no longer pulled and its pull expires.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from rebalance_proofs.model.client.process_queue_table import PULL_MAX_IDLE_TIME
from rebalance_proofs.model.machine.values import Bool, Not
from rebalance_proofs.model.machines.pulls import DEFAULTS, PULLS, Choices, Limits, Pulls, PullsClient
from rebalance_proofs.recorded.cluster.clients import pulls_client
from rebalance_proofs.recorded.cluster.follow import Follower, Way, does
from rebalance_proofs.recorded.cluster.names import topic_of
from rebalance_proofs.recorded.cluster.requests import Call, Calls
from rebalance_proofs.recorded.cluster.tally import BEHAVIOURS, Tally, Unexplained
from rebalance_proofs.recorded.cluster.trace import STALL, Trace
from rebalance_proofs.recorded.groups.event import ILLEGAL, PULL, PULLING, QUERY, Event
from rebalance_proofs.recorded.groups.member import (
    Allocate,
    Ask,
    End,
    Entry,
    EntryGone,
    EntryNew,
    Pulled,
    Resuming,
    ShutdownBegin,
    Subscribed,
    Suspending,
    Threw,
    Unsubscribed,
)

MACHINE = "pulls"
INTERRUPT = "interrupt"
MARKS: tuple[Way, ...] = ((does("revokes", in_set=0, stays=1),), (does("revokes", in_set=0, stays=0),))
FAILED: tuple[Way, ...] = ((does("answers", old=0),), (does("answers", old=1),))
"""Sequences of actions by which a pull ends without an event: refused, or timed out."""
LOST = ("throws", "interrupts")
"""Actions by which a pull request is lost before its pull is sent, or after the answer."""
PUT_OFF = 3_000
"""Longest time in ms after which a postponed pull request returns to the pull thread."""
ANSWERED = 30_000 + PUT_OFF
"""Longest time in ms until a pull ends and its pull request can be used again."""
FLOW = 1_000
"""Number of unconsumed messages at which pulls are postponed (``pullThresholdForQueue``)."""


@dataclass
class Place:
    """State of one queue at one consumer while events are checked."""

    follower: Follower[Pulls, Choices, Limits, PullsClient]
    pulled: int = 0
    """Time in ms of the queue's last pull, or of the creation of its process queue."""
    last: int = 0
    """Time in ms of the last event; by then, waiting pull requests had reached the pull thread."""
    cached: int = 0
    """Upper bound of the number of pulled but unconsumed messages in the process queue."""


def check(trace: Trace, calls: Calls) -> Tally:
    """Check the pull requests of all consumers of a trace against the model, queue by queue."""
    tally = Tally(MACHINE, BEHAVIOURS)
    for who in trace.consumers:
        known = {call.ask.row: call for call in calls.all[who] if call.ask.code == PULL}
        for life in trace.lives(who):
            _Consumer(trace, who, known, tally).held(life)
    return tally


class _Consumer:
    """Checks of all queues of one consumer's process."""

    def __init__(self, trace: Trace, who: str, calls: Mapping[int, Call], tally: Tally) -> None:
        self.trace, self.who, self.calls, self.tally = trace, who, calls, tally
        self.release = trace.release(who)
        self.client = pulls_client(self.release)
        self.ordered = trace.ordered(who)
        self.places: dict[str, Place] = {}
        self.mine: dict[str, set[str]] = {}
        self.closing = False
        self.suspended: int | None = None
        """Time in ms from which the consumer is suspended; None if it is not."""
        self.unsubscribed: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
        """Topic -> times in ms during which it is not subscribed, as (from, to).

        Pulls are then postponed.
        """
        self.given_up: set[str] = set()
        self.told = False
        """True if the recording contains pulls, so that a pull that is not recorded was not sent."""
        self.ended = False
        """True if the pull thread has certainly ended."""
        self.interrupted: set[int] = set()
        """Line numbers of results whose thread was interrupted.

        It could not return the pull request.
        """
        self.results: dict[str, Pulled] = {}
        """Queue -> the recorded result of its last pull.

        If the recording contains results, it also contains those that report an illegal offset.
        """
        self.gone: defaultdict[str, list[EntryGone]] = defaultdict(list)
        self.thresholds = any("hreshold" in name or "Span" in name for name in trace.consumers[who].settings)

    def held(self, life: Sequence[Event]) -> None:
        """Check all events of one process; after its first unexplained event, a queue is skipped."""
        results = self.results
        for event in life:
            if isinstance(event, EntryGone):
                self.gone[event.q].append(event)
            elif isinstance(event, Pulled):
                results[event.q] = event
            elif isinstance(event, Threw) and event.where == INTERRUPT and event.q in results:
                self.interrupted.add(results[event.q].row)
            self.told |= isinstance(event, Ask) and event.code == PULL
        for event in life:
            if isinstance(event, Allocate):
                self.mine[event.topic] = set(event.result or ())
            elif isinstance(event, Unsubscribed):
                self.mine.pop(event.topic, None)
                self.unsubscribed[event.topic].append((event.at, self.trace.end))
            elif isinstance(event, Subscribed) and self.unsubscribed[event.topic]:
                begun, _ = self.unsubscribed[event.topic].pop()
                self.unsubscribed[event.topic].append((begun, event.at + PUT_OFF))
            elif isinstance(event, (Suspending, Resuming)):
                self._suspends(event)
            elif isinstance(event, End) and event.q in self.places:
                self.places[event.q].cached -= event.to - event.from_ + 1
            self.closing |= isinstance(event, ShutdownBegin)
            q = self._queue(event)
            if q is not None and self._held(q, self._shown, event):
                self.tally.held(self.client.name, self.release)
        for q in self.places:
            self._held(q, self._passed, life[-1])
        self.tally.about += len(self.places)

    def _held(self, q: str, rule: Callable[[str, Event], None], event: Event) -> bool:
        """Check an event of queue ``q`` by ``rule``, and return True if the rule explains the event.

        Otherwise reject the event and skip the queue from then on.
        """
        if q in self.given_up:
            return False
        try:
            rule(q, event)
        except Unexplained as found:
            self.tally.reject(f"{self.who}, {q}", found)
            self.given_up.add(q)
        return q not in self.given_up

    def _suspends(self, event: Suspending | Resuming) -> None:
        self.suspended = event.at if isinstance(event, Suspending) else None
        self.tally.held(self.client.name, self.release)
        for q in self.places:
            self._held(q, self._suspended, event)

    def _suspended(self, q: str, event: Event) -> None:
        """Check that a suspended consumer starts no pull until it resumes.

        Pulls that have begun are still sent.
        """
        place = self.places[q]
        self._passed(q, event)
        place.last = event.at
        if isinstance(event, Suspending):
            place.follower.let(event.at, (does("suspends"),))
            self.tally.shown["suspends"] += 1
        else:
            self._put_off(place, event)
            resumed: list[Way] = [(does("resumes"),), ()]
            place.follower.show(event, resumed, "it is suspended", seen=lambda s: Not(s.suspended))

    def _put_off(self, place: Place, event: Event) -> None:
        """Add the states in which a waiting pull request was postponed during a long suspension."""
        suspended = [one.at for one in self.trace.kind(Suspending, self.who) if one.at <= event.at]
        since = suspended[-1] if suspended else event.at
        if event.at - since <= PUT_OFF + self.trace.slack(self.who, since, event.at):
            return
        follower, taken = place.follower, (does("takes", old=0, later=0),)
        follower.states = {
            after: None for s in follower.states for after in (follower.after(s, taken, 0) if s.waiting else (s,))
        }

    def _passed(self, q: str, event: Event) -> None:
        """Check that no pull of the queue is overdue: a pull request that waits is used in time.

        Raises ``Unexplained``.
        """
        place = self.places[q]
        follower, since = place.follower, place.last
        if self.suspended is not None and event.at > self.suspended + STALL:
            follower.states = {s: None for s in follower.states if s.suspended}
        without = self.unsubscribed[topic_of(q)]
        took = event.at - since - self.trace.slack(self.who, since, event.at)
        took -= sum(max(0, min(end, event.at) - max(begun, since)) for begun, end in without)
        if took <= PUT_OFF or self.ordered or self.closing or not self.told or not self._steady(place, event.at):
            return
        left = self._that_wait(follower, answered=took > ANSWERED)
        if not left and self._lost(q, place, event.at):
            for action in LOST:
                follower.let(event.at, (does(action),))
            left = self._that_wait(follower, answered=took > ANSWERED)
            self.tally.widened += 1
        if not left:
            why = f"for {took} ms no pull of the queue was sent, although a request waits"
            raise Unexplained(event, why, follower.told(follower.states))
        follower.states = left

    def _that_wait(
        self, follower: Follower[Pulls, Choices, Limits, PullsClient], *, answered: bool
    ) -> dict[Pulls, None]:
        """Return the states in which no pull is due, as if the pull request was lost without an event.

        The process queue is later removed because its pull expired. ``answered``: the last pull has ended by now.
        """
        return {s: None for s in follower.states if not self._sends(follower, s, answered=answered)}

    def _lost(self, q: str, place: Place, at: int) -> bool:
        """Return True if the last pull request was lost.

        The process queue is later removed as not pulled.
        """
        gone = (one for one in self.gone.get(q, ()) if one.at >= at and one.since_pull > PULL_MAX_IDLE_TIME)
        return any(one.at - one.since_pull <= place.pulled + STALL for one in gone)

    def _sends(self, follower: Follower[Pulls, Choices, Limits, PullsClient], s: Pulls, *, answered: bool) -> bool:
        """Return True if the pull request must have led to a pull by now in state ``s``.

        ``answered``: the last pull has ended by now.
        """
        befores = [one for way in ((), *(FAILED if answered else ())) for one in follower.after(s, way, 0)]
        takes = [(does("takes", old=old, later=0),) for old in (0, 1)]
        return any(
            after.pulling + after.old_pulling > before.pulling + before.old_pulling
            for before in befores
            for way in takes
            for after in follower.after(before, way, 0)
        )

    def _steady(self, place: Place, until: int) -> bool:
        """Return True if nothing postpones pulls: no backlog of messages, and no broker is down."""
        since = place.last - ANSWERED
        brokers = self.trace.brokers
        there = not any(a <= until and since <= b for broker in brokers for a, b in self.trace.away(broker))
        late = any(self.trace.delayed(broker, since, until) for broker in brokers)
        stood = any(self.trace.stood(broker, since, until) for broker in brokers)
        return there and not late and not stood and place.cached < FLOW and not self.thresholds

    def _queue(self, event: Event) -> str | None:
        if isinstance(event, (EntryNew, EntryGone, Pulled, Entry, Threw)):
            return event.q
        if isinstance(event, Ask) and (event.code == PULL or (event.code == QUERY and event.thread == PULLING)):
            return event.said.q
        return None

    def _place(self, q: str) -> Place:
        if q not in self.places:
            follower: Follower[Pulls, Choices, Limits, PullsClient] = Follower(
                PULLS, self.client, DEFAULTS, self.tally, encoding=self.trace.encoding(MACHINE, self.client)
            )
            begun = PULLS.begun(DEFAULTS, self.client)
            follower.begin(begun.but(suspended=self.suspended is not None, ended=self.ended))
            self.places[q] = Place(follower)
        return self.places[q]

    def _shown(self, q: str, event: Event) -> None:
        place = self._place(q)
        follower = place.follower
        self._passed(q, event)
        if not isinstance(event, Entry):
            place.last = event.at
        if isinstance(event, EntryNew):
            place.pulled, place.cached = event.at, 0
            follower.show(event, [(does("adds", silent=0),)], "the queue already has an entry")
        elif isinstance(event, EntryGone):
            ways = [(), *self._goes(q, place, event.at, stays=0), (does("repairs"),)]
            follower.show(event, ways, "its entry is removed from the table", seen=lambda s: Not(s.present))
        elif isinstance(event, Entry):
            if event.dropped and event.in_table:
                ways = [(), *self._goes(q, place, event.at, stays=1)]
                ways += [] if self.results else [(does("illegal", old=0),)]
                follower.show(event, ways, "its entry is dropped", seen=lambda s: s.dropped)
        elif isinstance(event, Pulled):
            place.cached += len(event.got)
            self._came(follower, event)
        elif isinstance(event, Threw):
            self._threw(follower, event)
        elif isinstance(event, Ask):
            self._asks(q, place, event)

    def _goes(self, q: str, place: Place, at: int, *, stays: int) -> list[Way]:
        """Return possible causes of the queue's removal: it was reassigned, or its pull expired."""
        if self.closing or q not in self.mine.get(topic_of(q), set()):
            return [(does("revokes", in_set=0, stays=stays),)]
        idle = at - place.pulled
        waits = does("waits", span=idle)
        return [(waits, does("revokes", in_set=1, stays=stays))] if idle > PULL_MAX_IDLE_TIME else []

    def _threw(self, follower: Follower[Pulls, Choices, Limits, PullsClient], event: Threw) -> None:
        """Check an exception in user code that handles a pull request.

        User code is an RPC hook, an offset store or a callback.
        """
        if event.where == INTERRUPT:
            return  # the result before it implies it
        action = {"hook": "hooks", "store": "throws"}.get(event.where)
        if action is None:
            way: Way = (does("breaks") if event.error else does("answers", old=0),)
            follower.show(event, [way, ()], "no pull of the queue is under way")
            return
        action = "errs" if event.error else action
        ways: list[Way] = [(does(action),), *((*failed, does(action)) for failed in FAILED)]
        follower.show(event, ways, "no request of the queue waits")
        if not self.ended and all(s.ended for s in follower.states):
            self.ended = True  # all queues share this thread
            for place in self.places.values():
                place.follower.states = {s.but(ended=True): None for s in place.follower.states}

    def _came(self, follower: Follower[Pulls, Choices, Limits, PullsClient], event: Pulled) -> None:
        action = "illegal" if event.status == ILLEGAL else "answers"
        if event.row in self.interrupted:
            action = "interrupts"
        ways: list[Way] = [(does(action),)] if action == "interrupts" else [(does(action, old=old),) for old in (0, 1)]
        follower.show(event, ways, "no pull of the queue is under way")

    def _asks(self, q: str, place: Place, event: Ask) -> None:
        follower = place.follower
        first: list[Way] = [(does("asks"),)]
        sent: list[Way] = [(does("takes", old=old, later=0),) for old in (0, 1)]
        if event.code == QUERY:
            again: Way = (does("sends", later=1, old=0), does("asks"))
            follower.show(event, [*first, again], "no request of the queue waits", seen=_asking)
            return
        if self.ordered:
            sent += [(does("sends", later=0, old=old),) for old in (0, 1)]
        place.pulled = event.at
        now = dict(follower.states)
        try:
            follower.show(event, sent, "")
        except Unexplained:
            # The previous pull was answered or failed without an event.
            follower.states = now
            ways = [(*failed, *way) for failed in FAILED for way in sent]
            follower.show(event, ways, "no request of the queue waits")
            self.tally.shown["failed"] += 1


def _asking(s: Pulls) -> Bool:
    return s.asking > 0
