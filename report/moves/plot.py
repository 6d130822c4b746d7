"""The answer of ``rebalance moves`` as bar charts: for each strategy, one bar for each sort position."""

from collections.abc import Iterator, Sequence
from html import escape
from itertools import groupby

from rebalance_proofs.report.claims.mark import BRIEFLY
from rebalance_proofs.report.drawing import MARGIN, Sheet, styled, svg_file, written
from rebalance_proofs.report.moves.change import Event, Group
from rebalance_proofs.report.moves.moved import Moved, Moves
from rebalance_proofs.report.moves.told import name, place, sentence

FIRST = {".svg": "<!-- written by: rebalance moves -->", ".html": "<!doctype html><!-- written by: rebalance moves -->"}
"""First line of an output file, by file extension."""
WIDTH, HIGH, GAP = 720, 84, 2
"""Pixels: width of the drawing, height of the longest bar, space between bars."""
STYLE = (
    ".figure { font: 13px system-ui, sans-serif; background: var(--ground); } "
    ".figure text { fill: var(--ink); } .figure text.name { font-weight: 650; } "
    ".figure text.faint { fill: var(--faint); } "
    ".figure rect.own { fill: var(--takes); } .figure rect.between { fill: var(--several); } "
    ".figure rect.needed { fill: var(--ink); }"
)


def drawn(group: Group, every: Sequence[Moves]) -> str:
    """Return the charts as an SVG file."""
    return svg_file(_figure(group, every), FIRST[".svg"], STYLE)


def page(group: Group, every: Sequence[Moves], lines: Sequence[str]) -> str:
    """Return the charts as a self-contained HTML file; ``lines``: the same answer as text."""
    return (
        f'{FIRST[".html"]}\n<html lang="en"><head><meta charset="utf-8"><title>rebalance moves</title>'
        '<meta name="viewport" content="width=device-width">'
        f"<style>{styled(STYLE)} body {{ color: var(--ink); background: var(--ground); "
        "font: 15px system-ui, sans-serif; max-width: 60rem; margin: 1rem auto; padding: 0 1rem; } "
        "svg { max-width: 100%; height: auto; } "
        "h1 { font-size: 1.5rem; } pre { overflow-x: auto; }</style></head><body><main>"
        f"<h1>Queues that change owners</h1>{_figure(group, every)}{''.join(_told(lines))}</main></body></html>\n"
    )


def _told(lines: Sequence[str]) -> Iterator[str]:
    """Yield HTML for the lines: table rows preformatted, sentences as paragraphs."""
    for row, own in groupby((line for line in lines if line), key=lambda line: "  " in line):
        if row:
            yield f"<pre>{escape(chr(10).join(own))}</pre>"
        else:
            yield from (f"<p>{escape(line)}</p>" for line in own)


def _figure(group: Group, every: Sequence[Moves]) -> str:
    said = sentence(group, [one for one in every if one.rocketmq])
    sheet = Sheet(WIDTH, "Queues that change owners", said, "moves")
    sheet.paragraph("said", said)
    _legend(sheet, group)
    most = max(moved.hands for one in every for moved in one.places) or 1
    for one in every:
        _bars(sheet, group, one, most)
    sheet.top += 10
    sheet.paragraph("faint", BRIEFLY)
    return written(sheet.finished())


def _legend(sheet: Sheet, group: Group) -> None:
    sheet.top += 6
    x = float(MARGIN)
    own = "to the new consumer" if group.event is Event.JOIN else "from the leaving consumer"
    grows = group.event is Event.GROW
    for kind, words in (("own", own), ("between", "between the others"), ("needed", "needed")):
        if not (grows and kind == "own"):
            sheet.box(kind, x, sheet.top + 4, 12, 3 if kind == "needed" else 12, round_=0)
            sheet.text("faint", x + 18, sheet.top + 10, words, middle=False)
            x += 40 + 7 * len(words)
    sheet.top += 24


def _bars(sheet: Sheet, group: Group, one: Moves, most: int) -> None:
    sheet.top += 10
    sheet.text("name", MARGIN, sheet.top + 8, f"{name(one)}, {one.basis}", middle=False)
    sheet.top += 42
    floor, wide = sheet.top + HIGH, min(64.0, WIDTH / len(one.places))
    for number, moved in enumerate(one.places):
        x, width = MARGIN + number * wide, max(1.0, wide - GAP)
        own, between, needed = (HIGH * part / most for part in (moved.own, moved.between, moved.needed))
        sheet.box("own", x, floor - own, width, own, round_=0)
        sheet.box("between", x, floor - own - between, width, between, round_=0)
        sheet.box("needed", x, floor - needed - 1, width, 2, round_=0)
        if wide >= 18:
            sheet.text("hands", x + width / 2, floor - max(own + between, needed) - 10, str(moved.hands))
            sheet.text("faint", x + width / 2, floor + 12, _below(group, moved, wide))
    sheet.top = floor + 22


def _below(group: Group, moved: Moved, wide: float) -> str:
    words = place(group, moved)
    return words if wide >= 7 * len(words) else words.split(" ")[0]
