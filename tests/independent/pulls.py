"""Pull requests of one queue, from DefaultMQPushConsumerImpl.pullMessage, PullMessageService and RebalanceImpl.

Process queues are objects, of which one can be in ``processQueueTable``. A pull request waits for
``PullMessageService``, looks up its first offset, or is sent; a repair task waits for its turn. Process queues
outside the table without any of these are forgotten.
"""

from collections.abc import Collection, Iterator
from typing import NamedTuple

LIMIT = 1
"""``pullMaxIdleTime``, in ticks."""
MOST = 2
"""Greatest number of requests and repair tasks of a process queue, of which one is outside the table."""


class Release(NamedTuple):
    repairs_at_once: bool = True  # executeTask, not executeTaskLater (from 5.2)
    callback_survives: bool = True  # InvokeCallback.operationFail after an Error in onSuccess (from 5.2)
    hook_heard: bool = False  # not in a listener of a channel's future (up to 5.2.0)
    fails_twice: bool = False  # NettyRemotingClient.invokeAsync goes on after operationFail (5.3)
    thread_survives: bool = True  # PullMessageService.run catches Throwable (from 5.3.3)


JAVA = {
    "java_v4_9_to_5_1": Release(repairs_at_once=False, callback_survives=False, hook_heard=True, thread_survives=False),
    "java_v5_2_0": Release(hook_heard=True, thread_survives=False),
    "java_v5_3_0": Release(fails_twice=True, thread_survives=False),
    "java_v5_3_3": Release(fails_twice=True),
    "java_v5_4_0": Release(),
}


class Queue(NamedTuple):
    """A process queue."""

    dropped: bool = False
    idle: int = 0  # ticks since lastPullTimestamp
    locked_before: bool = False  # PullRequest.isPreviouslyLocked
    waits: int = 1
    asks: int = 0
    sent: int = 0
    repairs: int = 0

    @property
    def requests(self) -> int:
        return self.waits + self.asks + self.sent


class State(NamedTuple):
    current: Queue | None = None
    old: tuple[Queue, ...] = ()
    ended: bool = False  # the thread of PullMessageService
    suspended: bool = False
    seen: str = ""  # what the last action did that some claim forbids


