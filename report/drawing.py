"""A sheet to draw on: boxes and lines of text, in pixels; colours and fonts come from a style sheet by class."""

from textwrap import wrap
from xml.etree.ElementTree import Element, SubElement, tostring

MARGIN = 12
"""Space around everything."""
LETTER, BOLD = 7.0, 8.2
"""Width to reserve for a letter, and for one of a name or headline."""
LINE = 19
"""Height of a line of running text."""


class Sheet:
    """An SVG element whose height grows with what is drawn."""

    def __init__(self, width: float, title: str, description: str, identity: str) -> None:
        self.width = width
        """Of what may be drawn between the margins."""
        self.top = float(MARGIN)
        """Where the next thing goes."""
        self.svg = Element("svg", {"class": "figure", "role": "img"})
        self.svg.set("aria-labelledby", f"{identity}-title {identity}-words")
        SubElement(self.svg, "title", id=f"{identity}-title").text = title
        SubElement(self.svg, "desc", id=f"{identity}-words").text = description

    def box(self, kind: str, x: float, y: float, width: float, height: float, *, round_: int = 4) -> None:
        """A rectangle."""
        place = {"x": x, "y": y, "width": width, "height": height}
        found = {name: f"{value:g}" for name, value in place.items()}
        SubElement(self.svg, "rect", {"class": kind, "rx": str(round_)} | found)

    def text(self, kind: str, x: float, y: float, words: str, *, middle: bool = True) -> None:
        """One line whose middle is at height ``y``; ``x`` is its middle too, or where it begins."""
        place = {"class": kind, "x": f"{x:g}", "y": f"{y:g}", "dominant-baseline": "central"}
        SubElement(self.svg, "text", place | ({"text-anchor": "middle"} if middle else {})).text = words

    def paragraph(self, kind: str, words: str) -> None:
        """Running text from margin to margin, on as many lines as it takes."""
        letter = BOLD if kind == "name" else LETTER
        for line in wrap(words, max(20, int(self.width / letter))):
            self.text(kind, MARGIN, self.top + LINE / 2, line, middle=False)
            self.top += LINE

    def finished(self) -> Element:
        """The element, with its size."""
        width, height = self.width + 2 * MARGIN, self.top + MARGIN
        self.svg.set("viewBox", f"0 0 {width:g} {height:g}")
        self.svg.set("width", f"{width:g}")
        self.svg.set("height", f"{height:g}")
        return self.svg


def written(svg: Element) -> str:
    """The element as text."""
    return tostring(svg, encoding="unicode")
