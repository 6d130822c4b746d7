"""Pages that commands write: the digest of each part."""

import shlex
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from rebalance_proofs.report.html import page
from tests.golden.calls import answered
from tests.golden.digested import page_digested
from tests.report.shown_runs import failing_run, green_run

CALLS = (
    ("explore ordered --queues 1 --levels 12 --client 4.9.8", "--report"),
    ("explore concurrent --queues 1 --never two,twice", "--report"),
    ("moves --strategy avg,circle --consumers 3 --grow 4:8 --brokers 2", "--output"),
    ("moves --strategy avg,hash --queues 8 --consumers 3 --event leave", "--output"),
    ("moves --strategy avg,circle --queues 8 --consumers 3 --to 5 --plan", "--output"),
    ("shares --strategy avg,kafka-range --queues 8 --consumers 3 --sees c2=c0,c2", "--output"),
)
"""What is called, and the option that names the page."""


def pages() -> Iterator[str]:
    """The parts of each command's page, and of the report of a run with all sorts of failures."""
    for call, option in CALLS:
        yield f"$ rebalance {call} {option} page.html"
        with TemporaryDirectory() as place:
            file = Path(place) / "page.html"
            answered([*shlex.split(call), option, str(file)])
            yield from page_digested(file.read_text(encoding="utf-8"))
    for name, run in {"a green run": green_run(), "failures": failing_run()}.items():
        yield f"# the report: {name}"
        yield from page_digested(page(run))
