"""The broker's lock of one ordered queue and two consumers, from the classes below.

Broker: RebalanceLockManager. Client: RebalancePushImpl, RebalanceImpl, ConsumeMessageOrderlyService, ProcessQueue and
ThreadUtils.shutdownGracefully. Times are ticks since an event; -1 if there was none.
"""

from collections.abc import Collection, Iterator
from typing import NamedTuple

NONE, THERE, DROPPED = range(3)
ON, STOPPING, CUT, YIELDED, CLOSED = range(5)
FAR = float("inf")


class Release(NamedTuple):
    marks_locked: bool = True  # a new process queue is locked (from 4.9.5)
    pulls_later: bool = False  # dispatchPullRequest(pullRequestList, 500)
    renews_dropped: bool = False  # buildProcessQueueTableByBrokerName keeps dropped process queues
    renews_on: bool = False  # ConsumeMessagePopOrderlyService renews until the table is empty
    forces: bool = False  # tryRemoveOrderMessageQueue: forceUnlock; it unlocks at once


JAVA = {
    "java_v4_9_0": Release(marks_locked=False, renews_dropped=True),
    "java_v4_9": Release(renews_dropped=True),
    "java_v5_0": Release(pulls_later=True, renews_on=True),
    "java_v5_2": Release(pulls_later=True, renews_on=True, forces=True),
}


class Consumer(NamedTuple):
    queue: int = NONE  # the process queue in processQueueTable
    locked: int = 0
    stamp: int = 0  # since lastLockTimestamp
    cached: int = 0  # messages that are not with the listener
    pull: int = 0  # ticks until the first pull
    run: int = -1  # since the check of the lock for the running listener call
    orphan: int = 0  # the running call's process queue has left the table
    grant: int = -1  # a granted renewal is on its way
    adding: int = -1  # a rebalance has the lock, and waits for its answer and for an offset
    unlock: int = 0  # an unlock is on its way
    later: int = -1  # ticks until a delayed unlock
    stage: int = ON  # of the shutdown
    waits: int = 0  # since its current wait began
    left: int = 0  # since the consumer had the process queue or was adding it

    def gone(self) -> "Consumer":
        orphan = int(self.run >= 0)
        return self._replace(queue=NONE, locked=0, stamp=0, cached=0, pull=0, orphan=orphan)


class State(NamedTuple):
    consumers: tuple[Consumer, ...]
    holder: int = -1
    age: int = 0  # since lastUpdateTimestamp

    @property
    def unused(self) -> int:
        """Ticks for which the lock's holder has had no process queue and added none."""
        return self.consumers[self.holder].left if self.holder >= 0 else 0


def _up(age: int, most: int) -> int:
    return age if age < 0 else min(age + 1, most)


