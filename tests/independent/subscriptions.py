"""One topic in a broker's subscription table of a group.

From ConsumerGroupInfo, MQClientInstance, RebalancePushImpl and PullMessageProcessor.

One member has the topic and pulls; other members' heartbeats have it or not. Times are ticks from now, so they are
mostly negative, and start when the member's first heartbeat has arrived. A subscription's version is the time at which
the member made it. Of versions only the order counts.
"""

from collections.abc import Collection, Iterator
from typing import NamedTuple

IDLE, BEGUN, SENT, DONE = range(4)
OLD = -9
"""A version that is older than any other."""
NEVER = 1


class State(NamedTuple):
    mine: int = 0  # the member's subVersion
    at: int = IDLE  # progress of sendHeartbeatToAllBrokerWithLock
    began: int = 0
    next: int = 0  # periodic heartbeat
    carried: int = 0  # version in the heartbeat that is sent
    has: bool = True  # subscriptionTable has the topic
    latest: int = 0
    matches: bool = True  # its expression matches a message that the member's expression matches
    last_had: bool = True  # the group's last heartbeat had the topic
    heard: int = 0  # the member's last heartbeat
    left: int = 0  # the last heartbeat without the topic
    changed: int = 0  # the topics of the table
    moved: int = 0  # the member's queue table, or a loss of the group
    refused: int = NEVER  # first of the pulls refused since an accepted one
    opened: int = NEVER  # since when pulls would be accepted again
    added: bool = False  # a queue whose first pull has not come
    seen: str = ""  # what the last action did


class Subscriptions:
    """All steps of members and broker; ``about``: names of the kinds of steps that matter."""

    def __init__(
        self,
        assumed: Collection[str],
        about: Collection[str],
        *,
        period: int,
        beat: int,
        retry: int,
        apart: int,
        delay: int,
        horizon: int = 0,
    ) -> None:
        self.assumed, self.about = frozenset(assumed), frozenset(about)
        self.period, self.beat, self.retry, self.apart = period, beat, retry, apart
        self.oldest = -(max(horizon, apart, retry) + 1)
        self.delay = delay if "delayed" in about else 0

    def first(self) -> State:
        return State(next=self.period)

    def later(self, s: State) -> State | None:
        has, opened = self.assumed, s.refused != NEVER and not self._refuses(s)
        over = s.next == 0 or (s.at != IDLE and s.began == -self.beat)
        over = over or ("retries" in has and opened and s.opened == -self.retry)
        over = over or ("in-time" in has and s.heard == -self.apart)
        over = over or ("differ" in has and s.left == -self.apart)
        if over:
            return None
        versions = (s.mine, s.carried if s.at == SENT else s.mine, s.latest if s.has else s.mine)
        older = {one: -1 - place for place, one in enumerate(sorted(set(versions), reverse=True))}
        mine, carried, latest = map(older.__getitem__, versions)
        return s._replace(
            mine=mine,
            carried=carried if s.at == SENT else 0,
            latest=latest if s.has else 0,
            next=s.next - 1,
            began=s.began - 1 if s.at != IDLE else 0,
            heard=self._past(s.heard, {"in-time", "room"}),
            left=self._past(s.left, {"differ"}),
            changed=self._past(s.changed, {"differ"}),
            moved=max(s.moved - 1, self.oldest),
            refused=s.refused if s.refused == NEVER else max(s.refused - 1, self.oldest),
            opened=s.opened if s.opened == NEVER else max(s.opened - 1, self.oldest),
            seen="",
        )

    def _past(self, time: int, needed: Collection[str]) -> int:
        """A time one tick later, if an assumption is about it."""
        return max(time - 1, self.oldest) if self.assumed & set(needed) else 0

    def after(self, s: State) -> Iterator[tuple[str, State]]:
        s = s._replace(seen="")
        yield from self._member(s)
        yield from self._others(s)
        if "forgotten" in self.about and "no-loss" not in self.assumed:
            yield "group lost", s._replace(has=False, last_had=False, latest=0, matches=True, moved=0)
        if "pulls" in self.about:
            yield from self._pulls(s)

    def _member(self, s: State) -> Iterator[tuple[str, State]]:
        has = self.assumed
        may = not (s.at != IDLE and "free" in has) and not (s.added and "added-alone" in has)
        if "no-change" not in has and may:  # RebalancePushImpl.messageQueueChanged
            raised = s._replace(mine=0, moved=0, added="delayed" in self.about or "first" in self.about)
            yield "table changes", self._begins(raised)
        if s.next == 0:
            yield "heartbeat due", self._begins(s._replace(next=self.period))
        if s.at == IDLE:
            yield "another heartbeat", self._begins(s)
        elif s.at == BEGUN:
            yield "sends", s._replace(at=SENT, carried=s.mine)
        elif s.at == SENT:
            yield "arrives", self._updates(s, True, s.carried, True)._replace(at=DONE, heard=0, carried=0)
        else:
            yield "ends", s._replace(at=IDLE, began=0)

    @staticmethod
    def _begins(s: State) -> State:
        """lockHeartbeat.tryLock: without the lock, there is no heartbeat."""
        return s._replace(at=BEGUN, began=0) if s.at == IDLE else s

    def _others(self, s: State) -> Iterator[tuple[str, State]]:
        has = self.assumed
        for takes in (True,) if "same-tags" in has or "tags" not in self.about else (True, False):
            for version in (OLD, 0):
                if "newest" not in has or version < s.mine:
                    yield f"heartbeat with the topic {version}", self._updates(s, True, version, takes)
        room = "room" not in has or s.heard < -self.retry
        if "alike" not in has and room:
            yield "heartbeat without the topic", self._updates(s, False, OLD, True)._replace(left=0)

    def _updates(self, s: State, topic: bool, version: int, takes: bool) -> State:
        """ConsumerGroupInfo.updateSubscription: topics are replaced, and the newest version stays."""
        before = self._refuses(s)
        changes = topic != s.has
        odd = changes != (topic != s.last_had)
        then = s._replace(has=topic, last_had=topic, seen="odd" if odd else "changes" if changes else "")
        if topic and (not s.has or version > s.latest):
            then = then._replace(latest=version, matches=takes)
        if changes:
            then = then._replace(changed=0)
        if not topic:
            then = then._replace(latest=0, matches=True)
        return then._replace(opened=0) if before and s.refused != NEVER and not self._refuses(then) else then

    @staticmethod
    def _refuses(s: State) -> bool:
        """PullMessageProcessor: SUBSCRIPTION_NOT_EXIST, or SUBSCRIPTION_NOT_LATEST."""
        return not s.has or s.latest < s.mine

    def _pulls(self, s: State) -> Iterator[tuple[str, State]]:
        refused = self._refuses(s)
        first = (0 if s.refused == NEVER else s.refused) if refused else NEVER
        first = first if "retries" in self.assumed else NEVER
        skips = not refused and not s.matches
        pulled = s._replace(refused=first, opened=NEVER)
        seen = "refused" if refused else "skipped" if skips else ""
        if not refused and s.refused != NEVER:
            seen = f"accepted {-s.refused}"
        yield "pull", pulled._replace(seen=seen)
        if s.added and s.moved <= -self.delay:
            yield "first pull", pulled._replace(added=False, seen="barred" if refused else "")
        if "tags" in self.about:  # another member's pull, with its own expression
            for takes in (True,) if "same-tags" in self.assumed else (True, False):
                for version in (OLD, 0):
                    if s.has and version <= s.latest:
                        skips = not (s.matches and takes)
                        yield "another member's pull", s._replace(seen="skipped for another" if skips else "")
