"""The timeline as an interactive chart of Bokeh, whose scripts the page contains.

Bokeh is imported only when a page is written, because its import takes long.
"""

import json
import re
from base64 import b64encode
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any
from zlib import compress

from rebalance_proofs.language import gettext
from rebalance_proofs.recorded.audit.outcome import GroupTold
from rebalance_proofs.recorded.audit.told import Member, Span
from rebalance_proofs.recorded.logs.fact import Queue
from rebalance_proofs.report.audit.timeline import BAR, COLOURS, ROW, STRIP, Timeline, heights
from rebalance_proofs.report.audit.words import chart_labels, day, ranges

# Text timelines of queues: a line (lane) of characters, each for the owner in one part of the time.

MARKS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
TWO, NOBODY, ANY = "#", ".", "*"
"""Characters for two owners, for no owner, and for any owner after all letters are used."""


@dataclass(frozen=True)
class Lane:
    """A timeline for queues of one broker that have the same owners over the whole time."""

    topic: str
    broker: str
    numbers: tuple[int, ...]
    cells: str

    @property
    def label(self) -> str:
        """The label of the lane, such as ``b0 4-7``."""
        return f"{self.broker} {ranges(self.numbers)}"


def letters(group: GroupTold) -> dict[Member, str]:
    """Return the letter that stands for each member in timelines, in order of first ownership."""
    order = list(dict.fromkeys(span.member for span in sorted(group.spans, key=lambda one: one.begin)))
    return {member: MARKS[place] if place < len(MARKS) else ANY for place, member in enumerate(order)}


def extent(group: GroupTold) -> tuple[int, int] | None:
    """Return (first, last) time in ms at which a queue had an owner; None if no queue had any."""
    if not group.spans:
        return None
    return min(one.begin for one in group.spans), max(one.end for one in group.spans)


