"""The table of golden texts."""

import shlex
from collections.abc import Callable, Iterator, Mapping

from tests.golden.asked import asked
from tests.golden.audits import audits
from tests.golden.calls import CALLS, answered
from tests.golden.checked import checked
from tests.golden.examples import groups, runs
from tests.golden.figures import figures
from tests.golden.findings import findings
from tests.golden.large import large
from tests.golden.lived import lived
from tests.golden.monitors import monitors
from tests.golden.options import options
from tests.golden.own import codes
from tests.golden.pages import pages
from tests.golden.reality import reality
from tests.golden.recordings import recordings
from tests.golden.reports import reports
from tests.golden.searches import searches
from tests.golden.signs import signs
from tests.golden.sources import sources
from tests.golden.symptoms import symptoms
from tests.golden.texts import texts
from tests.golden.traces import traces
from tests.golden.ways import ways
from tests.golden.worlds import worlds


def _called(name: str) -> Iterator[str]:
    for call in CALLS[name]:
        yield f"$ rebalance {call}"
        yield answered(shlex.split(call))


TEXTS: Mapping[str, Callable[[], Iterator[str]]] = {
    "groups": groups,
    "runs": runs,
    "worlds": worlds,
    "ways": ways,
    "checked": checked,
    "searches": searches,
    "signs": signs,
    "sources": sources,
    "figures": figures,
    "options": options,
    "recordings": recordings,
    "reports": reports,
    "texts": texts,
    "asked": asked,
    "own": codes,
    "traces": traces,
    "large": large,
    "audits": audits,
    "pages": pages,
    "monitors": monitors,
    "reality": reality,
    "lived": lived,
    "symptoms": symptoms,
    "findings": findings,
    **{name: lambda name=name: _called(name) for name in CALLS},
}
"""Name of a text -> its lines, computed."""


def written(name: str) -> str:
    """Return the text as it is now."""
    return "\n".join(TEXTS[name]()) + "\n"
