"""Check one rebalance thread: each rebalance has a timer or wake-up, and begins in time."""

from collections.abc import Sequence

from rebalance_proofs.model.client.java_v5_0 import REBALANCE_DELAY
from rebalance_proofs.model.machine.values import number, truth
from rebalance_proofs.model.machines.settling import SETTLING, Service
from rebalance_proofs.model.settling.service_thread import RUNS
from rebalance_proofs.recorded.cluster.follow import Way, does
from rebalance_proofs.recorded.cluster.requests import LEAST_WAIT
from rebalance_proofs.recorded.cluster.settling.clock import STIRRED, Change, Clock, Item, last_change
from rebalance_proofs.recorded.cluster.tally import Tally, Unexplained
from rebalance_proofs.recorded.cluster.trace import Trace
from rebalance_proofs.recorded.groups.driver import Start, StartConsumer
from rebalance_proofs.recorded.groups.event import LIST, LOCK, REBALANCING, Event
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

CONNECTED = "NettyEventExecutor"
"""Thread that sends a heartbeat and rebalances after a new connection (from 5.2.0 on)."""
SENDING = 5_000
"""Longest time in ms from sending a notification to its arrival, unless a process paused."""
NO_ROUND = "no wake-up and no timer explains that a rebalance begins"


class Thread(Clock):
    """Checks of one process's rebalance thread."""

    def __init__(self, trace: Trace, who: str, started: StartConsumer, tally: Tally) -> None:
        super().__init__(trace, who, started, tally)
        self.group = started.group
        self.start = min(started.at, trace.of[who][0].at)
        self.topics = len(started.sub.split(",")) + 1
        self.marked: set[str] = set()
        self.mine: dict[str, set[str]] = {}
        self.denied = 0
        """Time in ms at which a lock was denied in the current or last rebalance; 0 if none was."""
        self.locking: Ask | None = None
        """The rebalance thread's unanswered lock request, or None."""
        self.change: Change | None = None
        """The last membership change of the group, until it has happened; then None."""
        self.new: tuple[str, ...] = ()
        """The consumer ids that the client receives after the last membership change."""
        self.lists: list[tuple[str, ...]] = []
        """Lists of consumer ids in the current or last rebalance, one per topic."""

    def held(self, life: Sequence[Event]) -> None:
        """Check all events of the process; ``life`` are its events. Raises ``Unexplained``."""
        self.change = change = last_change(self.trace, self.who, life)
        self.new = change.ids if change else ()
        for event in life:
            if isinstance(event, (ShutdownBegin, StartFailed)):
                break
            self._changes(event.at)
            if isinstance(event, Starting):
                # The thread object, with its first time stamp, is older than the event and younger than the process.
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
                self.passed(life[-1], life[-1].at)
        if change is not None and self.items:
            self._lost(change, life[-1].at)

    def _changes(self, at: int) -> None:
        """Apply the last membership change, at any time between two polls of the broker.

        The second poll has shown it.
        """
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
        """Count that the client missed the last change's notification.

        The notification was lost, or the process paused.
        """
        if until - change.until > SENDING + self.trace.slack(self.who, change.until, until):
            lost = [(s, asked) for s, asked in self.items if s.told]
            if len(lost) == len(self.items):
                self.tally.shown["loses"] += 1

    def _suspends(self, event: Suspending | Resuming | Resumed) -> None:
        """Check the user's ``suspend()`` or ``resume()``.

        A suspended client's rebalances request no consumer ids; ``resume()`` rebalances on the caller's thread.
        """
        self._idle()
        if isinstance(event, Suspending):
            ends = [one.at for one in self.trace.kind(Resuming, self.who) if one.at >= event.at]
            self.away.append((event.at, min(ends, default=self.trace.end)))
            return
        self.free(event.at)
        way = does("resumes") if isinstance(event, Resuming) else does("returns")
        self.calling = isinstance(event, Resuming)
        self._others(event, (way,))

    def _others(self, event: Event, way: Way) -> None:
        """Check a rebalance on another thread. Raises ``Unexplained``."""
        done: dict[Item, None] = {}
        for state, asked in self.items:
            for after in self.follower.after(state, way, number(state.now)):
                done[after, asked] = None
        if not done and self.items:
            near = self.follower.nearest([state for state, _ in self.items], [way], event.at)
            raise Unexplained(event, "another thread rebalances already, or none does", self.told(), near)
        self.tally.shown.update(move.action for move in way)
        self.items = done

    def _begun(self, event: Starting) -> int:
        """Return the earliest start of the rebalance thread.

        Some processes wait for the driver's command.
        """
        told = (one.at for one in of_kind(self.trace.of[DRIVER], Start) if one.of == self.who and one.at >= event.at)
        return min(told, default=event.at) if "hold" in event.options else event.at

    def _follows(self, event: Event) -> None:
        if isinstance(event, Entry):
            (self.marked.add if event.dropped else self.marked.discard)(event.q)
        elif isinstance(event, Ask) and event.thread == REBALANCING and event.code == LIST:
            self._asks(event)
        elif isinstance(event, Ask) and event.code == LIST and not self.calling:
            self._others(event, (does("resumes"), does("returns")))  # an offset reset, which has no other event
        elif isinstance(event, Allocate):
            self.mine[event.topic] = {*(event.result or ()), *(("?",) if event.error else ())}
            if self.calling:
                return  # it may belong to the other thread
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
        elif isinstance(event, Ask) and event.thread == REBALANCING and event.code == LOCK:
            self._unanswered(event.at)
            self.locking = event
            self.last = event.at
        elif (isinstance(event, Ask) and event.thread == REBALANCING) or isinstance(event, (OffsetRemoved, Persist)):
            self.last = event.at

    def _unanswered(self, at: int) -> None:
        """Treat an unanswered lock request as denied, because the thread has continued."""
        if self.locking is not None:
            self.denied = min(at, self.locking.at + LEAST_WAIT)
            self.locking = None

    def _goes_on(self, event: Event) -> None:
        """Check that the rebalance that an event belongs to has not ended yet."""
        self.last = event.at
        running = {item: None for item in self.items if item[0].at == RUNS}
        if not running and self.items:
            raise Unexplained(event, "no rebalance is under way", self.told())
        self.items = running

    def _asks(self, event: Ask) -> None:
        self.tally.held(self.client.name, self.release)
        self._unanswered(event.at)
        soon = event.at - self.last <= self.longest(event.at)
        self._idle()
        if not self._started():
            self.wake(event.at)
        self.passed(event, event.at)
        goes_on = {
            (state.at_time(event.at), asked + 1): None
            for state, asked in self.items
            if state.at == RUNS and asked < self.topics and soon
        }
        began: dict[Item, None] = {}
        for state, _ in self.closed(self.items, event.at):
            for after in self.follower.after(state, (does("begins"),), event.at):
                began[after, 1] = None
        if not began and not goes_on:
            near = self.follower.nearest([state for state, _ in self.items], [(does("begins"),)], event.at)
            raise Unexplained(event, NO_ROUND, self.told(), near)
        self.tally.shown["begins"] += bool(began)
        self.items = goes_on | began
        self.lists = self.lists if goes_on else []
        self.last = event.at
        self.tally.most_states = max(self.tally.most_states, len(self.items))

    def _started(self) -> bool:
        return any(asked for _, asked in self.items)

    def _idle(self) -> None:
        """Add the states in which the rebalance ended right after the thread's last event.

        An earlier end allows more behaviours than a later one.
        """
        ended: dict[Item, None] = {}
        for state, asked in self.items:
            if state.at == RUNS:
                way = self._end(asked)
                for after in self.follower.after(state, way, self.last):
                    if self._has_seen(after):
                        ended[after, asked] = None
                        self.tally.shown[way[0].action] += 1
        self.items |= self.closed(ended, self.last)
        if self.denied and self.rules.marks_first:
            self.later.append(self.denied + REBALANCE_DELAY)
            self.denied = 0

    def _end(self, asked: int) -> Way:
        """Return the action that ends a rebalance which requested the ids of ``asked`` topics.

        Without any answer, the rebalance changed nothing.
        """
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
        """Return True if the rebalance used the last membership change for all topics, and False if for none.

        Return None if it used the change for some topics.
        """
        new = {ids == self.new for ids in self.lists}
        return new.pop() if len(new) == 1 else None

    def _has_seen(self, s: Service) -> bool:
        """Return True if model and recording agree whether a rebalance used the last change."""
        sees = self._sees()
        return sees is None or not truth(s.changed) or bool(truth(s.right)) is sees

    def _may_wake(self, event: Event) -> None:
        if not self.free(event.at):
            self._idle()
            self.wake(event.at)

    def _notified(self, event: Notified) -> None:
        self.tally.held(self.client.name, self.release)
        self.tally.shown.update(("stirs", "counts"))
        self._idle()
        self.passed(event, event.at)
        woken: dict[Item, None] = {}
        for state, asked in self.closed(self.items, event.at):
            ways = (STIRRED, (does("notifies"), does("counts", more=0))) if state.told else (STIRRED,)
            afters = [one for way in ways for one in self.follower.after(state, way, event.at)]
            self.tally.shown["notifies"] += any(state.told and not after.told for after in afters)
            afters = afters or [state]  # the flag is already set
            woken.update(((after, asked), None) for after in afters)
        self.items = self.closed(woken, event.at)
