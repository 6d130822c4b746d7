"""The page for people: one self-contained HTML file, readable from the headline down to each solver's answer."""

import re
from functools import cache, singledispatch
from urllib.parse import quote

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from rebalance_proofs.model.group import Group
from rebalance_proofs.model.transition.rounds import Rounds
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.results import ClaimResult, Counterexample
from rebalance_proofs.report import files, names, rows, words
from rebalance_proofs.report.checked import size_of
from rebalance_proofs.report.failures import failures
from rebalance_proofs.report.families import Family, about, family, given
from rebalance_proofs.report.figure import figure
from rebalance_proofs.report.headline import MOST, facts, headline, sizes_compared, smallest_compared
from rebalance_proofs.report.matrix import alike, in_order, matrices
from rebalance_proofs.report.palette import DARK, LIGHT, variables
from rebalance_proofs.report.run import Run
from rebalance_proofs.report.story.chart import chart
from rebalance_proofs.report.telling import lines, size
from rebalance_proofs.spark_enum.allocation.kinds import GROUPS, JOINS, SIZES, SMALLEST, SOLVER_TIME
from rebalance_proofs.spark_enum.transition.kinds import PROMISES


def page(run: Run) -> str:
    """The whole file. It loads nothing, and links to the other files of the run directory by relative paths."""
    template = _environment().get_template("report.html")
    tables = matrices(run.claims)
    return template.render(
        run=run,
        headline=headline(run),
        facts=facts(run),
        findings=_findings(run)[:MOST],
        tables=tables,
        claims={table.family.name: _claims(run, table.family) for table in tables},
        guarantees={
            result.claim.guarantee.name: result.claim.guarantee
            for result in run.claims
            if not family(result.claim).spelled_out
        },
        dropped={claim.world.name: claim.world for claim in (r.claim for r in run.claims) if claim.world.dropped},
        light=variables(LIGHT),
        dark=variables(DARK),
    )


def _claims(run: Run, kind: Family) -> list[ClaimResult]:
    """The results of one family, in the order of its table."""
    return [result for result in in_order(run.claims, lambda result: result.claim) if family(result.claim) == kind]


def _findings(run: Run) -> list[tuple[str, str]]:
    """Each failure with the id of the claim that it is about; an empty id when it is about none."""
    about = {sentence: result.claim.id for result in run.claims for sentence in failures(result)}
    return [(sentence, about.get(sentence, "")) for sentence in run.failures]


def _drawn(result: ClaimResult) -> Markup:
    """The counterexample of the claim as a figure; its text is escaped where it is drawn."""
    example = result.search.counterexample
    return _figure(example.group, result.claim, example)


@singledispatch
def _figure(group: object, claim: Claim, example: Counterexample) -> Markup:
    raise TypeError(f"a counterexample of type {type(group).__name__} cannot be drawn")


@_figure.register
def _(group: Group, claim: Claim, example: Counterexample) -> Markup:
    return Markup(figure(example, f"figure-{claim.id}"))


@_figure.register
def _(group: Rounds, claim: Claim, example: Counterexample) -> Markup:
    return Markup(_environment().get_template("rounds.html").render(chart=chart(claim, example)))


def _told(result: ClaimResult) -> tuple[str, ...]:
    return lines(result.claim, result.search.counterexample)


def _code(text: str) -> Markup:
    """Escaped; what stands between backticks is code."""
    return Markup(re.sub("`([^`]+)`", r"<code>\1</code>", str(escape(text))))


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("rebalance_proofs.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "about": about,
        "alike": alike,
        "bracketed": words.bracketed,
        "code": _code,
        "count": words.count,
        "depths": rows.depths,
        "duration": words.duration,
        "failures": failures,
        "figure": _drawn,
        "found_smallest": rows.found_smallest,
        "given": given,
        "bounds": rows.bounds,
        "rows": rows.rows,
        "size_of": size_of,
        "together": rows.together,
        "path": quote,
        "readable": names.readable,
        "size": size,
        "sizes_compared": sizes_compared,
        "smallest_compared": smallest_compared,
        "strategies": names.in_words,
        "told": _told,
    }
    environment.tests["failing"] = lambda record: bool(failures(record))
    environment.globals |= {"text_file": files.text_file, "trace_file": files.trace_file}
    kinds = {"groups": GROUPS, "joins": JOINS, "sizes": SIZES, "smallest": SMALLEST, "promises": PROMISES}
    environment.globals |= {"kinds": kinds, "compared": rows.COMPARED, "solver_time": SOLVER_TIME}
    return environment
