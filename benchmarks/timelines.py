"""``python -m benchmarks.timelines [DAYS]``: size and time of an audit's page, and of showing it in a browser.

Each day has a finding and a change of each of 16 queues: 2,090 days give 100,320 ownership periods and 2,090 findings.
"""

import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from importlib.metadata import Distribution, distribution
from pathlib import Path
from typing import NamedTuple

import pytest
from packaging.requirements import Requirement

from benchmarks.history import Measured
from benchmarks.timing import seconds
from rebalance_proofs.report.audit.chart import library
from rebalance_proofs.report.audit.page import page
from tests.report.audit.years import years
from tests.report.browser import started

READY = "html[data-ready=yes]"
DRAW = """(() => {
    const begin = performance.now();
    document.querySelector('.timeline').timeline.draw();
    return performance.now() - begin;
})()"""
YEARS = 2_090
MOST = 3_000_000
"""Goal for the bytes of a page without the chart library."""
OWN = ("numpy", "Jinja2")
"""Packages that the project needs without the chart library, too."""


class Drawn(NamedTuple):
    """An audit's page, and what it costs to write and to show it."""

    spans: int
    findings: int
    seconds: float
    """CPU time of rendering."""
    size: int
    """Bytes of the page without the chart library."""
    library: int
    """Bytes of the chart library."""
    shown: float
    """Seconds from the request of the page to the drawn timeline; 0 without a browser."""
    again: float
    """Milliseconds to compute the bars of another time; 0 without a browser."""


def drawn(days: int) -> Drawn:
    """Render the page of so many days, and show it in a browser if there is one."""
    answer = years(days)
    page(answer)  # imports the library
    begin = time.process_time()
    text = page(answer)
    rendered = time.process_time() - begin
    scripts = len(library().text.encode())
    shown = again = 0.0
    with suppress(pytest.skip.Exception), tempfile.TemporaryDirectory() as folder, started() as browser:
        file = Path(folder) / "audit.html"
        file.write_text(text, encoding="utf-8")
        begin = time.perf_counter()
        with browser.page(file) as tab:
            tab.wait_for_selector(READY)
            shown = time.perf_counter() - begin
            again = tab.evaluate(DRAW)
    spans = len(answer.audited.groups[0].spans)
    return Drawn(spans, days, rendered, len(text.encode()) - scripts, scripts, shown, again)


def figures(days: int = YEARS) -> Iterator[Measured]:
    """The figures of the page of some years."""
    one = drawn(days)
    what = f"page of an audit, {one.spans:,} ownership periods"
    detail = f"{one.findings:,} findings; CPU time"
    yield Measured(f"{what}: rendering", seconds(one.seconds), detail=detail)
    detail = f"and {one.library / 1e6:.2f} MB of Bokeh"
    yield Measured(f"{what}: size", f"{one.size / 1e6:.2f} MB", f"at most {MOST / 1e6:g} MB", one.size <= MOST, detail)
    if one.shown:
        detail = f"Chromium, 1,300 px; bars of another time in {one.again:.0f} ms"
        yield Measured(f"{what}: until it is shown", seconds(one.shown), detail=detail)


def main(days: int = YEARS) -> None:
    """Print the measurements."""
    for one in figures(days):
        print(f"{one.what}: {one.measured} ({one.detail})")
    for name, size in installed("bokeh").items():
        print(f"installed: {name} {size / 1e6:.1f} MB")


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