class Ordered:
    """All steps of the consumers; ``assumed``: names of assumptions, which exclude steps or bound waiting."""

    def __init__(
        self,
        release: Release,
        assumed: Collection[str],
        *,
        client: int,
        broker: int,
        listener: int,
        delay: int = 0,
        unlock: int = 2,
        renewal: int = 2,
        late: int = 0,
        first_pull: int = 0,
        wait: int = 0,
        loop: int = 0,
        stops: bool = True,
        horizon: int = 0,
    ) -> None:
        self.release, self.assumed, self.twins = release, frozenset(assumed), "unique-ids" not in assumed
        self.client, self.broker, self.listener, self.delay, self.unlock = client, broker, listener, delay, unlock
        self.renewal, self.late, self.wait, self.loop, self.stops = renewal, late, wait, loop, stops
        self.first_pull = first_pull if release.pulls_later else 0
        self.oldest = max(client, unlock, renewal) + 1
        self.horizon = max(late + 1, horizon)
        by_lock = not release.renews_on and 2 * wait > late + delay + client + listener
        self.enough = wait > loop + listener or by_lock

    def first(self) -> State:
        return State((Consumer(), Consumer()))

    def later(self, s: State) -> State | None:
        consumers = []
        for c in s.consumers:
            if c.run >= self.listener or max(c.grant, c.adding) >= self.delay:
                return None
            if "renewed" in self.assumed and self._listed(c) and c.stamp >= self.renewal:
                return None
            there = c.queue != NONE
            consumers.append(
                c._replace(
                    stamp=_up(c.stamp, self.oldest) if there else 0,
                    pull=max(c.pull - 1, 0),
                    run=_up(c.run, self.listener),
                    grant=_up(c.grant, self.delay),
                    adding=_up(c.adding, self.delay),
                    later=c.later if c.later < 0 else max(c.later - 1, 0),
                    waits=_up(c.waits, max(self.wait, self.loop + 1)) if c.stage in (STOPPING, CUT) else 0,
                    left=0 if there or c.adding >= 0 else _up(c.left, self.horizon),
                )
            )
        age = _up(s.age, self.broker + 1) if s.holder >= 0 else 0
        return self._same(State(tuple(consumers), s.holder, age))

    def after(self, s: State) -> Iterator[tuple[str, State]]:
        for i, c in enumerate(s.consumers):
            for name, then, holder, age in self._steps(c, s, 0 if self.twins else i):
                consumers = (then, s.consumers[1]) if i == 0 else (s.consumers[0], then)
                yield name, self._same(State(consumers, holder, age))
        if "no-restart" not in self.assumed:
            yield "broker restarts", s._replace(holder=-1, age=0)

    def _same(self, s: State) -> State:
        """Both consumers are alike: of two states that differ in their names only, return the smaller one."""
        x, y = s.consumers
        if x <= y and (x != y or s.holder <= 0):
            return s
        holder = s.holder if self.twins or s.holder < 0 else 1 - s.holder
        return State((y, x), holder, s.age)

    def _listed(self, c: Consumer) -> bool:
        """lockAll: the process queue is among those whose locks it renews."""
        ends = CLOSED if self.release.renews_on else STOPPING
        return c.stage < ends and (c.queue == THERE or (c.queue == DROPPED and self.release.renews_dropped))

    def _steps(self, c: Consumer, s: State, me: int) -> Iterator[tuple[str, Consumer, int, int]]:
        has, holder, age = self.assumed, s.holder, s.age
        grantable = holder in (-1, me) or age > self.broker
        late = c.queue or c.adding >= 0 or c.left <= self.late  # tryLockLaterAndReconsume, or a running lockAll
        asks = self._listed(c) or (late and "answered" not in has)
        if c.stage >= STOPPING and not self.release.renews_on:
            begun = c.waits + (self.wait if c.stage == CUT else 0)
            asks = asks and c.stage < YIELDED and begun <= self.late and c.queue != NONE
        if c.stage == CLOSED:
            asks = False
        if asks and grantable:
            yield "renews", c._replace(grant=0), me, 0
            if "answered" not in has:
                yield "renews, answer lost", c, me, 0
        if c.grant >= 0:
            heard = c._replace(grant=-1)
            yield "renewed", (heard._replace(locked=1, stamp=0) if c.queue else heard), holder, age
        if asks and not grantable and c.queue:
            yield "refused", c._replace(locked=0), holder, age
        for name, then in self._rebalance(c, grantable):
            yield name, then, me if name == "locks" else holder, 0 if name == "locks" else age
        if c.unlock:  # unlockBatch frees the lock if this client holds it
            mine = holder == me
            yield "returned", c._replace(unlock=0), -1 if mine else holder, 0 if mine else age
        if c.later == 0:
            yield "returns", c._replace(unlock=1, later=-1), holder, age
        for name, then in (*self._consumes(c), *(self._stops(c) if self.stops else ())):
            yield name, then, holder, age

    def _rebalance(self, c: Consumer, grantable: bool) -> Iterator[tuple[str, Consumer]]:
        has = self.assumed
        resting = "no-rebalance" in has and c.stage >= STOPPING
        if c.queue and c.adding < 0 and not resting:
            yield "revokes", self._removed(c._replace(queue=DROPPED))
        if c.queue and c.adding < 0 and "subscribed" not in has and not (c.run >= 0 and "keeps-topic" in has):
            yield "unsubscribes", c.gone()  # truncateMessageQueueNotMyTopic: no unlock
        if c.queue == NONE and c.adding < 0 and c.stage < CLOSED and grantable and not resting:
            overtakes = c.unlock and "not-overtaken" in has
            if not overtakes and not (c.later >= 0 and "not-back" in has):
                yield "locks", c._replace(adding=0, left=0)
        if c.adding >= 0:
            new = c._replace(adding=-1, left=0, queue=THERE, stamp=0, cached=0, pull=self.first_pull)
            yield "adds", new._replace(locked=int(self.release.marks_locked))
            if "offset-found" not in has:
                yield "adds nothing", c._replace(adding=-1, left=0)

    def _removed(self, c: Consumer) -> Consumer:
        """removeUnnecessaryMessageQueue of a dropped process queue."""
        held = c.run >= 0 and not c.orphan  # the listener has the consume lock
        if held and not (self.release.forces and c.stamp > self.unlock):
            return c
        delayed = c.cached and not self.release.forces  # hasTempMessage
        out = c.gone()._replace(left=0)
        return out._replace(later=self.unlock) if delayed else out._replace(unlock=1)

    def _consumes(self, c: Consumer) -> Iterator[tuple[str, Consumer]]:
        taken = c.stage == ON or (c.run >= 0 and not c.orphan)
        if c.queue == THERE and not c.cached and not c.pull and taken:
            yield "pulls", c._replace(cached=1)
        believes = c.locked and c.stamp <= self.client  # isLockExpired
        goes_on = c.stage != CUT or c.waits <= self.loop
        if c.queue == THERE and believes and c.cached and c.run < 0 and goes_on:
            yield "starts", c._replace(run=0, orphan=0, cached=0)
            yield "starts, more", c._replace(run=0, orphan=0)
        if c.run >= 0:
            ended = c._replace(run=-1, orphan=0)
            yield "ends", ended
            if c.queue and not c.orphan and c.stage == ON:
                yield "ends, again", ended._replace(cached=1)

    def _stops(self, c: Consumer) -> Iterator[tuple[str, Consumer]]:
        has, running = self.assumed, c.run >= 0 and not c.orphan
        rest = c.run < 0 and not c.cached
        may = rest or self.enough or "shuts-idle" not in has
        busy = (c.later >= 0 and "not-pending" in has) or (c.adding >= 0 and "no-rebalance" in has)
        if c.stage == ON and may and not busy:
            yield "shuts", c._replace(stage=STOPPING, waits=0)
        if c.stage == STOPPING and c.waits >= self.wait:  # shutdownNow drops requests that have not begun
            for begun in {running, True}:
                yield "interrupts", c._replace(stage=CUT, waits=0, cached=int(c.cached and begun))
        over = c.stage == CUT and c.waits >= self.wait
        if over or (c.stage in (STOPPING, CUT) and c.run < 0):  # unlockAll
            named = c.queue == THERE or (c.queue == DROPPED and self.release.renews_dropped)
            done = c._replace(stage=YIELDED, waits=0, unlock=int(c.unlock or named))
            done = done._replace(locked=0) if named else done
            yield "gives back", done if over else done._replace(cached=0)
        if c.stage == YIELDED:
            yield "clears", c.gone()._replace(stage=CLOSED)
        if c.stage == CLOSED and c.later >= 0 and "not-pending" not in has:
            yield "exits", c._replace(later=-1)


def runs_left(s: State) -> float:
    """At most the number of actions until both listeners run."""
    return _left(s.consumers[0]) + _left(s.consumers[1])


def _left(c: Consumer) -> float:
    if c.run >= 0:
        return 0
    if c.stage == CLOSED:
        return FAR
    if c.queue == THERE:
        return 1 if c.cached else 2
    return 5 if c.queue == DROPPED else 3 if c.adding >= 0 else 4


def kept(s: State) -> bool:
    """The lock of a consumer that has shut down is never given back, unless it expires."""
    return any(
        c.stage == CLOSED and s.holder == i and not c.unlock and c.later < 0 and c.run < 0
        for i, c in enumerate(s.consumers)
    )
