"""The shares as SVG and as a page: a grid of consumers by queues."""

from collections.abc import Sequence
from xml.etree.ElementTree import Element

from markupsafe import Markup

from rebalance_proofs.report.drawing import MARGIN, Sheet, svg_file, written
from rebalance_proofs.report.palette import DARK, LIGHT, variables
from rebalance_proofs.report.rendering import environment
from rebalance_proofs.report.shares.described import Topic
from rebalance_proofs.report.shares.divided import Divided
from rebalance_proofs.report.shares.told import cell, notes, sentence, troubles, views
from rebalance_proofs.report.text.english import shortened

FIRST = {
    ".svg": "<!-- written by: rebalance shares -->",
    ".html": "<!doctype html><!-- written by: rebalance shares -->",
}
"""First line of an output file, by file extension."""
WIDTH, NAMES, HIGH = 720, 210, 18
"""Pixels: width of the drawing, width of the client ids, height of a row."""
WIDEST = 24
"""Largest width of a queue's column in pixels."""
LONGEST = 22
"""Largest number of letters of a client id."""
STYLE = (
    ".figure { font: 13px system-ui, sans-serif; background: var(--ground); } "
    ".figure text { fill: var(--ink); } .figure text.name { font-weight: 650; } "
    ".figure text.faint { fill: var(--faint); font-size: 11px; } "
    ".figure rect { stroke: none; } "
    ".figure rect.takes { fill: var(--takes); } .figure rect.several { fill: var(--several); } "
    ".figure rect.nobody { fill: var(--nobody-ground); stroke: var(--nobody); stroke-dasharray: 4 3; } "
    ".figure rect.empty { fill: var(--raised); }"
)


def drawn(every: Sequence[Divided]) -> str:
    """Return the grids as an SVG file."""
    return svg_file(written(_figure(every)), FIRST[".svg"], STYLE)


def page(every: Sequence[Divided]) -> str:
    """Return the grids and tables as a self-contained HTML file."""
    asked = every[0].asked
    return (
        environment(escapes=True)
        .get_template("shares.html")
        .render(
            first=Markup(FIRST[".html"]),
            said=sentence(every),
            views=list(views(asked)),
            troubles=list(troubles(every)),
            sound=all(one.sound for one in every),
            figure=Markup(written(_figure(every, said=False))),  # the figure's text is already escaped
            figure_style=Markup(STYLE),
            asked=asked,
            every=every,
            cell=cell,
            notes=list(notes(asked, every)),
            light=variables(LIGHT),
            dark=variables(DARK),
        )
    )


def _figure(every: Sequence[Divided], *, said: bool = True) -> Element:
    """Return the grids; ``said``: with the answer in words above them."""
    words = " ".join([sentence(every), *views(every[0].asked), *troubles(every)])
    sheet = Sheet(WIDTH, "Queues of each consumer", words, "shares")
    if said:
        sheet.paragraph("said", words)
    _legend(sheet, every)
    for one in every:
        for topic in one.asked.topics:
            _grid(sheet, one, topic)
    return sheet.finished()


def _legend(sheet: Sheet, every: Sequence[Divided]) -> None:
    """Explain the colours that occur."""
    sheet.top += 8
    kinds = [("takes", "only this consumer")]
    kinds += [("several", "also another consumer")] * any(one.doubled for one in every)
    kinds += [("nobody", "no consumer")] * any(one.unread for one in every)
    x = float(MARGIN)
    for kind, words in kinds:
        sheet.box(kind, x, sheet.top, 12, 12, round_=0)
        sheet.text("faint", x + 18, sheet.top + 6, words, middle=False)
        x += 40 + 7 * len(words)
    sheet.top += 14


def _grid(sheet: Sheet, one: Divided, topic: Topic) -> None:
    sheet.top += 14
    of = f", {topic.name}" if len(one.asked.topics) > 1 else ""
    sheet.text("name", MARGIN, sheet.top + 8, f"{one.label}{of}", middle=False)
    sheet.top += 22
    wide = min(float(WIDEST), (WIDTH - NAMES) / len(topic.queues))
    readers = one.readers(topic)
    every_nth = 1 if wide >= 20 else next(step for step in (2, 5, 10, 50, 100, 500) if wide * step >= 20)
    for place in range(0, len(topic.queues), every_nth):
        sheet.text("faint", MARGIN + NAMES + (place + 0.5) * wide, sheet.top + 6, str(place))
    sheet.top += 14
    gap = 1 if wide >= 4 else 0
    names = shortened(one.asked.ids, LONGEST)
    for member in range(len(one.asked.ids)):
        sheet.text("id", MARGIN, sheet.top + HIGH / 2, names[member], middle=False)
        sheet.box("empty", MARGIN + NAMES, sheet.top, wide * len(topic.queues), HIGH - 1, round_=0)
        for place, found in enumerate(readers):
            if member in found:
                kind = "takes" if len(found) == 1 else "several"
                sheet.box(kind, MARGIN + NAMES + place * wide, sheet.top, wide - gap, HIGH - 1, round_=0)
        sheet.top += HIGH
    if any(not found for found in readers):
        sheet.text("id", MARGIN, sheet.top + HIGH / 2, "no consumer", middle=False)
        for place, found in enumerate(readers):
            if not found:
                sheet.box("nobody", MARGIN + NAMES + place * wide, sheet.top, wide - gap, HIGH - 1, round_=0)
        sheet.top += HIGH
