"""Pull requests: each pull that is sent and each result is of a request that circulates for an entry of the queue."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rebalance_proofs.model.client.process_queue import PULL_MAX_IDLE_TIME
from rebalance_proofs.model.machine.values import Bool, Not
from rebalance_proofs.model.pulls.limits import DEFAULTS, Limits
from rebalance_proofs.model.pulls.machine import PULLS
from rebalance_proofs.model.pulls.state import Choices, Pulls, Variant
from rebalance_proofs.recorded.cluster.clients import pulls_client
from rebalance_proofs.recorded.cluster.follow import Follower, Way, does
from rebalance_proofs.recorded.cluster.requests import Call, Calls
from rebalance_proofs.recorded.cluster.tally import BEHAVIOURS, Tally, Unexplained
from rebalance_proofs.recorded.cluster.trace import Trace
from rebalance_proofs.recorded.groups.codes import PULL, QUERY
from rebalance_proofs.recorded.groups.event import Event
from rebalance_proofs.recorded.groups.member import (
    Allocate,
    Ask,
    Entry,
    EntryGone,
    EntryNew,
    Pulled,
    ShutdownBegin,
    Unsubscribed,
)

__all__ = ["MACHINE", "check"]

MACHINE = "pulls"
THREAD = "PullMessageService"
ILLEGAL = "OFFSET_ILLEGAL"
MARKS: tuple[Way, ...] = ((does("revokes", in_set=0, stays=1),), (does("revokes", in_set=0, stays=0),))
FAILED: tuple[Way, ...] = ((does("answers", old=0),), (does("answers", old=1),))
"""A pull was answered, or has failed, unseen: refused, or not answered in time."""


@dataclass
class Place:
    """One queue at one consumer."""

    follower: Follower[Pulls, Choices, Limits, Variant]
    pulled: int = 0
    """When a pull of it was last sent, or its entry was made."""


def check(trace: Trace, calls: Calls) -> Tally:
    """Find behaviours of all consumers' pull requests, queue by queue."""
    tally = Tally(MACHINE, BEHAVIOURS)
    for who in trace.consumers:
        known = {call.ask.row: call for call in calls.all[who] if call.ask.code == PULL}
        for life in trace.lives(who):
            _Consumer(trace, who, known, tally).held(life)
    return tally


class _Consumer:
    """One process, all its queues."""

    def __init__(self, trace: Trace, who: str, calls: Mapping[int, Call], tally: Tally) -> None:
        self.trace, self.who, self.calls, self.tally = trace, who, calls, tally
        self.release = trace.release(who)
        self.client = pulls_client(self.release)
        self.ordered = trace.ordered(who)
        self.places: dict[str, Place] = {}
        self.mine: dict[str, set[str]] = {}
        self.closing = False

    def held(self, life: Sequence[Event]) -> None:
        """Hold all events; a queue is given up at its first event that nothing explains."""
        given_up: set[str] = set()
        for event in life:
            if isinstance(event, Allocate):
                self.mine[event.topic] = set(event.result or ())
            elif isinstance(event, Unsubscribed):
                self.mine.pop(event.topic, None)
            self.closing |= isinstance(event, ShutdownBegin)
            q = self._queue(event)
            if q is None or q in given_up:
                continue
            try:
                self._shown(q, event)
                self.tally.held(self.client.name, self.release)
            except Unexplained as found:
                self.tally.reject(f"{self.who}, {q}", found)
                given_up.add(q)
        self.tally.about += len(self.places)

    def _queue(self, event: Event) -> str | None:
        if isinstance(event, (EntryNew, EntryGone, Pulled, Entry)):
            return event.q
        if isinstance(event, Ask) and (event.code == PULL or (event.code == QUERY and event.thread == THREAD)):
            return event.said.q
        return None

    def _place(self, q: str) -> Place:
        if q not in self.places:
            follower: Follower[Pulls, Choices, Limits, Variant] = Follower(
                PULLS, self.client, DEFAULTS, self.tally, encoding=self.trace.encodings.get(MACHINE)
            )
            follower.begin(PULLS.begun(DEFAULTS, self.client))
            self.places[q] = Place(follower)
        return self.places[q]

    def _shown(self, q: str, event: Event) -> None:
        place = self._place(q)
        follower = place.follower
        if isinstance(event, EntryNew):
            place.pulled = event.at
            follower.show(event, [(does("adds", silent=0),)], "the queue has an entry already")
        elif isinstance(event, EntryGone):
            ways = [(), *self._goes(q, place, event.at, stays=0), (does("repairs"),)]
            follower.show(event, ways, "its entry leaves the table", seen=lambda s: Not(s.present))
        elif isinstance(event, Entry):
            if event.dropped and event.in_table:
                ways = [(), *self._goes(q, place, event.at, stays=1), (does("illegal", old=0),)]
                follower.show(event, ways, "its entry is marked", seen=lambda s: s.dropped)
        elif isinstance(event, Pulled):
            self._came(follower, event)
        elif isinstance(event, Ask):
            self._asks(q, place, event)

    def _goes(self, q: str, place: Place, at: int, *, stays: int) -> list[Way]:
        """The ways in which the entry can be taken: the queue is another's, or no pull was begun for too long."""
        if self.closing or q not in self.mine.get(q.rsplit(":", 2)[0], set()):
            return [(does("revokes", in_set=0, stays=stays),)]
        idle = at - place.pulled
        waits = does("waits", span=idle)
        return [(waits, does("revokes", in_set=1, stays=stays))] if idle > PULL_MAX_IDLE_TIME else []

    def _came(self, follower: Follower[Pulls, Choices, Limits, Variant], event: Pulled) -> None:
        action = "illegal" if event.status == ILLEGAL else "answers"
        ways = [(does(action, old=old),) for old in (0, 1)]
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
            # The pull before was answered, or has failed, unseen.
            follower.states = now
            ways = [(*failed, *way) for failed in FAILED for way in sent]
            follower.show(event, ways, "no request of the queue waits")
            self.tally.shown["failed"] += 1


def _asking(s: Pulls) -> Bool:
    return s.asking > 0
