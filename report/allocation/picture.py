"""A counterexample's figure as a standalone SVG file, with colours and the broken guarantee."""

from importlib.resources import files
from xml.etree.ElementTree import Element

from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.report.allocation.figure import drawn
from rebalance_proofs.report.drawing import written
from rebalance_proofs.report.palette import DARK, LIGHT, resolved


def picture(example: Counterexample) -> str:
    """Return the text of the SVG file, which follows the reader's light or dark mode."""
    svg = drawn(example, "picture", headline=True)
    svg.set("xmlns", "http://www.w3.org/2000/svg")
    ground = Element("rect", {"class": "ground", "width": "100%", "height": "100%", "rx": "6"})
    style = Element("style")
    style.text = f"\n{_style(LIGHT)}@media (prefers-color-scheme: dark) {{\n{_style(DARK)}}}\n"
    svg.insert(2, style)
    svg.insert(3, ground)
    return written(svg) + "\n"


def _style(palette: dict[str, str]) -> str:
    rules = files("rebalance_proofs.report").joinpath("templates", "figure.css").read_text(encoding="utf-8")
    return resolved(f"{rules}.figure rect.ground {{ fill: var(--ground); stroke: var(--line); }}\n", palette)
