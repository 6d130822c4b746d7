"""A client's rebalance thread and one membership change, from RebalanceService and ServiceThread.

Threads that wake it are in ``ServiceThread.wakeup`` between setting ``hasNotified`` and counting down ``waitPoint``.
Waits and rebalances take time, in ticks; other steps take none. -1 means that there is no such time.
"""

from collections.abc import Collection, Iterator
from typing import NamedTuple

LOOKS, RESETS, WAITS, CHECKS, CLEARS, WOKEN, RUNS = (
    "hasNotified.compareAndSet(true, false)",
    "waitPoint.reset()",
    "await or parkNanos",
    "while (!hasNotified.get())",
    "hasNotified.set(false)",
    "after waitForRunning",
    "doRebalance",
)


class Release(NamedTuple):
    least: bool = True  # minInterval and lastRebalanceTimestamp (from 5.2)
    parks: bool = False  # LockSupport instead of CountDownLatch2 (common 5.5.1)


JAVA = {
    "java_v4_9_to_v5_1": Release(least=False),
    "java_v5_2_to_v5_3": Release(),
    "java_v5_5_1": Release(parks=True),
}


class State(NamedTuple):
    interval: int  # of the wait, or of the next one
    at: str = LOOKS
    flag: bool = False
    open: bool = False  # the latch; or a permit to park
    waking: bool = False
    interrupted: bool = False
    wait: int = 0  # ticks of this wait
    last: int = 0  # since the last rebalance ended
    gap: int = -1  # how long after the last rebalance the running one began
    runs: int = 0
    balanced: bool = True  # the last rebalance's answer
    ended: bool = False
    woken: tuple[bool, bool, bool] = (False, False, False)  # since the start of the last, the second-last ... rebalance
    spent: bool = False  # the last interrupt has cut a wait short
    spent_twice: bool = False
    change: int = -1  # since the change
    due: int = 0  # ticks until a rebalance with the change must have ended
    told: bool = False
    heard: int = -1  # since the notification arrived
    fresh: bool = False
    right: bool = False
    fails: int = 0
    other: int = -1  # since another thread's rebalance began
    other_gap: int = -1  # how long after the last rebalance the other one began, while none has ended since


