"""The moves of a change as a chart of ranges, at once and one by one."""

from collections.abc import Sequence
from itertools import groupby
from xml.etree.ElementTree import Element

from markupsafe import Markup

from rebalance_proofs.report.drawing import MARGIN, Sheet, svg_file, written
from rebalance_proofs.report.moves.change import Change
from rebalance_proofs.report.moves.change_told import average, label, sentence, told
from rebalance_proofs.report.moves.moved import Changed
from rebalance_proofs.report.moves.plot import FIRST
from rebalance_proofs.report.moves.several import Range
from rebalance_proofs.report.palette import DARK, LIGHT, variables
from rebalance_proofs.report.rendering import environment

WIDTH, WORDS, HIGH = 720, 90, 16
"""Pixels: width of the drawing, width of the words before a bar, height of a bar."""
NUMBERS = 150
"""Width of the numbers behind a bar in pixels."""
STYLE = (
    ".figure { font: 13px system-ui, sans-serif; background: var(--ground); } "
    ".figure text { fill: var(--ink); } .figure text.name { font-weight: 650; } "
    ".figure text.faint { fill: var(--faint); } .figure rect { stroke: none; } "
    ".figure rect.track { fill: var(--raised); } "
    ".figure rect.once { fill: var(--takes); } .figure rect.single { fill: var(--other); } "
    ".figure rect.average { fill: var(--ink); }"
)


def drawn(change: Change, every: Sequence[Changed]) -> str:
    """Return the chart as an SVG file."""
    return svg_file(written(_figure(change, every)), FIRST[".svg"], STYLE)


def page(change: Change, every: Sequence[Changed], *, plan: bool) -> str:
    """Return the chart and the answer as a self-contained HTML file."""
    lines = [line for line in told(change, every, plan=plan) if line][1:]
    parts = [(row, list(own)) for row, own in groupby(lines, key=lambda line: "  " in line)]
    return (
        environment(escapes=True)
        .get_template("moves_change.html")
        .render(
            first=Markup(FIRST[".html"]),
            said=sentence(change, every),
            figure=Markup(written(_figure(change, every, said=False))),  # the figure's text is already escaped
            figure_style=Markup(STYLE),
            parts=parts,
            light=variables(LIGHT),
            dark=variables(DARK),
        )
    )


def _figure(change: Change, every: Sequence[Changed], *, said: bool = True) -> Element:
    """Return the chart; ``said``: with the answer in words above it."""
    words = sentence(change, every)
    sheet = Sheet(WIDTH, "Queues that change owners", words, "moves")
    if said:
        sheet.paragraph("said", words)
    most = max(found.worst for one in every for found in (one.once, one.single)) or 1
    for one in every:
        sheet.top += 12
        sheet.text("name", MARGIN, sheet.top + 8, label(one), middle=False)
        sheet.top += 22
        _bar(sheet, "once", "at once", one.once, most)
        _bar(sheet, "single", "one by one", one.single, most)
    sheet.top += 8
    sheet.paragraph(
        "faint", "A bar is the range over all cases, from the least to the most moves; the line is the average."
    )
    return sheet.finished()


def _bar(sheet: Sheet, kind: str, words: str, found: Range, most: int) -> None:
    scale = (WIDTH - WORDS - NUMBERS) / most
    left = MARGIN + WORDS
    sheet.text("faint", MARGIN, sheet.top + HIGH / 2, words, middle=False)
    sheet.box("track", left, sheet.top, scale * most, HIGH, round_=0)
    sheet.box(
        kind, left + scale * found.least, sheet.top, max(3.0, scale * (found.worst - found.least)), HIGH, round_=0
    )
    sheet.box("average", left + scale * float(found.average), sheet.top - 2, 2, HIGH + 4, round_=0)
    numbers = f"{found.least:,} to {found.worst:,}, average {average(found.average)}"
    sheet.text("numbers", left + scale * most + 8, sheet.top + HIGH / 2, numbers, middle=False)
    sheet.top += HIGH + 6
