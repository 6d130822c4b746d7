"""The rebalance thread: each round begins as the timer has run out, or somebody has woken the thread, and in time."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from rebalance_proofs.model.client.java_v5_0 import REBALANCE_DELAY
from rebalance_proofs.model.machine.values import number
from rebalance_proofs.model.settling.limits import DEFAULTS, Limits
from rebalance_proofs.model.settling.machine import SETTLING, Choices, Service
from rebalance_proofs.model.settling.service_thread import RUNS, WAITS, WOKEN
from rebalance_proofs.model.settling.spans import Variant
from rebalance_proofs.recorded.cluster.clients import generation, settling_client
from rebalance_proofs.recorded.cluster.follow import Follower, Way, does
from rebalance_proofs.recorded.cluster.requests import LEAST_WAIT
from rebalance_proofs.recorded.cluster.rounds import THREAD
from rebalance_proofs.recorded.cluster.tally import BEHAVIOURS, Tally, Unexplained
from rebalance_proofs.recorded.cluster.trace import Trace
from rebalance_proofs.recorded.groups.codes import LIST, LOCK
from rebalance_proofs.recorded.groups.driver import StartConsumer
from rebalance_proofs.recorded.groups.event import Event
from rebalance_proofs.recorded.groups.member import (
    Allocate,
    Answer,
    Ask,
    Entry,
    EntryGone,
    EntryNew,
    Notified,
    OffsetRemoved,
    Persist,
    ShutdownBegin,
    Started,
    StartFailed,
    Starting,
    Subscribed,
)

__all__ = ["MACHINE", "check"]

MACHINE = "settling"
UNSEEN = ("looks", "resets", "wakes", "clears", "postpones")
"""Steps of the thread that no event shows."""
URGENT = (*UNSEEN, "begins")
"""Steps that the thread takes as soon as it can."""
STIRRED: Way = (does("stirs"), does("counts", more=0))
ASKING = 6_000
"""A client waits so long for a connection and an answer, in ms; no event shows that it has waited in vain."""
CONNECTED = "NettyEventExecutor"
"""The thread that sends a heartbeat, and rebalances, when there is a new connection (from 5.2.0 on)."""
NO_ROUND = "no wake-up and no timer explains that a rebalance begins"
NO_TIME = "the thread should have begun a rebalance before"
OFTEN = 100
"""In ms. While a broker is away its clients can be connected, cut off and woken a thousand times a second: it is enough
to know once in so long that the thread can do what it likes."""
Item = tuple[Service, int]
"""A state of the machine, and of how many topics the round under way has asked."""


def check(trace: Trace) -> Tally:
    """Find behaviours of all consumers' rebalance threads."""
    tally = Tally(MACHINE, BEHAVIOURS)
    for who, started in trace.consumers.items():
        for life in trace.lives(who):
            tally.about += 1
            try:
                _Thread(trace, who, started, tally).held(life)
            except Unexplained as found:
                tally.reject(who, found)
    return tally


def limits(started: StartConsumer) -> Limits:
    """The limits of a consumer: as shipped, or as its system properties say."""
    given = {
        "wait": "rocketmq.client.rebalance.waitInterval",
        "least": "rocketmq.client.rebalance.minInterval",
    }
    return replace(DEFAULTS, **started.numbers(given))


