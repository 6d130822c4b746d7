"""The page for people: one self-contained HTML file, readable from the headline down to each solver's answer."""

import re
from functools import cache
from operator import attrgetter
from urllib.parse import quote

from jinja2 import Environment
from markupsafe import Markup, escape

from rebalance_proofs.proofs.results import ClaimResult
from rebalance_proofs.report import english, files, rows
from rebalance_proofs.report.checked import size_of
from rebalance_proofs.report.failures import failures
from rebalance_proofs.report.families import by_family, family
from rebalance_proofs.report.headline import MOST, facts, headline, sizes_compared, smallest_compared
from rebalance_proofs.report.kept import kept
from rebalance_proofs.report.kinds import in_words, shown
from rebalance_proofs.report.matrix import alike, matrices
from rebalance_proofs.report.names import readable
from rebalance_proofs.report.palette import DARK, LIGHT, variables
from rebalance_proofs.report.rendering import environment
from rebalance_proofs.report.run import Run
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
        claims={kind.name: own for kind, own in by_family(run.claims, attrgetter("claim")).items()},
        guarantees={
            result.claim.guarantee.name: result.claim.guarantee
            for result in run.claims
            if not family(result.claim).spelled_out
        },
        dropped={claim.world.name: claim.world for claim in (r.claim for r in run.claims) if claim.world.dropped},
        light=variables(LIGHT),
        dark=variables(DARK),
    )


def _findings(run: Run) -> list[tuple[str, str]]:
    """Each failure with the id of the claim that it is about; an empty id when it is about none."""
    about = {sentence: result.claim.id for result in run.claims for sentence in failures(result)}
    return [(sentence, about.get(sentence, "")) for sentence in run.failures]


def _drawn(result: ClaimResult) -> Markup:
    """The counterexample of the claim; its text is escaped where it is drawn."""
    return Markup(shown(result.claim).figure(result.claim, result.search.counterexample))


def _code(text: str) -> Markup:
    """Escaped; what stands between backticks is code."""
    return Markup(re.sub("`([^`]+)`", r"<code>\1</code>", str(escape(text))))


@cache
def _environment() -> Environment:
    found = environment(escapes=True)
    found.filters |= {
        "alike": alike,
        "code": _code,
        "bounds": rows.bounds,
        "count": english.count,
        "depths": rows.depths,
        "duration": english.duration,
        "failures": failures,
        "figure": _drawn,
        "found_smallest": rows.found_smallest,
        "kept": kept,
        "path": quote,
        "readable": readable,
        "sizes_compared": sizes_compared,
        "smallest_compared": smallest_compared,
        "rows": rows.rows,
        "size_of": size_of,
        "strategies": in_words,
        "together": rows.together,
    }
    found.tests["failing"] = lambda record: bool(failures(record))
    found.globals |= {"shown": shown, "text_file": files.text_file, "trace_file": files.trace_file}
    kinds = {"groups": GROUPS, "joins": JOINS, "sizes": SIZES, "smallest": SMALLEST, "promises": PROMISES}
    found.globals |= {"kinds": kinds, "compared": rows.COMPARED, "solver_time": SOLVER_TIME}
    return found
