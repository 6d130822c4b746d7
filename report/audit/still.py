"""The timeline as a static picture, an SVG that fills the width of the page: x in percent, y in px."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from markupsafe import Markup, escape

from rebalance_proofs.language import gettext, ngettext
from rebalance_proofs.recorded.logs.times import date_of
from rebalance_proofs.report.audit.timeline import Bar, Mark, Timeline
from rebalance_proofs.report.audit.words import day

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
