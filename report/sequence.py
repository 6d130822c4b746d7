"""A trace as an SVG sequence diagram, one action per row.

The broker's lane is between two consumers' lanes.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from xml.etree.ElementTree import SubElement

from rebalance_proofs.report.drawing import MARGIN, Sheet, written

LANE, GAP, STEP, BAR = 86, 16, 30, 22
"""Sizes in pixels: lane width, space between lanes, action height, bar width."""
LETTER = 6.7
"""Average width of a letter in the column of words, in pixels, rounded up."""


@dataclass(frozen=True)
class Row:
    """One row of the diagram: the state after one action."""

    mark: str
    """Text in front of the row, usually the time."""
    words: str
    runs: tuple[bool, bool]
    """For each consumer: whether to draw a full bar in its lane."""
    present: tuple[bool, bool]
    """For each consumer: whether to draw a narrow bar if there is no full one."""
    broker: str
    """Text in the broker's lane, such as the lock's holder."""
    free: bool
    """Whether the broker's lane is drawn as free."""
    spoke: int | None = None
    """Lane, 0 or 1, of the consumer that has just communicated with the broker."""


def sequence(
    identity: str, title: str, sentence: str, lane: str, marks: int, rows: Sequence[Row], lanes: tuple[str, str]
) -> str:
    """Return the diagram as SVG.

    ``lane``: name of the broker's lane. ``lanes``: names of the consumers' lanes. ``marks``: width of the front column,
    in pixels.
    """
    words = round(LETTER * max(len(row.words) for row in rows))
    sheet = Sheet(marks + 3 * LANE + 3 * GAP + words, title, sentence, f"figure-{identity.replace('.', '-')}")
    middles = [MARGIN + marks + place * (LANE + GAP) + LANE / 2 for place in range(3)]
    for middle, name in zip(middles, (lanes[0], lane, lanes[1]), strict=True):
        sheet.text("name", middle, sheet.top + 8, name)
    top = sheet.top + 24
    for place, row in enumerate(rows):
        _drawn(sheet, row, top + place * STEP, middles, last=place == len(rows) - 1)
    sheet.top = top + len(rows) * STEP + 6
    sheet.paragraph("outcome several", sentence[0].upper() + sentence[1:])
    return written(sheet.finished())


def _drawn(sheet: Sheet, row: Row, top: float, middles: list[float], *, last: bool) -> None:
    """Draw one row: bars for the state, and a line between lanes that communicate."""
    middle = top + STEP / 2
    sheet.text("view", MARGIN, middle, row.mark, middle=False)
    for who, lane in ((0, middles[0]), (1, middles[2])):
        if row.runs[who]:
            kind = "cell takes several" if all(row.runs) else "cell takes"
            sheet.box(kind, lane - BAR / 2, top, BAR, STEP, round_=0)
        elif row.present[who]:
            sheet.box("chip", lane - BAR / 4, top, BAR / 2, STEP, round_=0)
    sheet.box("nobody" if row.free else "queue", middles[1] - LANE / 2, top, LANE, STEP, round_=0)
    sheet.text("where", middles[1], middle, row.broker)
    if row.spoke is not None:
        side = -1 if row.spoke == 0 else 1
        ends = {"x1": middles[2 * row.spoke], "x2": middles[1] + side * LANE / 2, "y1": middle, "y2": middle}
        SubElement(
            sheet.svg,
            "line",
            {"class": "says", "style": "stroke: var(--ink); stroke-width: 1.5"}
            | {name: f"{value:g}" for name, value in ends.items()},
        )
    sheet.text("outcome several" if last else "words", middles[2] + LANE / 2 + GAP, middle, row.words, middle=False)