class _Thread:
    """One process's rebalance thread."""

    def __init__(self, trace: Trace, who: str, started: StartConsumer, tally: Tally) -> None:
        self.trace, self.who, self.tally, self.group = trace, who, tally, started.group
        self.release = trace.release(who)
        self.client = settling_client(self.release)
        self.rules, self.least = generation(self.release).rules, self.client.least
        self.limits = limits(started)
        self.follower: Follower[Service, Choices, Limits, Variant] = Follower(
            SETTLING, self.client, self.limits, tally, encoding=trace.encodings.get(MACHINE)
        )
        self.items: dict[Item, None] = {}
        self.start = min(started.at, trace.of[who][0].at)
        self.topics = len(started.sub.split(",")) + 1
        self.waits = self.rules.try_lock if trace.ordered(who) else 0
        self.table: set[str] = set()
        self.marked: set[str] = set()
        self.mine: dict[str, set[str]] = {}
        self.denied = 0
        """When the round under way, or the last one, was denied a lock."""
        self.locking: Ask | None = None
        """The thread's request for a lock that was not answered yet."""
        self.last = 0
        """The last event of the thread."""
        self.away = [(since, end + ASKING) for broker in trace.brokers for since, end in trace.away(broker)]
        """When a broker was not there, or a rebalance still waited for it."""
        self.freed = 0
        """Until when that was read."""
        self.later: list[int] = []
        """When a rebalance that was put off wakes the thread, if it does."""

    def held(self, life: Sequence[Event]) -> None:
        """Hold all events of the process. Raises ``Unexplained``."""
        for event in life:
            if isinstance(event, (ShutdownBegin, StartFailed)):
                return
            if isinstance(event, Starting):
                # The thread's object, and its first time stamp, is older than the event, and younger than the process.
                first = SETTLING.begun(self.limits, self.follower.variant, now=event.at, last=self.start)
                self.items = {(first, 0): None}
                self.last = event.at
            elif isinstance(event, Subscribed):
                self.topics += 1
            elif isinstance(event, Notified) and event.said.consumer_group == self.group:
                self._notified(event)
            elif isinstance(event, Started) or (isinstance(event, Ask) and event.thread == CONNECTED):
                self._may_wake(event)
            else:
                self._follows(event)
        if self.trace.alive(self.who, life[-1].at, life[-1].at) and self.last:
            self._idle()
            self._passed(life[-1], life[-1].at)

    def _follows(self, event: Event) -> None:
        if isinstance(event, Entry):
            (self.marked.add if event.dropped else self.marked.discard)(event.q)
        elif isinstance(event, Ask) and event.thread == THREAD and event.code == LIST:
            self._asks(event)
        elif isinstance(event, Allocate):
            self.mine[event.topic] = {*(event.result or ()), *(("?",) if event.error else ())}
            self._goes_on(event)
        elif isinstance(event, EntryNew):
            self.table.add(event.q)
            self._goes_on(event)
        elif isinstance(event, EntryGone) and event.how != "clear":
            self.table.discard(event.q)
        elif isinstance(event, Answer) and self.locking is not None and event.opaque == self.locking.opaque:
            self.denied = self.denied if event.said.granted else event.at
            self.locking = None
        elif isinstance(event, Ask) and event.thread == THREAD and event.code == LOCK:
            self._unanswered(event.at)
            self.locking = event
            self.last = event.at
        elif (isinstance(event, Ask) and event.thread == THREAD) or isinstance(event, (OffsetRemoved, Persist)):
            self.last = event.at

    def _unanswered(self, at: int) -> None:
        """The thread goes on at that time: a lock that no broker has granted until then is none."""
        if self.locking is not None:
            self.denied = min(at, self.locking.at + LEAST_WAIT)
            self.locking = None

    def _goes_on(self, event: Event) -> None:
        """The round is not over yet."""
        self.last = event.at
        running = {item: None for item in self.items if item[0].at == RUNS}
        if not running and self.items:
            raise Unexplained(event, "no rebalance is under way", self._told())
        self.items = running

    def _longest(self, at: int) -> int:
        """How long the thread can be without an event in a round: an answer, and waits for listeners' locks."""
        return ASKING + self.waits * len(self.table) + self.trace.slack(self.who, self.last, at)

    def _asks(self, event: Ask) -> None:
        self.tally.held(self.client.name, self.release)
        self._unanswered(event.at)
        soon = event.at - self.last <= self._longest(event.at)
        self._idle()
        if not self._started():
            self._wake(event.at)
        self._passed(event, event.at)
        goes_on = {
            (state.at_time(event.at), asked + 1): None
            for state, asked in self.items
            if state.at == RUNS and asked < self.topics and soon
        }
        began: dict[Item, None] = {}
        for state, _ in self._closed(self.items, event.at):
            for after in self.follower.after(state, (does("begins"),), event.at):
                began[after, 1] = None
        if not began and not goes_on:
            near = self.follower.nearest([state for state, _ in self.items], [(does("begins"),)], event.at)
            raise Unexplained(event, NO_ROUND, self._told(), near)
        self.tally.shown["begins"] += bool(began)
        self.items = goes_on | began
        self.last = event.at
        self.tally.most_states = max(self.tally.most_states, len(self.items))

    def _started(self) -> bool:
        return any(asked for _, asked in self.items)

    def _idle(self) -> None:
        """The round under way can be over since the thread's last event: the earliest end permits most."""
        ended: dict[Item, None] = {}
        for state, asked in self.items:
            if state.at == RUNS:
                for after in self.follower.after(state, self._end(), self.last):
                    ended[after, asked] = None
        self.tally.shown["ends"] += bool(ended)
        self.items |= self._closed(ended, self.last)
        if self.denied and self.rules.marks_first:
            self.later.append(self.denied + REBALANCE_DELAY)
            self.denied = 0

    def _end(self) -> Way:
        if not self.least:
            return (does("ends", balanced=1, seen=0),)
        lacking = [q for topic in self.mine for q in self.mine[topic] - self.table if q != "?"]
        unsure = any(q in self.marked or q == "?" for mine in self.mine.values() for q in mine)
        return (does("ends", seen=0),) if unsure else (does("ends", balanced=int(not lacking), seen=0),)

    def _closed(self, items: Iterable[Item], at: int) -> dict[Item, None]:
        """The items, and what they can become by unseen steps at that time."""
        found = dict.fromkeys(items)
        new = [*found]
        while new:
            state, asked = new.pop()
            if state.at == RUNS or state.now > at:
                continue
            for action in UNSEEN:
                for after in self.follower.after(state, (does(action),), at):
                    if (after, asked) not in found:
                        found[after, asked] = None
                        new.append((after, asked))
                        self.tally.hidden += 1
                        self.tally.shown[action] += 1
        return found

    def _passed(self, event: Event, until: int) -> None:
        """Time has passed until then: a rebalance that was put off may have woken the thread, and it has done all that
        it could do long before. Raises ``Unexplained``."""
        for at in [one for one in self.later if one <= until]:
            self.later.remove(at)
            self._wake(max(at, self.last))
        self._free(until)
        slack = self.trace.slack(self.who, until, until)
        left: dict[Item, None] = {}
        for state, asked in self._closed(self.items, until - slack):
            late = self.trace.slack(self.who, number(state.now), until)
            over = until - late
            if state.at == RUNS:
                if until - self.last <= self._longest(until):
                    left[state, asked] = None
            elif over <= state.now or not any(self.follower.able(state, action, over) for action in URGENT):
                left[state, asked] = None
        if not left and self.items:
            raise Unexplained(event, NO_TIME, self._told())
        self.items = left

    def _free(self, until: int) -> bool:
        """Whether a broker is away at that time. The thread may have rebalanced at any time of that: who finds nobody
        to connect to asks nobody, and no event shows it. From the end on it waits for no longer than its interval.
        """
        for since, end in self.away:
            at = min(until, end)
            if since <= at > self.freed + (OFTEN if until < end else 0) and self.items:
                first = SETTLING.begun(self.limits, self.follower.variant, now=at, last=at - number(self.limits.least))
                waits = first.but(at=WAITS, since=at, last=at)
                running = {item: None for item in self.items if item[0].at == RUNS}
                self.items = running | self._closed([(first.but(at=WOKEN), 1), (waits, 1)], at)
                self.freed = at
                self._wake(at)
            before = until - number(self.limits.wait)
            if since <= before <= end and self.items:
                # The last of them may have been just so long ago.
                last = SETTLING.begun(self.limits, self.follower.variant, now=before, last=before)
                self.items[last.but(at=WAITS, since=before), 1] = None
        return any(since <= until <= end for since, end in self.away)

    def _wake(self, at: int) -> None:
        """Something may have woken the thread at that time."""
        woken: dict[Item, None] = {}
        for state, asked in self._closed(self.items, at):
            if state.now <= at:
                for after in self.follower.after(state, STIRRED, at):
                    woken[after, asked] = None
        self.items |= self._closed(woken, at)

    def _may_wake(self, event: Event) -> None:
        if not self._free(event.at):
            self._idle()
            self._wake(event.at)

    def _notified(self, event: Notified) -> None:
        self.tally.held(self.client.name, self.release)
        self.tally.shown.update(("stirs", "counts"))
        self._idle()
        self._passed(event, event.at)
        woken: dict[Item, None] = {}
        for state, asked in self._closed(self.items, event.at):
            afters = [*self.follower.after(state, STIRRED, event.at)] or [state]  # the flag is set already
            woken.update(((after, asked), None) for after in afters)
        self.items = self._closed(woken, event.at)

    def _told(self) -> tuple[str, ...]:
        return self.follower.told([state for state, _ in self.items])
