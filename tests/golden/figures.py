"""Diagrams of ways that an exploration has found, as they are drawn, and what is written of them."""

import json
from collections.abc import Iterator

from rebalance_proofs.report.explorer.document import document, trace_of
from rebalance_proofs.report.explorer.page import figure, page
from tests.golden.digested import page_digested
from tests.spark_enum.explorer.exploring import gone_through

OTHERS = (
    ("lock-lite", {"queues": 1}),
    ("concurrent", {"queues": 1, "faults": ("crash", "late-commit"), "strategy": "circle"}),
)
"""Small groups of each model."""


def figures() -> Iterator[str]:
    """Of concurrent listeners and one queue: each finding's diagram, and its trace; of other groups: pages and JSON."""
    explored = gone_through("concurrent", queues=1)
    yield f"# {explored.subject.command(explored.settings)}: diagrams"
    for found in explored.found:
        yield from figure(explored, found).replace("><", ">\n<").splitlines()
        trace = trace_of(explored, found)
        yield from map(json.dumps, (trace["#meta"], trace["vars"], *trace["states"]))
    for model, settings in OTHERS:
        explored = gone_through(model, **settings)
        yield f"# {explored.subject.command(explored.settings)}"
        yield from page_digested(page(explored))
        yield from (f"{name}: {json.dumps(value)}" for name, value in document(explored).items())
