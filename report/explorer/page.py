"""The HTML page of an exploration: one self-contained file with a diagram of each trace."""

from markupsafe import Markup

from rebalance_proofs.report.english import count, listing
from rebalance_proofs.report.explorer.figure import figure
from rebalance_proofs.report.explorer.told import claims, heading, needs, often, settling, went
from rebalance_proofs.report.palette import DARK, LIGHT, variables
from rebalance_proofs.report.rendering import environment
from rebalance_proofs.spark_enum.explorer.explore import Explored

FIRST = "<!doctype html><!-- written by: rebalance explore -->"
"""First line of the file; ``rebalance explore`` overwrites only files with this line."""


def verdict(explored: Explored) -> str:
    """Return what was found in one sentence: ``Found: twice; Never: lost (120 states explored)``"""
    parts = [f"Found: {listing(one.watch.name for one in explored.found)}"] * bool(explored.found)
    never = listing(watch.name for watch in explored.never)
    parts += [f"{'Never' if explored.whole else 'Not found so far'}: {never}"] * bool(never)
    return f"{'; '.join(parts)} ({count(explored.states, 'state')} explored)"


def page(explored: Explored) -> str:
    """Return the HTML page of the exploration."""
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
    templates = environment(escapes=True)
    templates.filters["count"] = count
    return templates.get_template("explored.html").render(
        first=Markup(FIRST),
        title=f"{explored.subject.name}: rebalance explore",
        heading=list(heading(explored)),
        findings=findings,
        never=[(watch, list(claims(watch, others=explored.whole))) for watch in explored.never],
        whole=explored.whole,
        settling=[line for line in settling(explored) if line],
        went=list(went(explored)),
        verdict=verdict(explored),
        light=variables(LIGHT),
        dark=variables(DARK),
    )
