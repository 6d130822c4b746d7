"""The page for people: one self-contained HTML file, readable from the headline down to each solver's answer."""

import re
from urllib.parse import quote

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from proofs.results import ClaimResult
from report import files, names, words
from report.caption import caption
from report.failures import failures
from report.families import Family, about, family
from report.figure import figure
from report.headline import MOST, facts, headline, sizes_compared, smallest_compared
from report.matrix import alike, in_order, matrices
from report.palette import DARK, LIGHT, variables
from report.run import Run


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
        guarantees={result.claim.guarantee.name: result.claim.guarantee for result in run.claims},
        dropped={claim.premise.name: claim.premise for claim in (r.claim for r in run.claims) if claim.premise.dropped},
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
    """The figure of the claim's counterexample; its text is escaped where it is drawn."""
    return Markup(figure(result.search.counterexample, f"figure-{result.claim.id}"))


def _code(text: str) -> Markup:
    """Escaped; what stands between backticks is code."""
    return Markup(re.sub("`([^`]+)`", r"<code>\1</code>", str(escape(text))))


def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("report"), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters |= {
        "about": about,
        "alike": alike,
        "bracketed": words.bracketed,
        "caption": caption,
        "code": _code,
        "count": words.count,
        "duration": words.duration,
        "failures": failures,
        "figure": _drawn,
        "group_size": words.group_size,
        "path": quote,
        "readable": names.readable,
        "sizes_compared": sizes_compared,
        "smallest_compared": smallest_compared,
        "strategies": names.in_words,
    }
    environment.tests["failing"] = lambda record: bool(failures(record))
    environment.globals |= {"text_file": files.text_file, "trace_file": files.trace_file}
    return environment
