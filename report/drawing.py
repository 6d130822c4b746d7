"""A drawing sheet for SVG: boxes and lines of text, in pixels.

A style sheet sets colours and fonts by class.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from xml.etree.ElementTree import Element, SubElement, tostring

from rebalance_proofs.report.palette import DARK, LIGHT, variables
from rebalance_proofs.report.text.wrapping import wrapped

MARGIN = 12
"""Margin around the whole sheet."""
LETTER, BOLD = 7.0, 8.2
"""Width reserved for a letter of running text, and for a bold letter."""
LINE = 19
"""Height of a line of running text."""


class Sheet:
    """An SVG image whose height grows with its content."""

    def __init__(self, width: float, title: str, description: str, identity: str) -> None:
        self.width = width
        """Width between the margins."""
        self._widest = width
        self.top = float(MARGIN)
        """Upper edge of the next box or text."""
        self.svg = Element("svg", {"class": "figure", "role": "img"})
        self.svg.set("aria-labelledby", f"{identity}-title {identity}-words")
        SubElement(self.svg, "title", id=f"{identity}-title").text = title
        SubElement(self.svg, "desc", id=f"{identity}-words").text = description

    def box(self, kind: str, x: float, y: float, width: float, height: float, *, round_: int = 4) -> None:
        """Draw a rectangle."""
        place = {"x": x, "y": y, "width": width, "height": height}
        found = {name: f"{value:g}" for name, value in place.items()}
        SubElement(self.svg, "rect", {"class": kind, "rx": str(round_)} | found)

    def text(self, kind: str, x: float, y: float, words: str, *, middle: bool = True) -> None:
        """Draw one line of text, vertically centred at ``y``.

        ``x`` is its horizontal middle, or its beginning.
        """
        place = {"class": kind, "x": f"{x:g}", "y": f"{y:g}", "dominant-baseline": "central"}
        SubElement(self.svg, "text", place | ({"text-anchor": "middle"} if middle else {})).text = words

    def paragraph(self, kind: str, words: str) -> None:
        """Draw running text from margin to margin, on several lines.

        A word longer than a line widens the sheet.
        """
        letter = BOLD if kind == "name" else LETTER
        for line in wrapped(words, int(self.width / letter), hang=0):
            self._widest = max(self._widest, letter * len(line))
            self.text(kind, MARGIN, self.top + LINE / 2, line, middle=False)
            self.top += LINE

    def finished(self) -> Element:
        """Return the sheet as an SVG element, with its final size."""
        width, height = self._widest + 2 * MARGIN, self.top + MARGIN
        self.svg.set("viewBox", f"0 0 {width:g} {height:g}")
        self.svg.set("width", f"{width:g}")
        self.svg.set("height", f"{height:g}")
        return self.svg


def written(svg: Element) -> str:
    """Return an SVG element as text."""
    return tostring(svg, encoding="unicode")


def styled(rules: str) -> str:
    """Return a style sheet with the colours of both modes, and the rules that use them."""
    dark = f"@media (prefers-color-scheme: dark) {{ :root {{ {variables(DARK)} }} }}"
    return f":root {{ {variables(LIGHT)} }} {dark} {rules}"


def svg_file(svg: str, first: str, rules: str) -> str:
    """Return the text of a file with a written image; ``first`` is its first line, ``rules`` are its styles."""
    named = svg.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)
    end = named.index(">") + 1
    return f"{first}\n{named[:end]}<style>{styled(rules)}</style>{named[end:]}\n"


# A trace as an SVG sequence diagram, one action per row.
# The broker's lane is between two consumers' lanes.

LANE, GAP, STEP, BAR = 86, 16, 30, 22
"""Sizes in pixels: lane width, space between lanes, action height, bar width."""
LETTER_OF_STEPS = 6.7
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
    words = round(LETTER_OF_STEPS * max(len(row.words) for row in rows))
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
