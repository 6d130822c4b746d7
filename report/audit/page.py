"""Render an audit as a self-contained HTML page with a timeline of owners and all findings."""

from dataclasses import dataclass

from markupsafe import Markup

from rebalance_proofs.recorded.audit.finding import Finding, Level, What
from rebalance_proofs.recorded.audit.outcome import GroupTold
from rebalance_proofs.recorded.text import printable
from rebalance_proofs.report.audit.answer import Answer, behind
from rebalance_proofs.report.audit.lanes import extent
from rebalance_proofs.report.audit.told import told
from rebalance_proofs.report.audit.words import between, clock, how_long, name, places, queues
from rebalance_proofs.report.palette import DARK, LIGHT, variables
from rebalance_proofs.report.rendering import environment

__all__ = ["FIRST", "page"]

FIRST = "<!doctype html><!-- written by: rebalance audit -->"
"""First line of the file; it marks the file as one that ``rebalance audit`` wrote."""
WIDTH, LEFT, ROW = 1000, 170, 18
"""Sizes of the timeline in px: its width, width of the labels, height of a row."""
MOST_ROWS, MOST_BARS, MOST_TICKS = 200, 5_000, 500
COLOURS = 8
"""Number of owner colours. Colours repeat, and each bar's title names its owner."""


@dataclass(frozen=True)
class Bar:
    """A bar of the timeline, for one owner: position and width in px, CSS class, title."""

    x: float
    y: float
    width: float
    kind: str
    title: str


def page(answer: Answer) -> str:
    """Return the HTML page."""
    groups = [
        {
            "name": printable(group.name),
            "picture": _picture(answer, group),
            "findings": [_finding(answer, one) for one in sorted(group.findings, key=_order)],
        }
        for group in answer.audited.groups
        if group.coverage or group.findings
    ]
    return (
        environment(escapes=True)
        .get_template("audit.html")
        .render(
            first=Markup(FIRST),
            groups=groups,
            text="\n".join(told(answer)),
            evidence=answer.evidence,
            light=variables(LIGHT),
            dark=variables(DARK),
            left=LEFT,
            row=ROW,
            width=WIDTH,
            colours=COLOURS,
        )
    )


def _order(one: Finding) -> tuple[bool, int, int]:
    return one.level is Level.POSSIBLE, list(What).index(one.what), one.at or 0


def _finding(answer: Answer, one: Finding) -> dict[str, object]:
    return {
        "level": one.level.value,
        "what": one.what.sentence,
        "where": queues(one.intervals) or printable(one.topic),
        "when": between(one, answer.audited.zone),
        "members": [printable(member) for member in one.members],
        "detail": printable(one.detail),
        "evidence": places(one.evidence),
        "causes": [
            (found.cause.name, found.cause.sentence, list(found.shown), [help_.words for help_ in found.cause.helps])
            for found in behind(one, answer.question)
        ],
    }


def _picture(answer: Answer, group: GroupTold) -> dict[str, object] | None:
    around = extent(group)
    if around is None:
        return None
    begin, end = around
    scale = (WIDTH - LEFT - 10) / max(1, end - begin)
    shown = answer.audited.zone
    every = list(dict.fromkeys(span.queue for span in group.spans))
    rows = {queue: place for place, queue in enumerate(every[:MOST_ROWS])}
    members = list(dict.fromkeys(span.member for span in sorted(group.spans, key=lambda one: one.begin)))
    colour = {member: place % COLOURS for place, member in enumerate(members)}

    def x(at: int) -> float:
        return round(LEFT + (min(max(at, begin), end) - begin) * scale, 1)

    bars = [
        Bar(
            x(span.begin),
            rows[span.queue] * ROW + 3,
            max(1.0, round(x(span.end) - x(span.begin), 1)),
            f"owner{colour[span.member]}",
            f"{name(span.queue)}: {printable(group.called(span.member))}, "
            f"{clock(span.begin, shown)} .. {clock(span.end, shown)} ({how_long(span.end - span.begin)})",
        )
        for span in group.spans[:MOST_BARS]
        if span.queue in rows
    ]
    marks = [
        Bar(
            x(each.at),
            rows[each.queue] * ROW + 1,
            max(2.0, round(x(each.until) - x(each.at), 1)),
            one.what.value,
            f"{one.level.value}: {one.what.sentence}, {clock(each.at, shown)} .. {clock(each.until, shown)}",
        )
        for one in group.findings
        if one.what in (What.TWO, What.NOBODY)
        for each in one.intervals
        if each.queue in rows and each.at is not None and each.until is not None
    ]
    ticks = [(x(at), f"notified: {printable(who)}, {clock(at, shown)}", "notice") for who, at in group.notices]
    ticks += [(x(at), f"rebalanced: {printable(who)}, {clock(at, shown)}", "turn") for who, at in group.rebalances]
    within = [one for one in ticks if LEFT <= one[0] <= WIDTH]
    return {
        "labels": [(place * ROW + 13, name(queue)) for queue, place in rows.items()],
        "bars": bars,
        "marks": marks,
        "ticks": within[:MOST_TICKS],
        "height": len(rows) * ROW + 40,
        "axis": len(rows) * ROW + 14,
        "begin": clock(begin, shown),
        "end": clock(end, shown),
        "more": len(every) - len(rows),
        "legend": [(colour[member], printable(group.called(member))) for member in members[:40]],
    }