def lanes(group: GroupTold, width: int) -> Iterator[Lane]:
    """Yield the group's timelines, ``width`` characters (cells) long.

    A change shorter than a cell is visible only if it covers the larger part of a cell.
    """
    around = extent(group)
    if around is None:
        return
    begin, end = around
    step = max(1, -(-(end - begin + 1) // width))
    width = min(width, -(-(end - begin + 1) // step))
    marks = letters(group)
    by_queue: dict[Queue, list[Span]] = {}
    for span in group.spans:
        by_queue.setdefault(span.queue, []).append(span)
    alike: dict[tuple[str, str, str], list[int]] = {}
    for queue, spans in sorted(by_queue.items()):
        ends = range(begin, begin + width * step, step)
        cells = "".join(_cell(spans, marks, at, at + step) for at in ends)
        alike.setdefault((queue[0], queue[1], cells), []).append(queue[2])
    for (topic, broker, cells), numbers in alike.items():
        yield Lane(topic, broker, tuple(numbers), cells)


def _cell(spans: Sequence[Span], marks: dict[Member, str], begin: int, end: int) -> str:
    """Return the character of a cell: TWO if two members own the queue for over half of its time.

    Otherwise it is the owner with the longest time, or NOBODY if the queue had an owner for at most half of the cell.
    """
    here = [span for span in spans if span.begin < end and span.end > begin]
    if not here:
        # An entry without duration, as at the end of a log, is still shown.
        seen = [span for span in spans if span.begin == span.end and begin <= span.begin < end]
        return marks[seen[0].member] if seen else NOBODY
    shares: dict[Member, int] = {}
    for span in here:
        shares[span.member] = shares.get(span.member, 0) + min(span.end, end) - max(span.begin, begin)
    half = (end - begin) / 2
    if sum(1 for share in shares.values() if share > half) > 1:
        return TWO
    most = max(shares, key=lambda one: (shares[one], one))
    return marks[most] if sum(shares.values()) > half else NOBODY


OWN = Path(__file__).parent.parent / "script" / "audit" / "timeline.js"
EDGE, EVENTS = 8, 40
"""Px at the left and right of the chart, and for notifications and rebalances."""


@dataclass(frozen=True)
class Script:
    """A script of the page, and its hash for the content security policy."""

    text: str

    @property
    def fingerprint(self) -> str:
        """The hash in the notation of a content security policy: ``sha256-...``."""
        return f"sha256-{b64encode(sha256(self.text.encode()).digest()).decode()}"


@cache
def library() -> Script:
    """Return Bokeh's script for the browser."""
    import bokeh

    folder = Path(bokeh.__file__).parent / "server" / "static" / "js"
    # An end tag in the script would end its element too early.
    return Script((folder / "bokeh.min.js").read_text(encoding="utf-8").replace("</script", "<\\/script"))


@cache
def own() -> Script:
    """Return the script that shows the timelines."""
    return Script(OWN.read_text(encoding="utf-8"))


def packed(value: object) -> str:
    """Return JSON of the value, compressed, in base64."""
    return b64encode(compress(json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode(), 9)).decode()


def chart(one: Timeline, zone: int) -> dict[str, Any]:
    """Return the chart of one timeline, as data for the script: Bokeh's models, and all bars and marks.

    Times are in ms since ``begin``, and ``begin`` is in the zone in which times are shown.
    """
    return {
        "begin": one.begin + zone,
        "end": one.end + zone,
        "colours": COLOURS,
        "sizes": {"strip": STRIP, "row": ROW, "bar": BAR},
        "labels": chart_labels(),
        "owners": one.owners,
        "kinds": [
            {
                "name": what.value,
                "title": gettext(what.sentence),
                "begin": _since(one.begin, [mark.begin for mark in marks]),
                "long": [mark.end - mark.begin for mark in marks],
            }
            for what, marks in one.kinds
        ],
        "lanes": [
            {
                "name": lane.name,
                "height": high,
                "owner": [bar.owner for bar in lane.bars],
                "begin": _since(one.begin, [bar.begin for bar in lane.bars]),
                "long": [bar.end - bar.begin for bar in lane.bars],
                "place": [bar.place for bar in lane.bars],
                "of": [bar.of for bar in lane.bars],
                "marks": [[mark.what.value, mark.begin - one.begin, mark.end - one.begin] for mark in lane.marks],
            }
            for lane, high in zip(one.lanes, heights(one), strict=True)
        ],
        "rebalances": _since(one.begin, one.rebalances),
        "notices": _since(one.begin, one.notices),
        "item": _item(one, zone),
    }


def _since(begin: int, times: Sequence[int]) -> list[int]:
    """Return the differences of successive times, which compress well."""
    return [time - before for before, time in zip([begin, *times], times, strict=False)]


def _item(one: Timeline, zone: int) -> dict[str, Any]:
    from bokeh.core.properties import value
    from bokeh.embed import json_item
    from bokeh.models import (
        ColumnDataSource,
        CompositeTicker,
        ContinuousTicker,
        HoverTool,
        PanTool,
        Range1d,
        WheelZoomTool,
    )
    from bokeh.models.formatters import DatetimeTickFormatter
    from bokeh.plotting import figure

    height = len(one.kinds) * STRIP + sum(heights(one)) + EVENTS
    begin, end = one.begin + zone, one.end + zone
    edge = max(1.0, (end - begin) * 0.005)
    plot = figure(
        name="timeline",
        x_axis_type="datetime",
        x_range=Range1d(start=begin - edge, end=end + edge, bounds=(begin - edge, end + edge), min_interval=20),
        y_range=Range1d(start=height, end=0),
        frame_height=height,
        sizing_mode="stretch_width",
        toolbar_location=None,
        tools=[],
        min_border_left=EDGE,
        min_border_right=EDGE,
        outline_line_color=None,
    )
    plot.yaxis.visible = False
    plot.ygrid.visible = False
    ticks = plot.xaxis[0].ticker
    assert isinstance(ticks, CompositeTicker)
    for ticker in ticks.tickers:
        if isinstance(ticker, ContinuousTicker):
            ticker.num_minor_ticks = 5
    plot.xaxis.formatter = DatetimeTickFormatter(
        milliseconds="%H:%M:%S.%3N",
        seconds="%H:%M:%S",
        minsec="%H:%M:%S",
        minutes="%H:%M",
        hourmin="%H:%M",
        hours="%H:%M",
        days="%Y-%m-%d",
        months="%Y-%m",
        years="%Y",
        context=DatetimeTickFormatter(
            microseconds="%Y-%m-%d",
            milliseconds="%Y-%m-%d",
            seconds="%Y-%m-%d",
            minsec="%Y-%m-%d",
            minutes="%Y-%m-%d",
            hourmin="%Y-%m-%d",
            hours="%Y-%m-%d",
            days="",
            months="",
            years="",
            hide_repeats=True,
        )
        if day(round(begin), 0)
        else None,  # a time of day without a date
        context_which="all",
    )
    columns = {
        "bars": ("y", "left", "right", "height", "fill", "alpha", "line", "tip"),
        "texts": ("x", "y", "text", "fill", "size"),
        "events": ("x", "y0", "y1", "line"),
    }
    source = {name: ColumnDataSource({column: [] for column in every}, name=name) for name, every in columns.items()}
    plot.segment("x", "y0", "x", "y1", line_color="line", source=source["events"])
    bars = plot.hbar(
        "y", "height", "right", "left", fill_color="fill", fill_alpha="alpha", line_color="line", source=source["bars"]
    )
    plot.text(
        "x", "y", "text", text_color="fill", text_font_size="size", text_baseline="middle",
        text_font=value("system-ui, sans-serif"), source=source["texts"],
    )  # fmt: skip
    plot.add_tools(
        PanTool(dimensions="width"),
        WheelZoomTool(dimensions="width", modifiers="ctrl"),
        HoverTool(renderers=[bars], tooltips="@tip", point_policy="follow_mouse"),
    )
    return _renumbered(dict(json_item(plot)))


def _renumbered(item: dict[str, Any]) -> dict[str, Any]:
    """Return the item with ids from 1: Bokeh numbers all models of a process, but a page is always the same."""
    numbers: dict[str, str] = {}
    text = re.sub(r'"p\d+"', lambda found: numbers.setdefault(found[0], f'"p{len(numbers) + 1}"'), json.dumps(item))
    renumbered: dict[str, Any] = json.loads(text)
    return renumbered
