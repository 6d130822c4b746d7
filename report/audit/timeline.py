"""Ownership of a group's queues as lanes of bars, for the timeline of the page."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from heapq import heappop, heappush
from itertools import pairwise

from markupsafe import Markup, escape

from rebalance_proofs.language import gettext, ngettext
from rebalance_proofs.recorded.audit.finding import Finding, What
from rebalance_proofs.recorded.audit.outcome import GroupTold
from rebalance_proofs.recorded.audit.told import Member, Span
from rebalance_proofs.recorded.logs.fact import Queue
from rebalance_proofs.recorded.logs.times import date_of
from rebalance_proofs.recorded.rows import printable
from rebalance_proofs.report.audit.words import day, ranges

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


# The timeline as a static picture, an SVG that fills the width of the page: x in percent, y in px.

# Bars and marks at the width of a picture: what is narrower than a cell is merged into cells.

IN_TURN = -1
"""Owner of a cell in which several consumers own the queue in turn, none for most of the time."""


def coarse(bars: Iterable[Bar], begin: int, step: float) -> Iterator[Bar]:
    """Yield wide bars as they are, and narrow ones as cells of ``step`` ms with the main owner of each cell."""
    cells: dict[int, dict[int, int]] = {}
    for bar in bars:
        if bar.end - bar.begin >= step:
            yield bar
        else:
            cell = cells.setdefault(int((bar.begin - begin) // step), {})
            cell[bar.owner] = cell.get(bar.owner, 0) + max(1, bar.end - bar.begin)
    run: Bar | None = None
    for place in sorted(cells):
        shares = cells[place]
        owner = max(shares, key=lambda one: (shares[one], -one))
        if 2 * shares[owner] <= sum(shares.values()):
            owner = IN_TURN
        at, until = int(begin + place * step), int(begin + (place + 1) * step)
        if run and run.owner == owner and run.end == at:
            run = replace(run, end=until)
            continue
        if run:
            yield run
        run = Bar(owner, at, until)
    if run:
        yield run


def merged(marks: Iterable[Mark], step: float) -> Iterator[tuple[Mark, int]]:
    """Yield (mark, number of marks in it) of marks in order; marks closer than ``step`` ms are one."""
    run: Mark | None = None
    number = 0
    for mark in marks:
        if run and mark.what is run.what and mark.begin - run.end < step:
            run, number = replace(run, end=max(run.end, mark.end)), number + 1
            continue
        if run:
            yield run, number
        run, number = mark, 1
    if run:
        yield run, number


def binned(marks: Sequence[Mark], begin: int, step: float) -> Iterator[tuple[int, int, int]]:
    """Yield (begin, end, number of findings): one finding with its own times, several in one bin with the bin's."""
    bins: dict[int, list[Mark]] = {}
    for mark in marks:
        bins.setdefault(int((mark.begin - begin) // step), []).append(mark)
    for place, own in bins.items():
        if len(own) == 1:
            yield own[0].begin, own[0].end, 1
        else:
            yield int(begin + place * step), max(int(begin + (place + 1) * step), *(one.end for one in own)), len(own)


COLOURS = ("#3b6ea5", "#8a4f82", "#2f7f79", "#8a6d00", "#3f7f3f", "#a04a6a", "#7d5a45", "#5b5f66")
"""Colours of owners, in order. White letters are readable on each."""
CELLS, BINS = 500, 30
"""Narrowest bars are a cell wide; findings of one bin are counted."""
STRIP, ROW, BAR, DEEPEST = 34, 25, 15, 3
"""Heights in px: a kind of findings with its name, a lane without its bars, a bar; bars on one another at most."""
STEPS = tuple(
    unit * many
    for unit, every in (
        (1, (1, 2, 5, 10, 20, 50, 100, 200, 500)),
        (1_000, (1, 2, 5, 10, 15, 30)),
        (60_000, (1, 2, 5, 10, 15, 30)),
        (3_600_000, (1, 2, 3, 6, 12)),
        (86_400_000, (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000)),
    )
    for many in every
)
"""Distances of ticks in ms."""
NARROW = 330
"""Width in px at which a name in a bar must fit."""
MAJOR, MINOR = 4, 5
"""Most labelled ticks, so that labels fit in 390 px; parts between two of them."""


def heights(one: Timeline) -> list[int]:
    """Return the height of each lane in px: a lane in which two consumers own a queue at once is higher."""
    return [ROW + BAR * min(DEEPEST, lane.depth) for lane in one.lanes]


def still(one: Timeline, zone: int) -> Markup:
    """Return the picture, with times in the zone with the offset ``zone`` in ms."""
    return Markup("\n").join(_drawn(one, zone))


def _drawn(one: Timeline, zone: int) -> Iterator[Markup]:
    long = one.end - one.begin
    height = len(one.kinds) * STRIP + sum(heights(one)) + 44

    def x(at: float) -> str:
        return f"{100 * (min(max(at, one.begin), one.end) - one.begin) / long:.2f}%"

    def wide(begin: float, end: float, least: float) -> str:
        return f"{max(least, 100 * (min(end, one.end) - max(begin, one.begin)) / long):.2f}%"

    yield Markup('<svg class="still" width="100%" height="{}" role="img" aria-label="{}">').format(
        height, gettext("Owners of each queue over time, and findings")
    )
    for at in _ticks(one, zone)[0]:
        yield Markup('<line class="grid" x1="{0}" x2="{0}" y1="0" y2="{1}"></line>').format(x(at), height - 40)
    top = 0
    for what, marks in one.kinds:
        yield Markup('<text class="strip" x="0" y="{}">{} ({})</text>').format(
            top + 13, gettext(what.sentence), len(marks)
        )
        for begin, end, number in binned(marks, one.begin, long / BINS):
            yield Markup('<rect class="found {}" x="{}" y="{}" width="{}" height="12"><title>{}</title></rect>').format(
                f"{what.value} {'many' if number > 1 else 'one'}",
                x(begin),
                top + 18,
                wide(begin, end, 0.4),
                ngettext("{number} finding", "{number} findings", number).format(number=f"{number:,}"),
            )
            if number > 1:
                yield Markup('<text class="number" x="{}" y="{}">{}</text>').format(x(begin), top + 28, number)
        top += STRIP
    for lane, high in zip(one.lanes, heights(one), strict=True):
        yield Markup('<text class="lane" x="0" y="{}">{}</text>').format(top + 14, lane.name)
        for bar in coarse(lane.bars, one.begin, long / CELLS):
            part = (high - ROW) / bar.of
            name = gettext("several in turn") if bar.owner == IN_TURN else one.owners[bar.owner]
            kind = "turn" if bar.owner == IN_TURN else f"owner{bar.owner % len(COLOURS)}"
            y = top + 22 + bar.place * part
            yield Markup(
                '<rect class="{}" x="{}" y="{:.1f}" width="{}" height="{:.1f}"><title>{}</title></rect>'
            ).format(kind, x(bar.begin), y, wide(bar.begin, bar.end, 0.2), part - 0.5 * (bar.of > 1), name)
            share = (bar.end - bar.begin) / long
            if part >= 12 and bar.owner != IN_TURN and share * NARROW > 6.5 * len(name):
                yield Markup('<text class="owner" x="{}" dx="4" y="{:.1f}">{}</text>').format(
                    x(bar.begin), y + part / 2 + 4.5, name
                )
        for mark, _ in merged(lane.marks, long / CELLS):
            yield Markup('<rect class="{}" x="{}" y="{}" width="{}" height="4"></rect>').format(
                mark.what.value, x(mark.begin), top + 17, wide(mark.begin, mark.end, 0.4)
            )
        top += high
    yield from _axis(one, zone, top)
    yield Markup("</svg>")


def _ticks(one: Timeline, zone: int) -> tuple[list[int], int]:
    """Return the times of labelled ticks, and their distance in ms."""
    long = one.end - one.begin
    step = next((step for step in STEPS if long / step <= MAJOR), STEPS[-1])
    first = -(-(one.begin + zone) // step) * step - zone
    return list(range(first, one.end + 1, step)), step


def _axis(one: Timeline, zone: int, top: int) -> Iterator[Markup]:
    ticks, step = _ticks(one, zone)
    long = one.end - one.begin
    yield Markup('<line class="axis" x1="0" x2="100%" y1="{0}" y2="{0}"></line>').format(top + 4)
    minor = step / MINOR
    at: float = ticks[0] - step if ticks else one.begin
    while at <= one.end:
        if at >= one.begin:
            place = f"{100 * (at - one.begin) / long:.2f}%"
            yield Markup('<line class="axis" x1="{0}" x2="{0}" y1="{1}" y2="{2}"></line>').format(
                place, top + 4, top + 8
            )
        at += minor
    days = [day(round(at), zone) for at in ticks]
    for (before, date), at in zip(pairwise(["", *days]), ticks, strict=True):
        share = (at - one.begin) / long
        place = f"{100 * share:.2f}%"
        anchor = "start" if share < 0.1 else "end" if share > 0.9 else "middle"
        time = date_of(at + zone).strftime("%H:%M:%S.%f" if step < 1000 else "%H:%M:%S")[:12]
        yield Markup('<line class="axis" x1="{0}" x2="{0}" y1="{1}" y2="{2}"></line>').format(place, top + 4, top + 12)
        first, second = (date, "") if step >= 86_400_000 else (time, date if date != before else "")
        for number, text in enumerate((first, second)):
            if text:
                yield Markup('<text class="tick" x="{}" y="{}" text-anchor="{}">{}</text>').format(
                    place, top + 24 + 14 * number, anchor, escape(text)
                )
