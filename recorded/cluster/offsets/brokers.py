"""Committed offsets of each queue, from commits, brokers' answers, and polls of brokers."""

from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field

from rebalance_proofs.model.offsets.state import NONE
from rebalance_proofs.recorded.cluster.requests import Calls
from rebalance_proofs.recorded.cluster.trace import LOOK, Trace
from rebalance_proofs.recorded.groups.broker import Answered, BrokerStarting, Table, offset_of
from rebalance_proofs.recorded.groups.codes import PULL, UPDATE
from rebalance_proofs.recorded.groups.member import Ask

TRANSIT = 5_000
"""Longest time in ms from sending a commit until the broker's table has it.

It can be longer if a process paused.
"""


@dataclass
class Committed:
    """One group's committed offset of one queue at its broker."""

    broker: str
    sent: list[tuple[int, int]] = field(default_factory=list)
    """Each commit that was sent, as (time in ms, offset), sorted."""
    landed: set[tuple[str, int]] = field(default_factory=set)
    """Commits of recorded consumers that arrived, as (broker, line number of its answer)."""
    seen: list[tuple[int, int]] = field(default_factory=list)
    """Committed offsets that a poll or an answer showed, each as (time in ms, offset), sorted."""

    def at(self, time: int) -> int:
        """Return the last committed offset that was observed before ``time``; NONE if there is none."""
        place = bisect_left(self.seen, (time, -1))
        return self.seen[place - 1][1] if place else NONE

    def was(self, value: int, until: int) -> bool:
        """Return True if ``value`` was observed as the committed offset at any time up to ``until``."""
        return any(one == value for _, one in self.seen[: bisect_right(self.seen, (until, 1 << 62))])

    def under_way(self, trace: Trace, value: int, at: int) -> bool:
        """Return True if a commit of ``value`` was sent and may not have arrived yet."""
        last = bisect_right(self.sent, (at, 1 << 62))
        first = bisect_left(self.sent, (at - LOOK - TRANSIT, -1))
        if any(one == value for _, one in self.sent[first:last]):
            return True
        return any(one == value and self._slow(trace, since, at) for since, one in self.sent[:first])

    def _slow(self, trace: Trace, since: int, until: int) -> bool:
        """Return True if a commit between two times may be late.

        The broker started, or a process paused.
        """
        began = any(since - TRANSIT < one.at < until for one in trace.kind(BrokerStarting, self.broker)[1:])
        late = trace.delayed(self.broker, since, until)
        return began or late or any(trace.stood(who, since, until) for who in (self.broker, *trace.consumers))


def committed(trace: Trace, calls: Calls) -> Mapping[tuple[str, str], Committed]:
    """Return the known commits of each queue of each group, by (group, queue)."""
    found: dict[tuple[str, str], Committed] = {}

    def of(group: str, q: str) -> Committed:
        return found.setdefault((group, q), Committed(q.rsplit(":", 2)[-2]))

    for who, started in trace.consumers.items():
        for call in calls.all[who]:
            if call.ask.said.q and (value := commit(call.ask)) is not None:
                one = of(started.group, call.ask.said.q)
                one.sent.append((call.ask.at, value))
                one.landed.update([(call.broker, call.answered.row)] if call.answered else [])
    for broker in trace.brokers:
        for event in trace.of[broker]:
            if isinstance(event, Table) and (key := offset_of(event)) is not None:
                of(key.group, key.q).seen.append((event.at, NONE if event.is_ is None else int(event.is_)))
            elif isinstance(event, Answered) and event.code == UPDATE and event.asked.commit_offset is not None:
                of(event.asked.consumer_group or "", event.asked.q or "").seen.append(
                    (event.at, event.asked.commit_offset)
                )
    for one in found.values():
        one.sent.sort()
        one.seen.sort(key=lambda each: each[0])
    return found


def commit(ask: Ask) -> int | None:
    """Return the offset that a request commits; None if it commits none."""
    commits = ask.code == UPDATE or (ask.code == PULL and ask.said.commits)
    return ask.said.commit_offset if commits else None
