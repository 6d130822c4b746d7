"""The answer of ``rebalance check`` as a self-contained HTML page, with a figure of each smallest group."""

from markupsafe import Markup

from rebalance_proofs.report.allocation.figure import figure
from rebalance_proofs.report.own.answer import Answer
from rebalance_proofs.report.own.told import (
    extents,
    heading,
    history,
    mark,
    moved,
    notes,
    once,
    other_names,
    sections,
    sentence,
    tried,
    verdict,
)
from rebalance_proofs.report.own.told_parts import proved
from rebalance_proofs.report.palette import DARK, LIGHT, variables
from rebalance_proofs.report.rendering import environment
from rebalance_proofs.report.text.english import group_size
from rebalance_proofs.spark_enum.own.history import HISTORY
from rebalance_proofs.spark_enum.own.rows import Row

FIRST = "<!doctype html><!-- written by: rebalance check -->"
"""First line of the file, which identifies files that this command wrote."""
MOST = 64 * 8
"""Largest group with a figure, in queues times consumers."""


def page(answer: Answer) -> str:
    """Return the HTML page."""
    findings = []
    for row in sorted(answer.checked.rows, key=lambda row: row not in answer.failing):
        example = answer.checked.examples.get(row.name)
        if example and row.smallest and example.consumers * example.queues <= MOST:
            drawn = Markup(figure(example, f"figure-{row.name}"))  # the figure's text is already escaped
            findings.append((row, example, drawn))
    return (
        environment(escapes=True)
        .get_template("own.html")
        .render(
            first=Markup(FIRST),
            answer=answer,
            heading=heading(answer),
            extents=list(extents(answer)),
            verdict=verdict(answer),
            notes=list(notes(answer)),
            sections=list(sections(answer)),
            tried=list(tried(answer.checked.rows)),
            mark=mark,
            moved=list(moved(answer)),
            findings=findings,
            more={
                name: Markup(figure(example, f"larger-{name}"))
                for name, (_, example) in answer.checked.larger.items()
                if example.consumers * example.queues <= MOST
            },
            shown={row.name for row, _, _ in findings},
            failing={row.name for row in answer.failing},
            sentence=sentence,
            proved=list(proved(answer)),
            once=once,
            other_names=other_names,
            history=lambda row: list(history(row.smallest.space)) if row.world is HISTORY else [],
            size=_size,
            light=variables(LIGHT),
            dark=variables(DARK),
        )
    )


def _size(row: Row) -> str:
    if not row.smallest:
        return ""
    n, q = row.smallest.wrong.size
    return group_size((n, q))
