"""Find all problems in a run."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from rebalance_proofs.recorded.cluster.names import topic_of
from rebalance_proofs.recorded.groups.broker import Answered, BrokerStarted, Key, Table, offset_of
from rebalance_proofs.recorded.groups.event import UPDATE, Event
from rebalance_proofs.recorded.seen.calls import Call
from rebalance_proofs.recorded.seen.facts import SHORTEST, Back, Fact, Never, Overlap, Twice, pauses
from rebalance_proofs.recorded.seen.history import History

# Find messages that were stored and wanted by a group, but reached none of its listeners.

GRACE = 25_000
"""Messages of an interrupted run's last ms are ignored: they had no time to be consumed."""


def never(history: History) -> Iterator[Never]:
    """Yield unconsumed messages, for each group with a consumer that ran to the end."""
    latest = history.end if history.waited else history.end - GRACE
    for group, members in history.groups.items():
        if not any(who in history.joined and who not in history.left for who in members):
            continue
        begun = {key for call in history.calls[group] for key in call.keys}
        moving = {call.q for call in history.calls[group] if call.end >= latest}
        for key, sent in history.sent.items():
            wanted = {sent.tag, "*"} & history.wanted(group, topic_of(sent.q))
            if key in begun or sent.at > latest or not wanted:
                continue
            skipped = (history.committed(group, sent.q) or 0) > sent.offset
            if skipped or sent.q not in moving:
                yield Never(group, sent.q, sent, skipped)


# Find offset rollbacks in a recorded run.

RACING = 2
"""Longest time in ms by which two answers of a broker may be recorded in another order than the commits."""
POLLED = 100
"""Age in ms from which a row of a broker's table is older than a commit that is recorded now."""
RELOADED = 5_000
"""Time in ms within which a restarted broker's table of offsets is polled for the first time."""


def backs(history: History) -> Iterator[Back]:
    """Yield each decrease of a committed offset at a broker, also across restarts.

    A decrease may be shorter than the time between two polls of the table: then only a recorded commit shows it.
    """
    for broker in history.run.brokers:
        of = _Offsets(broker)
        for event in history.of(Event, broker):
            for back in of.take(event):
                if back.group in history.groups:
                    yield back


@dataclass
class _Offsets:
    """What a broker's recording has shown of its committed offsets so far."""

    broker: str
    rows: dict[Key, tuple[int, int]] = field(default_factory=dict)
    """Group and queue -> committed offset of the last row, and the row's time in ms."""
    commits: dict[Key, tuple[int, int]] = field(default_factory=dict)
    """Group and queue -> offset of the last commit that is recorded by itself, and its time in ms."""
    shown: dict[Key, tuple[int, int]] = field(default_factory=dict)
    """Group and queue -> lower offset of the last commit that decreased it, and its time in ms."""
    unread: dict[Key, int] = field(default_factory=dict)
    """Group and queue -> time in ms of a restart after which the table has shown no row yet."""

    def take(self, event: Event) -> Iterator[Back]:
        """Yield the decreases that an event of the broker shows."""
        for key, at in list(self.unread.items()):
            if event.at > at + RELOADED:
                del self.unread[key]
                was, _ = self.rows.pop(key)
                yield Back(key.group, key.q, at, self.broker, was, None)
        match event:
            case BrokerStarted():
                self.commits.clear()
                self.unread = dict.fromkeys(self.rows, event.at)
            case Table():
                offset = offset_of(event)
                if offset is not None:
                    yield from self._row(offset, event)
            case Answered() if event.code == UPDATE:
                said = event.asked
                if event.said.code == 0 and not event.said.remark and said.q and said.commit_offset is not None:
                    topic, _, number = said.q.rpartition(":")
                    key = Key(said.consumer_group or "", f"{topic}:{self.broker}:{number}")
                    yield from self._commit(key, int(said.commit_offset), event.at)

    def _row(self, key: Key, row: Table) -> Iterator[Back]:
        self.unread.pop(key, None)
        now = None if row.is_ is None else int(row.is_)
        was, since = self.rows.pop(key, (None, 0))
        if was is not None and (now is None or now < was):
            lower, at = self.shown.get(key, (0, -1))
            if now is None or at < since or lower > now:  # else the commit has shown it
                yield Back(key.group, key.q, row.at, self.broker, was, now)
        if now is not None:
            self.rows[key] = now, row.at

    def _commit(self, key: Key, now: int, at: int) -> Iterator[Back]:
        row, last = self.rows.get(key), self.commits.get(key)
        racing = last is not None and at <= last[1] + RACING
        known = [row] if row and row[1] + POLLED < at else []
        known += [last] if last and not racing else []
        was = max(known, key=lambda one: one[1])[0] if known else now
        if now < was and self.shown.get(key, (0, -RACING))[1] + RACING < at:
            yield Back(key.group, key.q, at, self.broker, was, now)
            self.shown[key] = now, at
        self.commits[key] = (max(now, last[0]) if racing and last else now), at


# Find ordered listeners of one group that ran on one queue at the same time.


def overlaps(history: History) -> Iterator[Overlap]:
    """Yield each pair of calls of ordered listeners that ran on one queue at the same time.

    Concurrent listeners are ignored: RocketMQ does not guarantee that they do not overlap.
    """
    for group, calls in history.calls.items():
        if not history.ordered(group):
            continue
        running: defaultdict[str, list[Call]] = defaultdict(list)
        for call in calls:
            left = [other for other in running[call.q] if other.end > call.begin]
            for other in left:
                yield Overlap(group, call.q, other, call)
            running[call.q] = [*left, call]


# Find messages that a group's listeners received more than once.


def twice(history: History) -> Iterator[Twice]:
    """Yield one problem for each repeated delivery of a message.

    Messages are identified by their keys.
    """
    for group, calls in history.calls.items():
        before: defaultdict[str, list[Call]] = defaultdict(list)
        for call in calls:
            for key, offset in zip(call.keys, call.offsets, strict=True):
                if before[key]:
                    yield Twice(group, call.q, offset, before[key][-1], call)
                before[key].append(call)


def seen(history: History, shortest_pause: int = SHORTEST) -> list[Fact]:
    """Return all problems of a run, sorted by kind and time.

    ``shortest_pause``: shortest reported pause in ms.
    """
    found: list[list[Fact]] = [
        [*twice(history)],
        [*never(history)],
        [*overlaps(history)],
        [*pauses(history, shortest_pause)],
        [*backs(history)],
    ]
    return [fact for kind in found for fact in sorted(kind, key=lambda fact: (fact.at, fact.q))]
