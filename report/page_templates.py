"""Templates of the report page, with their filters, tests and global functions."""

import re
from collections.abc import Callable
from functools import cache

from jinja2 import Environment
from markupsafe import Markup, escape

from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.question import Question
from rebalance_proofs.proofs.results import ClaimResult
from rebalance_proofs.report import english, files
from rebalance_proofs.report.behind import behind
from rebalance_proofs.report.checked import enumerations
from rebalance_proofs.report.concerns import strategies
from rebalance_proofs.report.failures import failures
from rebalance_proofs.report.headline import fails, judged, queries
from rebalance_proofs.report.kept import kept
from rebalance_proofs.report.kinds import in_words, shown
from rebalance_proofs.report.matrix import alike
from rebalance_proofs.report.names import readable
from rebalance_proofs.report.played import played
from rebalance_proofs.report.rendering import environment
from rebalance_proofs.report.seen import by_mark, seen
from rebalance_proofs.report.symptoms.of_claims import roles
from rebalance_proofs.report.symptoms.section import anchor
from rebalance_proofs.report.symptoms.words import lasts_anywhere, line, read_in
from rebalance_proofs.report.worst import advice, consequence


def _drawn(result: ClaimResult) -> Markup:
    """Return the figure of the claim's counterexample as escaped markup.

    Empty if its kind has no figures.
    """
    figure = shown(result.claim).figure
    example = result.search.counterexample if result.search else None
    return Markup(figure(result.claim, example) if figure and example else "")


def _code(text: str) -> Markup:
    """Return the text as escaped markup, with text between backticks as code."""
    return Markup(re.sub("`([^`]+)`", r"<code>\1</code>", str(escape(text))))


def _stems(result: ClaimResult) -> Callable[[Question], str]:
    """Return a function from a solver query to the stem of its file, which is in the folder ``files.texts``."""
    path = files.path_of(result)
    return lambda question: path(question).rpartition("/")[2].removesuffix(".smt2")


def _read_on(claim: Claim) -> dict[str, list[str]]:
    """Return source file -> parts of the claim in it, for its guarantee and client code."""
    found = behind(claim)
    parts = ("the guarantee", "the code")
    return {part: own for part in parts if (own := [file for file, what in found.items() if part in what])}


@cache
def templates() -> Environment:
    """Return the template environment. An undefined name in a template is an error."""
    found = environment(escapes=True)
    found.filters |= {
        "alike": alike,
        "code": _code,
        "count": english.count,
        "duration": english.duration,
        "queries": queries,
        "failures": failures,
        "figure": _drawn,
        "kept": kept,
        "readable": readable,
        "strategies": in_words,
    }
    found.filters |= {name: called for one in enumerations() for name, called in one.filters.items()}
    found.tests["failing"] = lambda record: bool(failures(record))
    found.globals |= {"shown": shown, "stems_of": _stems, "texts_of": files.texts, "trace_file": files.trace_file}
    found.globals |= {
        "played": played,
        "read_on": _read_on,
        "roles": roles,
        "anchor": anchor,
        "strategies_of": strategies,
        "seen": seen,
        "by_mark": by_mark,
    }
    found.globals |= {"judged": judged, "lasts": lasts_anywhere, "read_in": read_in, "log_line": line}
    found.globals |= {"advice": advice, "fails": fails, "consequence": consequence}
    found.globals["enumerations"] = enumerations()
    return found
