"""What is said at the end of a run, and its summary, its JUnit report and its JSON, of runs that are made by hand."""

import json
from collections.abc import Iterator

from rebalance_proofs.cli import worded
from rebalance_proofs.report.results.json_results import to_json
from rebalance_proofs.report.results.markdown import summary, xml
from rebalance_proofs.report.results.run import Run
from tests.report.runs import BROKEN
from tests.report.shown_runs import failing_run, green_run

VERSIONS = ("versions", "format")
"""Fields of the JSON that are no results."""


def reports() -> Iterator[str]:
    """The lines of each run, and the whole reports of a green one and of one with all sorts of failures."""
    green, several = green_run(), failing_run()
    yield from _lines("green", green)
    for name, change in BROKEN.items():
        yield from _lines(name, change(green))
    for result in several.claims:
        yield worded.claim_line(result)
        yield from worded.story_lines(result)
    for one in (green, several):
        yield summary(one)
        yield xml(one).replace("><", ">\n<")
    for name, value in to_json(several).items():
        if name not in VERSIONS:
            yield f"{name}:"
            yield from (json.dumps(each) for each in (value if isinstance(value, list) else [value]))


def _lines(name: str, run: Run) -> Iterator[str]:
    yield f"# {name}: exit status {run.exit_status}"
    yield from worded.closing_lines(run)
    if run.enumerated:
        yield from worded.enumerated_lines(run.enumerated.findings)
    if run.conformance:
        yield from worded.conformance_lines(run.conformance)