class Pulls:
    """All steps around one queue; ``assumed``: names of assumptions, which exclude steps."""

    def __init__(self, release: Release, assumed: Collection[str]) -> None:
        self.release, self.assumed = release, frozenset(assumed)

    def after(self, s: State) -> Iterator[tuple[str, State]]:
        for name, then in self._steps(s._replace(seen="")):
            every = (then.current, *then.old) if then.current else then.old
            if len(then.old) < MOST and all(one.requests + one.repairs <= MOST for one in every):
                yield name, then

    def _steps(self, s: State) -> Iterator[tuple[str, State]]:
        yield from self._rebalances(s)
        if s.current is not None:
            for idle in range(s.current.idle + 1, LIMIT + 2):
                yield "waits", s._replace(current=s.current._replace(idle=idle))
            for name, then, seen in self._of(s.current, s, old=False):
                now = s._replace(current=then)
                yield name, self._out(now) if seen == "removes" else now._replace(seen=seen)
        for i, one in enumerate(s.old):
            for name, then, seen in self._of(one, s, old=True):
                old = tuple(sorted((*s.old[:i], *_alive(then), *s.old[i + 1 :])))
                yield f"{name} of an old one", s._replace(old=old, seen=seen)
            if one.repairs and not self._asking(s):
                rest = tuple(sorted((*s.old[:i], *_alive(one._replace(repairs=one.repairs - 1)), *s.old[i + 1 :])))
                hit = "wrote, hit" if s.current else "wrote"
                yield "old repair", self._out(s._replace(old=rest))._replace(seen=hit)
        if "not-suspended" not in self.assumed:
            yield "suspend() or resume()", s._replace(suspended=not s.suspended)
        if "no-error" not in self.assumed and s.current and not s.ended:
            for begun in self._exits(s.current, s):
                then = s._replace(current=begun, ended=not self.release.thread_survives)
                yield "Error in pullMessage", then

    def _asking(self, s: State) -> bool:
        """Under the assumption, no process queue is removed while an offset is looked up for it."""
        return "query-ends" in self.assumed and s.current is not None and s.current.asks > 0

    def _rebalances(self, s: State) -> Iterator[tuple[str, State]]:
        """updateProcessQueueTableInRebalance."""
        tasks = (s.current.repairs if s.current else 0) + sum(one.repairs for one in s.old)
        if "tasks-first" in self.assumed and self.release.repairs_at_once and tasks:
            return
        if s.current is None:
            if not s.suspended:
                yield "adds", s._replace(current=Queue())
            return
        if self._asking(s):
            return
        for mine in (True, False):
            name = f"rebalance, {'own' if mine else 'another consumer has'} the queue"
            if s.suspended:  # doRebalance returns at once
                yield name, s._replace(seen="" if mine or s.current.dropped else "kept")
            elif mine and s.current.idle <= LIMIT:
                yield name, s
            else:
                live = not s.current.dropped
                circulates = live and not s.ended and s.current.requests
                seen = "idle, circulates" if mine and circulates else ""
                yield name, self._out(s)._replace(seen=seen)
                yield f"{name}, held", s._replace(current=s.current._replace(dropped=True), seen=seen)

    @staticmethod
    def _out(s: State) -> State:
        """The process queue is dropped and leaves the table; its requests stay where they are."""
        if s.current is None:
            return s
        gone = s.current._replace(dropped=True, idle=0, locked_before=False)
        return s._replace(current=None, old=tuple(sorted((*s.old, *_alive(gone)))))

    def _of(self, q: Queue, s: State, *, old: bool) -> Iterator[tuple[str, Queue, str]]:
        """Steps of a process queue's pull request."""
        has, idle_thread = self.assumed, not s.ended and not any(one.asks for one in (s.current, *s.old) if one)
        if q.waits and idle_thread:
            less = q._replace(waits=q.waits - 1)
            if q.dropped:
                yield "discards", less, ""
            else:
                yield "delays", q._replace(idle=0), ""
                if not s.suspended:
                    yield "sends", less._replace(idle=0, sent=q.sent + 1), "removed" if old else "begins"
                    if not q.locked_before:
                        yield "asks", less._replace(idle=0, asks=1), "begins"
        if q.asks and not s.ended:
            got = q._replace(asks=0, locked_before=not old)
            yield "gets the offset", got._replace(sent=q.sent + 1), "removed" if old else ""
            yield "gets no offset", q._replace(asks=0, waits=q.waits + 1), ""
        if q.sent:
            yield "answer", q._replace(sent=q.sent - 1, waits=q.waits + 1), ""
            if not (old and "in-time-illegal" in has):
                yield "illegal", q._replace(sent=q.sent - 1, dropped=True, repairs=q.repairs + 1), ""
        if old:
            return
        if q.sent and "no-callback-error" not in has:
            yield "Error in callback", q._replace(sent=q.sent - 1, waits=q.waits + self.release.callback_survives), ""
        if q.sent and "no-interrupt" not in has:
            yield "interrupted", q._replace(sent=q.sent - 1), ""
        if q.repairs and not self._asking(s):
            yield "repair", q._replace(repairs=q.repairs - 1), "removes"
        for begun in self._exits(q, s) if not s.ended else ():
            if "no-store" not in has:
                yield "store throws", begun, ""
            if "no-hook" not in has:
                yield "hook throws", begun._replace(waits=begun.waits + self.release.hook_heard), ""
            if "connected" not in has:
                twice = 2 if self.release.fails_twice else 1
                yield "connects too late", begun._replace(waits=begun.waits + twice), ""

    @staticmethod
    def _exits(q: Queue, s: State) -> Iterator[Queue]:
        """pullMessage is left without a pull, when it has taken the request or has its first offset."""
        if q.asks:
            yield q._replace(asks=0, locked_before=True)
        elif q.waits and not q.dropped and not s.suspended and not any(one.asks for one in s.old):
            yield q._replace(waits=q.waits - 1, idle=0)


def _alive(q: Queue) -> tuple[Queue, ...]:
    return (q,) if q.requests + q.repairs else ()
