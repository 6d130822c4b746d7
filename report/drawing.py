"""A drawing sheet for SVG: boxes and lines of text, in pixels.

A style sheet sets colours and fonts by class.
"""

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
