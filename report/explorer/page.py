"""An exploration as one self-contained HTML page, with a diagram of each trace."""

from markupsafe import Markup

from rebalance_proofs.report.explorer.figure import figure
from rebalance_proofs.report.explorer.told import claims, heading, needs, often, settling, went
from rebalance_proofs.report.palette import DARK, LIGHT, variables
from rebalance_proofs.report.rendering import environment
from rebalance_proofs.spark_enum.explorer.explore import Explored

__all__ = ["FIRST", "page"]

FIRST = "<!doctype html><!-- written by: rebalance explore -->"
"""First line of the file, by which it is recognised."""


def page(explored: Explored) -> str:
    """The whole file."""
    findings = [
        (
            found,
            Markup(figure(explored, found)),  # the diagram's text is already escaped
            [
                often(explored, found),
                *([needs(explored, found)] if found.needs else []),
                *claims(found.watch, found=True),
            ],
        )
        for found in explored.found
    ]
    return (
        environment(escapes=True)
        .get_template("explored.html")
        .render(
            first=Markup(FIRST),
            title=f"{explored.subject.name}: rebalance explore",
            heading=list(heading(explored)),
            findings=findings,
            never=[(watch, list(claims(watch, others=explored.whole))) for watch in explored.never],
            whole=explored.whole,
            settling=[line for line in settling(explored) if line],
            went=list(went(explored)),
            light=variables(LIGHT),
            dark=variables(DARK),
        )
    )
