"""Kinds of problems in a recorded run; times are in milliseconds since the start of the run."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from heapq import heappop, heappush

from rebalance_proofs.recorded.cluster.names import topic_of
from rebalance_proofs.recorded.groups.event import Sent
from rebalance_proofs.recorded.seen.calls import Call
from rebalance_proofs.recorded.seen.history import History


@dataclass(frozen=True)
class Fact:
    """A problem that concerns one group and queue."""

    group: str
    q: str

    @property
    def at(self) -> int:
        """Time in ms at which the problem began."""
        raise NotImplementedError


@dataclass(frozen=True)
class Twice(Fact):
    """A message was redelivered to a listener."""

    offset: int
    first: Call
    """The previous listener call with the message."""
    again: Call

    @property
    def at(self) -> int:
        """Time in ms at which the second listener call with the message began."""
        return self.again.begin


@dataclass(frozen=True)
class Never(Fact):
    """A message reached no listener by the end, although a consumer was running."""

    sent: Sent
    skipped: bool
    """True if a higher offset is committed, so the message is lost; False if it still waits."""

    @property
    def at(self) -> int:
        """Time in ms at which the broker stored the message."""
        return self.sent.at


@dataclass(frozen=True)
class Overlap(Fact):
    """Two ordered listeners ran on one queue at the same time."""

    first: Call
    second: Call

    @property
    def at(self) -> int:
        """Time in ms at which the later of the two listener calls began."""
        return self.second.begin

    @property
    def ms(self) -> int:
        """Duration in ms for which both listener calls ran at once."""
        return min(self.first.end, self.second.end) - self.second.begin


@dataclass(frozen=True)
class Pause(Fact):
    """A message waited while no listener of its group ran on the queue."""

    since: int
    until: int
    ended_by: Call | None
    """The call that ended the pause; None if it lasted until the end of the recording."""
    before: Call | None
    """The last listener call before the pause, or None."""

    @property
    def at(self) -> int:
        """Time in ms at which the pause began."""
        return self.since

    @property
    def ms(self) -> int:
        """Duration of the pause in ms."""
        return self.until - self.since


@dataclass(frozen=True)
class Back(Fact):
    """A committed offset decreased or was lost."""

    when: int
    broker: str
    was: int
    now: int | None
    """The new offset; None if the broker has none any more."""

    @property
    def at(self) -> int:
        """Time in ms of the commit, or of the poll of the broker's table that showed the decrease."""
        return self.when


# Find pauses: a message waits, but no listener of the group runs on its queue.

STARTING = 10_000
"""Time in ms after a group's first consumer has joined in which a queue may wait without a report."""
SHORTEST = 5_000
"""Shortest pause that is reported, in ms."""


def pauses(history: History, shortest: int = SHORTEST) -> Iterator[Pause]:
    """Yield the pauses of each group and queue that last at least ``shortest`` ms after the group's start.

    A pause counts from its first moment, but never from before the group's first consumer has joined.
    """
    for group, members in history.groups.items():
        there = min((history.joined[who] for who in members if who in history.joined), default=None)
        if there is None:
            continue
        calls: defaultdict[str, list[Call]] = defaultdict(list)
        for call in history.calls[group]:
            calls[call.q].append(call)
        last = max(history.left.get(who, history.end) for who in members)
        for q, sent in _sent(history, group).items():
            for pause in _of_queue(group, q, sent, calls[q], there, last):
                if pause.until - max(pause.since, there + STARTING) >= shortest:
                    yield pause


def _sent(history: History, group: str) -> dict[str, list[Sent]]:
    """Return queue -> its messages that the group wants and has not skipped, sorted by time.

    Other messages do not wait for the group, so they cause no pause.
    """
    begun: defaultdict[str, int] = defaultdict(lambda: -1)
    keys: set[str] = set()
    for call in history.calls[group]:
        begun[call.q] = max(begun[call.q], *call.offsets)
        keys.update(call.keys)
    found: defaultdict[str, list[Sent]] = defaultdict(list)
    for sent in sorted(history.sent.values(), key=lambda sent: sent.at):
        if {sent.tag, "*"} & history.wanted(group, topic_of(sent.q)):
            passed = max(begun[sent.q], (history.committed(group, sent.q) or 0) - 1)
            if sent.key in keys or sent.offset > passed:
                found[sent.q].append(sent)
    return found


def _of_queue(group: str, q: str, sent: list[Sent], calls: list[Call], there: int, last: int) -> Iterator[Pause]:
    """Yield the pauses of one queue.

    ``sent``: messages that the group wants; ``calls``: listener calls. The group had consumers from ``there`` to
    ``last``, in ms.
    """
    begun: set[str] = set()
    before: Call | None = None
    busy, place = there, 0
    waiting: list[tuple[int, str]] = []
    for call in calls:
        while place < len(sent) and sent[place].at <= call.begin:
            heappush(waiting, (sent[place].at, sent[place].key))
            place += 1
        while waiting and waiting[0][1] in begun:
            heappop(waiting)
        if waiting and call.begin > (since := max(busy, waiting[0][0])):
            yield Pause(group, q, since, call.begin, call, before)
        begun.update(call.keys)
        busy, before = (call.end, call) if call.end > busy else (busy, before or call)
    left = [one.at for one in sent if one.key not in begun]
    if left and last > (since := max(busy, left[0])):
        yield Pause(group, q, since, last, None, before)
