"""Commits: each was in its sender's memory, each change of a broker's offsets was sent, each answer was committed."""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from rebalance_proofs.recorded.cluster.requests import Calls
from rebalance_proofs.recorded.cluster.tally import Tally, Unexplained
from rebalance_proofs.recorded.cluster.trace import LOOK, STALL, Trace
from rebalance_proofs.recorded.groups.broker import Answered, BrokerStarting, Table, offset_of
from rebalance_proofs.recorded.groups.codes import PULL, QUERY, UPDATE
from rebalance_proofs.recorded.groups.event import Event
from rebalance_proofs.recorded.groups.member import Ask, OffsetRemoved, OffsetUpdate

__all__ = ["commits"]

TRANSIT = 5_000
"""How long a commit can be on its way to the broker's table, in ms; longer where a process stood still."""
COMMITS = 1
"""The bit of ``sysFlag`` with which a pull commits (``FLAG_COMMIT_OFFSET``)."""
NOT_FOUND = 22
NONE = -1
"""``readOffset`` of an offset that is not in memory."""


Sent = Mapping[tuple[str, str], Sequence[tuple[int, int]]]
"""Broker and the offset's key there -> commits that were sent: when, and of what."""


@dataclass
class Values:
    """What one offset was, over time."""

    times: list[int] = field(default_factory=list)
    values: list[int | None] = field(default_factory=list)

    def put(self, at: int, value: int | None) -> None:
        """From now on it is that."""
        self.times.append(at)
        self.values.append(value)

    def during(self, since: int, until: int) -> Sequence[int | None]:
        """What it was at some time between these."""
        first = max(bisect_right(self.times, since) - 1, 0)
        return self.values[first : bisect_right(self.times, until)] if self.times else ()

    @property
    def last(self) -> int | None:
        """The newest value."""
        return self.values[-1] if self.values else None


def commits(trace: Trace, calls: Calls, tally: Tally) -> None:
    """Hold all commits, rows of brokers' offsets, and answers."""
    sent: defaultdict[tuple[str, str], list[tuple[int, int]]] = defaultdict(list)
    for who, started in trace.consumers.items():
        for life in trace.lives(who):
            try:
                for ask, value in _sent(trace, who, life, tally):
                    sent[_of(str(ask.said.q), started.group)].append((ask.at, value))
            except Unexplained as found:
                tally.reject(who, found)
    for all_ in sent.values():
        all_.sort()
    for broker in trace.brokers:
        try:
            rows = _rows(trace, broker, sent, tally)
            _answers(trace, broker, rows, sent, tally)
        except Unexplained as found:
            tally.reject(broker, found)


def _sent(trace: Trace, who: str, life: Sequence[Event], tally: Tally) -> Iterator[tuple[Ask, int]]:
    """The commits of one process, each with its offset; a pull's only where it commits."""
    memory: defaultdict[str, Values] = defaultdict(Values)
    for event in life:
        if isinstance(event, OffsetUpdate):
            known = memory[event.q]
            last = known.last
            value = max(event.offset, last) if event.increase_only and last is not None else event.offset
            known.put(event.at, value)
        elif isinstance(event, OffsetRemoved):
            memory[event.q].put(event.at, None)
    for event in life:
        if not isinstance(event, Ask) or event.said.q is None or event.said.commit_offset is None:
            continue
        if event.code not in (UPDATE, PULL):
            continue
        value, slack = event.said.commit_offset, trace.slack(who, event.at - STALL, event.at)
        near = memory[event.said.q].during(event.at - slack, event.at + STALL)
        tally.shown["commit" if event.code == UPDATE else "pull-commits"] += 1
        if value not in near and not (value == NONE and (None in near or not near)):
            said = ", ".join(map(str, dict.fromkeys(near))) or "none"
            raise Unexplained(event, f"it commits {value}, and the offset in memory was {said}")
        if event.code == UPDATE or (event.said.sys_flag or 0) & COMMITS:
            yield event, value


def _rows(trace: Trace, broker: str, sent: Sent, tally: Tally) -> Mapping[str, Values]:
    found: defaultdict[str, Values] = defaultdict(Values)
    groups = {started.group for started in trace.consumers.values()}
    first = 0
    for event in trace.of[broker]:
        if isinstance(event, BrokerStarting):
            first = event.at
        if not isinstance(event, Table) or (offset := offset_of(event)) is None:
            continue
        value = None if event.is_ is None else int(event.is_)
        loaded = event.was is None and first > 0
        if offset.group in groups and value is not None and not loaded:
            known = sent.get((broker, event.of), ())
            near = known[bisect_left(known, (event.at - LOOK - TRANSIT, -1)) : bisect_right(known, (event.at, 1 << 62))]
            if not any(each == value for _, each in near):
                said = ", ".join(str(each) for _, each in near[-3:]) or "nothing"
                if not any(each == value and _slow(trace, broker, at, event.at) for at, each in known):
                    raise Unexplained(event, f"{event.of} is {value}, and what was sent of it was {said}")
                tally.widened += 1
            tally.shown["committed"] += 1
        found[event.of].put(event.at, value)
    return found


def _of(q: str, group: str) -> tuple[str, str]:
    """The broker of a queue, and the key of the group's offset there."""
    topic, broker, number = q.rsplit(":", 2)
    return broker, f"{topic}@{group}:{number}"


def _slow(trace: Trace, broker: str, since: int, until: int) -> bool:
    """Whether the broker began in this time, or somebody stood still: what was sent may then come late."""
    began = any(since - TRANSIT < one.at < until for one in trace.kind(BrokerStarting, broker)[1:])
    return since <= until and (began or any(trace.stood(who, since, until) for who in (broker, *trace.consumers)))


def _answers(trace: Trace, broker: str, rows: Mapping[str, Values], sent: Sent, tally: Tally) -> None:
    groups = {started.group for started in trace.consumers.values()}
    for event in trace.kind(Answered, broker):
        if event.code != QUERY or event.asked.consumer_group not in groups or not event.asked.q:
            continue
        of = _of(event.asked.q, event.asked.consumer_group)
        key = of[1]
        known = set(rows[key].during(event.at - LOOK, event.at + LOOK + STALL) if key in rows else ())
        asked = sent.get(of, ())
        near = asked[bisect_left(asked, (event.at - TRANSIT, -1)) : bisect_right(asked, (event.at, 1 << 62))]
        known.update(value for _, value in near)
        none = key not in rows or not rows[key].during(0, event.at) or None in known
        said = event.said.offset
        tally.shown["answer"] += 1
        if said in known or (none and (said == 0 or event.said.code == NOT_FOUND)):
            continue
        if any(abs(one.at - event.at) < TRANSIT for one in trace.kind(BrokerStarting, broker)):
            tally.widened += 1
            continue
        listed = ", ".join(sorted(map(str, known))) or "none"
        raise Unexplained(event, f"the broker answers {said}, and {key} was {listed}")
