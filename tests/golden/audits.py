"""What an audit says of recorded logs, in words, for tools, and on its page."""

import json
from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.golden.calls import answered
from tests.golden.digested import digested, page_digested, without_scripts
from tests.recorded.audit.audited import LOGS

CALLS = (
    ("java-4.9.8/b_sigstop", "--model"),
    ("java-4.9.8/g_mixed",),
    ("java-5.3.3/ordered_all", "--never", "two,unread", "--allow", "unread=1m", "--zone", "UTC"),
)
"""A recorded scenario, and more words of the call."""


def audits() -> Iterator[str]:
    """Of each call its answer, and the parts of its page and of its document as digests."""
    for scenario, *more in CALLS:
        yield f"$ rebalance audit {scenario} {' '.join(more)}"
        with TemporaryDirectory() as place, chdir(LOGS):  # names of files are part of what is said
            page = Path(place) / "page.html"
            said = answered(["audit", scenario, *more, "--report", str(page)])
            yield from said.replace(place, "PLACE").splitlines()
            yield from page_digested(without_scripts(page.read_text(encoding="utf-8")))
            document = answered(["audit", scenario, *more, "--json"]).rpartition("exit status")[0]
        yield from _parts(json.loads(document))


def _parts(document: dict[str, object]) -> Iterator[str]:
    for name, value in document.items():
        of = value if isinstance(value, list) else [value]
        for each in of:
            for field, inner in each.items() if isinstance(each, dict) else [("", each)]:
                yield from digested(f"{name} {field} {json.dumps(inner)}")
