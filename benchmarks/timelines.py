"""``python -m benchmarks.timelines [DAYS]``: size and time of an audit's page, and of showing it in a browser.

Each day has a finding and a change of each of 16 queues: 1,200 days give 57,600 times of ownership and 1,200 findings.
"""

import sys
import tempfile
import time
from importlib.metadata import Distribution, distribution
from pathlib import Path

from packaging.requirements import Requirement

from rebalance_proofs.report.audit.chart import library
from rebalance_proofs.report.audit.page import page
from tests.report.audit.years import years
from tests.report.browser import started

__all__ = ["installed", "main"]

READY = "html[data-ready=yes]"
OWN = ("numpy", "Jinja2")
"""Packages that the project needs without the chart library, too."""


def main(days: int = 1_200) -> None:
    """Print the measurements."""
    answer = years(days)
    page(answer)  # imports the library
    begin = time.process_time()
    text = page(answer)
    seconds = time.process_time() - begin
    whole, scripts = len(text.encode()), len(library().text.encode())
    spans = len(answer.audited.groups[0].spans)
    print(f"{spans:,} times of ownership, {days:,} findings: rendered in {seconds:.1f} s of CPU time")
    print(f"page: {whole / 1e6:.2f} MB, {(whole - scripts) / 1e6:.2f} MB without the library")
    for name, size in installed("bokeh").items():
        print(f"installed: {name} {size / 1e6:.1f} MB")
    with tempfile.TemporaryDirectory() as folder, started() as browser:
        file = Path(folder) / "audit.html"
        file.write_text(text, encoding="utf-8")
        begin = time.perf_counter()
        with browser.page(file) as tab:
            tab.wait_for_selector(READY)
            print(f"shown after {time.perf_counter() - begin:.1f} s")
            drawing = "(() => { const begin = performance.now(); one.draw(); return performance.now() - begin; })()"
            one = "document.querySelector('.timeline').timeline"
            print(f"bars of another time computed in {tab.evaluate(drawing.replace('one.', one + '.')):.0f} ms")


def installed(name: str, known: dict[str, int] | None = None) -> dict[str, int]:
    """Sizes in bytes of a package and all that it needs, except what the project needs itself."""
    known = {} if known is None else known
    found = distribution(name)
    known[name] = _size(found)
    for text in found.requires or []:
        need = Requirement(text)
        if (need.marker is None or need.marker.evaluate({"extra": ""})) and need.name not in {*known, *OWN}:
            installed(need.name, known)
    return known


def _size(found: Distribution) -> int:
    return sum(Path(str(found.locate_file(one))).stat().st_size for one in found.files or [] if _there(found, one))


def _there(found: Distribution, one: object) -> bool:
    return Path(str(found.locate_file(str(one)))).is_file()


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