class Settling:
    """All steps of the thread and around it; ``assumed``: names of assumptions; ``about``: what may happen at all."""

    def __init__(
        self,
        release: Release,
        assumed: Collection[str],
        about: Collection[str],
        *,
        wait: int,
        least: int,
        loop: int,
        owed: int = 0,
        horizon: int = 0,
    ) -> None:
        self.release, self.assumed, self.about = release, frozenset(assumed), frozenset(about)
        self.wait, self.least, self.loop = wait, least, loop
        self.owed = owed  # ticks that a rebalance with the change may take
        self.round = (max(wait, least) if release.least else wait) + loop
        self.horizon = horizon
        self.oldest = max(wait, least) + 1

    def first(self) -> State:
        return State(self.wait)

    def later(self, s: State) -> State | None:
        spins = s.at == WOKEN and s.interrupted and s.spent and s.last < self.least
        waits = s.at == WAITS and not s.open and not s.interrupted
        waits = waits and (s.wait < s.interval or "timer" not in self.assumed)
        if s.waking or s.other >= self.loop or not (spins or waits or (s.at == RUNS and s.runs < self.loop)):
            return None
        up = {
            "wait": min(s.wait + 1, s.interval) if s.at == WAITS else s.wait,
            "last": min(s.last + 1, self.oldest),
            "runs": s.runs + 1 if s.at == RUNS else 0,
            "other": s.other if s.other < 0 else s.other + 1,
        }
        if s.change >= 0 and not s.right:
            up |= {"change": min(s.change + 1, self.horizon), "due": max(s.due - 1, -1)}
        if s.heard >= 0 and not s.right:
            up["heard"] = min(s.heard + 1, self.horizon)
        return s._replace(**up)

    def after(self, s: State) -> Iterator[tuple[str, State]]:
        yield from self._waits(s)
        yield from self._rebalances(s)
        yield from self._wakers(s)
        if "change" in self.about:
            yield from self._change(s)
        if "no-interrupt" not in self.assumed:
            if not s.interrupted:
                yield "interrupted", s._replace(interrupted=True, spent=False)
            if s.at == RUNS and s.interrupted:  # a call in the rebalance throws InterruptedException
                yield "a call throws", s._replace(interrupted=False)
        if "other" in self.about and "unresumed" not in self.assumed:
            if s.other < 0:
                gap = s.last if s.ended and s.at != RUNS else -1
                yield "resumed", s._replace(other=0, other_gap=gap)
            else:
                yield "resume returns", s._replace(other=-1, other_gap=-1)

    def _waits(self, s: State) -> Iterator[tuple[str, State]]:
        """ServiceThread.waitForRunning."""
        over = s.wait >= s.interval
        if s.at == LOOKS:
            ahead = CHECKS if self.release.parks else RESETS
            yield "looks", s._replace(at=WOKEN if s.flag else ahead, flag=False, wait=0)
        elif s.at == RESETS:
            yield "resets", s._replace(at=WAITS, open=False, wait=0)
        elif s.at == CHECKS:
            yield "checks", s._replace(at=CLEARS if s.flag or over else WAITS)
        elif s.at == WAITS and self.release.parks:  # parkNanos may return at any time; Thread.interrupted, interrupt()
            cut = s.interrupted and not s.flag and not over
            yield "unparks", self._cut(s, cut)._replace(at=CLEARS if s.interrupted else CHECKS, open=False)
        elif s.at == WAITS:
            if s.open or (over and "timer" in self.assumed):
                yield "wakes", s._replace(at=CLEARS)
            if s.interrupted:
                yield "throws", self._cut(s, not s.open and not over)._replace(at=CLEARS, interrupted=False)
        elif s.at == CLEARS:
            yield "clears", s._replace(at=WOKEN, flag=False)

    @staticmethod
    def _cut(s: State, cut: bool) -> State:
        return s._replace(spent=True, spent_twice=s.spent_twice or s.spent) if cut else s

    def _rebalances(self, s: State) -> Iterator[tuple[str, State]]:
        """RebalanceService.run."""
        early = self.release.least and s.last < self.least
        if s.at == WOKEN and early:
            yield "postpones", s._replace(at=LOOKS, interval=self.least - s.last)
        elif s.at == WOKEN:
            gap, woken = s.last if s.ended else -1, (False, *s.woken[:2])
            yield "begins", s._replace(at=RUNS, runs=0, gap=gap, woken=woken, fresh=s.change >= 0)
        elif s.at == RUNS:
            for balanced in (True, False) if self.release.least else (True,):
                interval = self.wait if balanced else self.least
                over = s._replace(at=LOOKS, runs=0, last=0, interval=interval, balanced=balanced, ended=True)
                over = over._replace(gap=-1, fresh=False, other_gap=-1)
                yield "ends", over._replace(right=s.right or s.fresh)
                if s.change >= 0 and not s.fresh:
                    yield "ends, it saw the change", over._replace(right=True)
                if s.fresh and "succeeds" not in self.assumed and s.fails < 2:
                    yield "fails", over._replace(due=s.due + self.round, fails=s.fails + 1)

    def _wakers(self, s: State) -> Iterator[tuple[str, State]]:
        """ServiceThread.wakeup."""
        if not s.flag and not (s.at == RESETS and "timely" in self.assumed):
            yield "another wakeup", s._replace(flag=True, waking=True, woken=(True, *s.woken[1:]))
        if s.waking:
            woken = s.woken if self.release.parks else (True, *s.woken[1:])
            yield "counts down", s._replace(open=True, waking=False, woken=woken)
            yield "one counts down", s._replace(open=True, woken=woken)

    def _change(self, s: State) -> Iterator[tuple[str, State]]:
        if s.change < 0:
            yield "changes", s._replace(change=0, told=True, due=self.owed)
        if s.told:
            yield "notification lost", s._replace(told=False)
        if s.told and not (s.at == RESETS and "timely" in self.assumed):
            waking = s.waking or not s.flag
            woken = (True, *s.woken[1:])
            yield "notified", s._replace(told=False, heard=0, flag=True, waking=waking, woken=woken)
