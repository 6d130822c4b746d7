"""One process's rebalance thread: each round begins as the timer has run out, or somebody has woken it, and in time."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from rebalance_proofs.model.client.java_v5_0 import REBALANCE_DELAY
from rebalance_proofs.model.machine.values import number, truth
from rebalance_proofs.model.settling.limits import DEFAULTS, Limits
from rebalance_proofs.model.settling.machine import SETTLING, Choices, Service
from rebalance_proofs.model.settling.service_thread import RUNS, WAITS, WOKEN
from rebalance_proofs.model.settling.spans import Variant
from rebalance_proofs.recorded.cluster.clients import generation, settling_client
from rebalance_proofs.recorded.cluster.follow import Follower, Way, does
from rebalance_proofs.recorded.cluster.requests import LEAST_WAIT
from rebalance_proofs.recorded.cluster.rounds import THREAD
from rebalance_proofs.recorded.cluster.settling.change import Change, last_change
from rebalance_proofs.recorded.cluster.tally import Tally, Unexplained
from rebalance_proofs.recorded.cluster.trace import Trace
from rebalance_proofs.recorded.groups.codes import LIST, LOCK
from rebalance_proofs.recorded.groups.driver import Start, StartConsumer
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
    Resumed,
    Resuming,
    ShutdownBegin,
    Started,
    StartFailed,
    Starting,
    Subscribed,
    Suspending,
)
from rebalance_proofs.recorded.groups.run import DRIVER, of_kind

__all__ = ["GHOSTS", "MACHINE", "Thread", "limits"]

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
SENDING = 5_000
"""How long a notification can be on its way, in ms; longer where a process stood still."""
NO_ROUND = "no wake-up and no timer explains that a rebalance begins"
NO_TIME = "the thread should have begun a rebalance before"
NO_OTHER = "another thread should rebalance, and does not"
OFTEN = 100
"""In ms. While a broker is away its clients can be connected, cut off and woken a thousand times a second: it is enough
to know once in so long that the thread can do what it likes."""
GHOSTS = frozenset({"called", "changed", "told", "fresh", "right"})
"""What claims speak of, and events show: rebalances of other threads, and who has seen the last change of the group."""
Item = tuple[Service, int]
"""A state of the machine, and of how many topics the round under way has asked."""


def limits(started: StartConsumer) -> Limits:
    """The limits of a consumer: as shipped, or as its system properties say."""
    given = {
        "wait": "rocketmq.client.rebalance.waitInterval",
        "least": "rocketmq.client.rebalance.minInterval",
    }
    return replace(DEFAULTS, **started.numbers(given))


class Thread:
    """One process's rebalance thread."""

    def __init__(self, trace: Trace, who: str, started: StartConsumer, tally: Tally) -> None:
        self.trace, self.who, self.tally, self.group = trace, who, tally, started.group
        release = trace.release(who)
        client = settling_client(release)
        self.rules, self.least = generation(release).rules, client.least
        self.limits = limits(started)
        self.follower: Follower[Service, Choices, Limits, Variant] = Follower(
            SETTLING, client, self.limits, tally, encoding=trace.encoding(MACHINE, client), kept=GHOSTS
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
        self.calling = False
        """Whether another thread rebalances, by what the process says."""
        self.change: Change | None = None
        """The last change of what it is told when it asks, until it has been seen."""
        self.new: tuple[str, ...] = ()
        """What it is told from then on."""
        self.lists: list[tuple[str, ...]] = []
        """The ids that each topic of the round under way, or the last one, was shared among."""

    def held(self, life: Sequence[Event]) -> None:
        """Hold all events of the process. Raises ``Unexplained``."""
        self.change = change = last_change(self.trace, self.who, life)
        self.new = change.ids if change else ()
        for event in life:
            if isinstance(event, (ShutdownBegin, StartFailed)):
                break
            self._changes(event.at)
            if isinstance(event, Starting):
                # The thread's object, and its first time stamp, is older than the event, and younger than the process.
                now = self._begun(event)
                first = SETTLING.begun(self.limits, self.follower.variant, now=now, last=self.start)
                self.items = {(first, 0): None}
                self.last = now
            elif isinstance(event, Subscribed):
                self.topics += 1
            elif isinstance(event, Notified) and event.said.consumer_group == self.group:
                self._notified(event)
            elif isinstance(event, (Suspending, Resuming, Resumed)):
                self._suspends(event)
            elif isinstance(event, Started) or (isinstance(event, Ask) and event.thread == CONNECTED):
                self._may_wake(event)
            else:
                self._follows(event)
        else:
            if self.trace.alive(self.who, life[-1].at, life[-1].at) and self.last:
                self._idle()
                self._passed(life[-1], life[-1].at)
        if change is not None and self.items:
            self._lost(change, life[-1].at)

    def _changes(self, at: int) -> None:
        """What it is told when it asks changes for the last time: before a look sees that, and after the one before."""
        if self.change is None or at < self.change.since or not self.items:
            return
        changed: dict[Item, None] = {}
        for state, asked in self.items:
            if state.changed:
                changed[state, asked] = None
            else:
                for after in self.follower.after(state, (does("changes"),), number(state.now)):
                    changed[after, asked] = None
        if at >= self.change.until:
            self.change, self.items = None, changed
            self.tally.shown["changes"] += 1
        else:
            self.items |= changed

    def _lost(self, change: Change, until: int) -> None:
        """The notification of the last change has not come, and will not: it was lost, or somebody stood still."""
        if until - change.until > SENDING + self.trace.slack(self.who, change.until, until):
            lost = [(s, asked) for s, asked in self.items if s.told]
            if len(lost) == len(self.items):
                self.tally.shown["loses"] += 1

    def _suspends(self, event: Suspending | Resuming | Resumed) -> None:
        """A suspended consumer's rounds ask nobody; who resumes it rebalances in a thread of his own."""
        self._idle()
        if isinstance(event, Suspending):
            ends = [one.at for one in self.trace.kind(Resuming, self.who) if one.at >= event.at]
            self.away.append((event.at, min(ends, default=self.trace.end)))
            return
        self._free(event.at)
        way = does("resumes") if isinstance(event, Resuming) else does("returns")
        self.calling = isinstance(event, Resuming)
        self._others(event, (way,))

    def _others(self, event: Event, way: Way) -> None:
        """Another thread's rebalance. Raises ``Unexplained``."""
        done: dict[Item, None] = {}
        for state, asked in self.items:
            for after in self.follower.after(state, way, number(state.now)):
                done[after, asked] = None
        if not done and self.items:
            near = self.follower.nearest([state for state, _ in self.items], [way], event.at)
            raise Unexplained(event, "another thread rebalances already, or none does", self._told(), near)
        self.tally.shown.update(move.action for move in way)
        self.items = done

    def _begun(self, event: Starting) -> int:
        """When the thread is started at the earliest: a process that is held waits until the driver tells it to."""
        told = (one.at for one in of_kind(self.trace.of[DRIVER], Start) if one.of == self.who and one.at >= event.at)
        return min(told, default=event.at) if "hold" in event.options else event.at

    def _follows(self, event: Event) -> None:
        if isinstance(event, Entry):
            (self.marked.add if event.dropped else self.marked.discard)(event.q)
        elif isinstance(event, Ask) and event.thread == THREAD and event.code == LIST:
            self._asks(event)
        elif isinstance(event, Ask) and event.code == LIST and not self.calling:
            self._others(event, (does("resumes"), does("returns")))  # a reset of offsets, which says nothing else
        elif isinstance(event, Allocate):
            self.mine[event.topic] = {*(event.result or ()), *(("?",) if event.error else ())}
            if self.calling:
                return  # it may be the other thread's
            self.lists.append(tuple(event.cid_all or ()))
            self._goes_on(event)
        elif isinstance(event, EntryNew):
            self.table.add(event.q)
            if not self.calling:
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
        self.tally.events += 1
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
        self.lists = self.lists if goes_on else []
        self.last = event.at
        self.tally.most_states = max(self.tally.most_states, len(self.items))

    def _started(self) -> bool:
        return any(asked for _, asked in self.items)

    def _idle(self) -> None:
        """The round under way can be over since the thread's last event: the earliest end permits most."""
        ended: dict[Item, None] = {}
        for state, asked in self.items:
            if state.at == RUNS:
                way = self._end(asked)
                for after in self.follower.after(state, way, self.last):
                    if self._has_seen(after):
                        ended[after, asked] = None
                        self.tally.shown[way[0].action] += 1
        self.items |= self._closed(ended, self.last)
        if self.denied and self.rules.marks_first:
            self.later.append(self.denied + REBALANCE_DELAY)
            self.denied = 0

    def _end(self, asked: int) -> Way:
        """How a round of so many topics ends; one that no answer came for has done nothing."""
        action = "ends" if self.lists or not asked else "fails"
        choices: dict[str, int] = {}
        if self.new and action == "ends":
            choices["seen"] = int(self._sees() is True)
        elif action == "ends":
            choices["seen"] = 0
        lacking = [q for topic in self.mine for q in self.mine[topic] - self.table if q != "?"]
        unsure = any(q in self.marked or q == "?" for mine in self.mine.values() for q in mine)
        if not self.least or not unsure:
            choices["balanced"] = int(not (self.least and lacking))
        return (does(action, **choices),)

    def _sees(self) -> bool | None:
        """Whether the round was told of the last change; None if only a part of it was."""
        new = {ids == self.new for ids in self.lists}
        return new.pop() if len(new) == 1 else None

    def _has_seen(self, s: Service) -> bool:
        """Whether the model's rebalance has seen the last change just when the real one was told of it."""
        sees = self._sees()
        return sees is None or not truth(s.changed) or bool(truth(s.right)) is sees

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
        left: dict[Item, None] = {}
        due = self._due(until - self.trace.slack(self.who, until, until))
        as_seen = [item for item in due if truth(item[0].called) == self.calling]
        if due and not as_seen:
            raise Unexplained(event, NO_OTHER, self._told())
        for state, asked in as_seen:
            if state.at == RUNS:
                if until - self.last <= self._longest(until):
                    left[state, asked] = None
            elif not self._late(state, until):
                left[state, asked] = None
        if not left and self.items:
            raise Unexplained(event, NO_TIME, self._told())
        self.items = left

    def _late(self, state: Service, at: int) -> bool:
        """Whether the thread should have taken its next step long before that time."""
        over = at - self.trace.slack(self.who, number(state.now), at)
        return over > number(state.now) and any(self.follower.able(state, action, over) for action in URGENT)

    def _due(self, until: int) -> dict[Item, None]:
        """The items at that time: a wait ends when its time is over, and not when somebody looks."""
        found = self._closed(self.items, min(until, self.last))
        while True:
            ends = {
                item: number(item[0].since + item[0].interval)
                for item in found
                if item[0].at == WAITS and item[0].now < item[0].since + item[0].interval <= until
            }
            if not ends:
                return self._closed([item for item in found if not self._late(item[0], until)], until)
            first = min(ends.values())
            over = [item for item, end in ends.items() if end == first]
            # Who waits on has waited until then, which is too long by and by.
            found |= self._closed([(state.at_time(first), asked) for state, asked in over], first)
            for item in over:
                del found[item]

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
        self.tally.events += 1
        self.tally.shown.update(("stirs", "counts"))
        self._idle()
        self._passed(event, event.at)
        woken: dict[Item, None] = {}
        for state, asked in self._closed(self.items, event.at):
            ways = (STIRRED, (does("notifies"), does("counts", more=0))) if state.told else (STIRRED,)
            afters = [one for way in ways for one in self.follower.after(state, way, event.at)]
            self.tally.shown["notifies"] += any(state.told and not after.told for after in afters)
            afters = afters or [state]  # the flag is set already
            woken.update(((after, asked), None) for after in afters)
        self.items = self._closed(woken, event.at)

    def _told(self) -> tuple[str, ...]:
        return self.follower.told([state for state, _ in self.items])
