"""Diagrams of ways that an exploration has found, as they are drawn."""

from collections.abc import Iterator

from rebalance_proofs.report.explorer.figure import figure
from rebalance_proofs.report.explorer.itf import trace_of
from tests.spark_enum.explorer.exploring import gone_through


def figures() -> Iterator[str]:
    """Of concurrent listeners and one queue: each finding's diagram, and its trace."""
    explored = gone_through("concurrent", queues=1)
    for found in explored.found:
        yield from figure(explored, found).replace("><", ">\n<").splitlines()
        trace = trace_of(explored, found)
        yield from map(str, (trace["#meta"], trace["vars"], *trace["states"]))
