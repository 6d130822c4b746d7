"""Ownership of a group's queues as lanes of bars, for the timeline of the page."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush

from rebalance_proofs.recorded.audit.finding import Finding, What
from rebalance_proofs.recorded.audit.outcome import GroupTold
from rebalance_proofs.recorded.audit.told import Member, Span
from rebalance_proofs.recorded.logs.fact import Queue
from rebalance_proofs.recorded.rows import printable
from rebalance_proofs.report.audit.words import ranges

ALIKE = 1_000
"""Queues share a lane if their owners change within this time of each other, in ms."""
MOST_LANES = 100


@dataclass(frozen=True)
class Bar:
    """A part of a lane: one owner for some time, with the part of the lane's height that it fills."""

    owner: int
    begin: int
    end: int
    place: int = 0
    """Place among the owners at that time, from the top."""
    of: int = 1
    """Number of owners at that time."""


@dataclass(frozen=True)
class Mark:
    """A time during which a finding concerns a lane."""

    what: What
    begin: int
    end: int
    finding: int
    """Index among the group's findings."""


@dataclass(frozen=True)
class Lane:
    """Queues of one broker with the same owners over time."""

    name: str
    bars: Sequence[Bar]
    marks: Sequence[Mark]

    @property
    def depth(self) -> int:
        """Largest number of owners at one time, or 1 if there is none."""
        return max((bar.of for bar in self.bars), default=1)


@dataclass(frozen=True)
class Timeline:
    """All that the timeline of one group shows; times are in ms since 1970."""

    begin: int
    end: int
    owners: Sequence[str]
    lanes: Sequence[Lane]
    left_out: int
    """Number of lanes that are not shown, because there are too many."""
    kinds: Sequence[tuple[What, Sequence[Mark]]]
    """Kinds of findings, the worst first, each with the times of its findings."""
    rebalances: Sequence[int]
    notices: Sequence[int]


def timeline(group: GroupTold) -> Timeline | None:
    """Return the timeline of a group, or None if no line of its logs has a time."""
    marks = [list(_marks(place, one)) for place, one in enumerate(group.findings)]
    kinds: dict[What, list[Mark]] = {}
    for place, one in enumerate(group.findings):
        if one.at is not None:
            until = one.at if one.until is None else one.until
            kinds.setdefault(one.what, []).append(Mark(one.what, one.at, max(one.at, until), place))
    at = [time for one in group.spans for time in (one.begin, one.end)]
    at += [time for own in kinds.values() for mark in own for time in (mark.begin, mark.end)]
    if not at:
        return None
    members = list(dict.fromkeys(span.member for span in sorted(group.spans, key=lambda one: one.begin)))
    lanes = list(_lanes(group.spans, {member: place for place, member in enumerate(members)}, marks))
    if len(lanes) > MOST_LANES:
        lanes.sort(key=lambda one: not one.marks)  # lanes with a finding first
    begin, end = min(at), max(at)
    return Timeline(
        begin,
        max(end, begin + 1),
        [printable(group.called(member)) for member in members],
        lanes[:MOST_LANES],
        max(0, len(lanes) - MOST_LANES),
        [(what, sorted(kinds[what], key=lambda one: one.begin)) for what in What if what in kinds],
        sorted({time for _, time in group.rebalances if begin <= time <= end}),
        sorted({time for _, time in group.notices if begin <= time <= end}),
    )


def _marks(place: int, one: Finding) -> Iterator[tuple[Queue, Mark]]:
    if one.what in (What.TWO, What.NOBODY):
        for each in one.intervals:
            if each.queue is not None and each.at is not None and each.until is not None:
                yield each.queue, Mark(one.what, each.at, max(each.at, each.until), place)


def _lanes(
    spans: Iterable[Span], numbers: dict[Member, int], marks: Sequence[Sequence[tuple[Queue, Mark]]]
) -> Iterator[Lane]:
    """Yield lanes in order of their queues; queues of one broker with like owners share a lane."""
    by_queue: dict[Queue, list[tuple[int, int, int]]] = {}
    for span in spans:
        by_queue.setdefault(span.queue, []).append((span.begin, max(span.begin, span.end), numbers[span.member]))
    marked: dict[Queue, list[Mark]] = {}
    for own in marks:
        for queue, mark in own:
            marked.setdefault(queue, []).append(mark)
    together: dict[tuple[str, str, tuple[int, ...]], list[list[Queue]]] = {}
    for queue in sorted(by_queue.keys() | marked.keys()):
        entries = by_queue.setdefault(queue, [])
        entries.sort()
        candidates = together.setdefault((*queue[:2], tuple(owner for _, _, owner in entries)), [])
        for lane in candidates:
            if _alike(by_queue[lane[0]], entries) and _same(marked.get(lane[0], ()), marked.get(queue, ())):
                lane.append(queue)
                break
        else:
            candidates.append([queue])
    topics = {queue[0] for queue in by_queue}
    for queues in sorted((lane for lanes in together.values() for lane in lanes), key=lambda lane: lane[0]):
        topic, broker, _ = queues[0]
        name = f"{broker} {ranges([number for _, _, number in queues])}"
        yield Lane(
            printable(f"{topic}  {name}" if len(topics) > 1 or topic else name),
            list(shares(by_queue[queues[0]])),
            sorted(marked.get(queues[0], ()), key=lambda one: one.begin),
        )


def _alike(one: Sequence[tuple[int, int, int]], other: Sequence[tuple[int, int, int]]) -> bool:
    return all(
        abs(own[0] - its[0]) <= ALIKE and abs(own[1] - its[1]) <= ALIKE for own, its in zip(one, other, strict=True)
    )


def _same(one: Sequence[Mark], other: Sequence[Mark]) -> bool:
    return len(one) == len(other) and all(
        own.what is its.what and abs(own.begin - its.begin) <= ALIKE and abs(own.end - its.end) <= ALIKE
        for own, its in zip(one, other, strict=True)
    )


def shares(entries: Sequence[tuple[int, int, int]]) -> Iterator[Bar]:
    """Yield bars for sorted entries (begin, end, owner): owners at the same time have parts of the lane's height."""
    changes = sorted({time for begin, end, _ in entries for time in (begin, end)})
    ends: list[tuple[int, int]] = []
    open_: dict[int, int] = {}
    last: dict[tuple[int, int, int], tuple[int, int]] = {}
    following = 0
    for begin, end in zip(changes, changes[1:] + changes[-1:], strict=True):
        while ends and ends[0][0] <= begin:
            _, owner = heappop(ends)
            open_[owner] -= 1
            if not open_[owner]:
                del open_[owner]
        while following < len(entries) and entries[following][0] <= begin:
            at, until, owner = entries[following]
            following += 1
            if at == until:
                yield Bar(owner, at, until)  # an entry without duration, as at the end of a log
                continue
            heappush(ends, (until, owner))
            open_[owner] = open_.get(owner, 0) + 1
        now = {(owner, place, len(open_)) for place, owner in enumerate(sorted(open_))}
        for key in [key for key in last if key not in now]:
            yield Bar(key[0], *last.pop(key), *key[1:])
        for key in now:
            last[key] = (last[key][0] if key in last else begin, end)
    for key, (begin, end) in last.items():
        yield Bar(key[0], begin, end, *key[1:])
