"""The HTML report of a run: one self-contained file, from the verdict down to each solver's answer."""

import re
from base64 import b64encode
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from operator import attrgetter
from pathlib import Path

from jinja2 import Environment
from markupsafe import Markup, escape

from rebalance_proofs.proofs.claim import Claim, Verdict
from rebalance_proofs.proofs.question import Question
from rebalance_proofs.proofs.results import ClaimResult
from rebalance_proofs.report.behind import behind
from rebalance_proofs.report.claims.matrix import Matrix, alike, matrices
from rebalance_proofs.report.claims.played import played
from rebalance_proofs.report.claims.seen import by_mark, seen
from rebalance_proofs.report.claims.steps import TraceVariable
from rebalance_proofs.report.concerns import DIGITS, concerned, strategies
from rebalance_proofs.report.conformance import Seen
from rebalance_proofs.report.failures import enumerations, failures
from rebalance_proofs.report.kinds import by_family, family, in_words, shown
from rebalance_proofs.report.modes import MODES
from rebalance_proofs.report.names import readable
from rebalance_proofs.report.palette import DARK, LIGHT, variables
from rebalance_proofs.report.rendering import environment
from rebalance_proofs.report.results import files
from rebalance_proofs.report.results.headline import (
    MOST,
    facts,
    fails,
    headline,
    judged,
    kept,
    marked,
    queries,
    verdict,
)
from rebalance_proofs.report.results.heads import heads
from rebalance_proofs.report.results.run import Run
from rebalance_proofs.report.shown import Atlas
from rebalance_proofs.report.subjects import releases_of, suited
from rebalance_proofs.report.symptoms.answer import POSSIBLE, Known
from rebalance_proofs.report.symptoms.asked import RELEASES, whose
from rebalance_proofs.report.symptoms.cause import Symptom
from rebalance_proofs.report.symptoms.causes import Part, Role, roles
from rebalance_proofs.report.symptoms.section import anchor, known_of, sections
from rebalance_proofs.report.symptoms.todo import WORST
from rebalance_proofs.report.symptoms.words import lasts_anywhere, line, read_in
from rebalance_proofs.report.text import english
from rebalance_proofs.report.text.english import listing
from rebalance_proofs.report.text.grouped import Once, grouped

# Find the refuted claim with the worst symptom, and a fix, for the top of the HTML page.

OUTCOMES = {
    Symptom.LOST: "Messages can be lost",
    Symptom.TWICE: "Messages can be redelivered",
    Symptom.STUCK: "Consumption can stall",
    Symptom.BACK: "Offsets can roll back",
    Symptom.TILTED: "The queue distribution can be skewed",
    Symptom.OFTEN: "The group can rebalance too often",
    Symptom.START: "A group can start at an unexpected offset",
}


def consequence(claim: Claim) -> str:
    """Return the worst symptom that the refuted claim shows, with its cause, as text.

    A claim that shows no known cause is quoted instead.
    """
    role = _shows(claim)
    if role is None:
        return f"This does not hold: {readable(claim.sentence)}"
    return f"{OUTCOMES[role.effect.symptom]}: {role.cause.headline}"


def advice(claim: Claim) -> str:
    """Return what to do about the worst symptom that the claim shows; empty if no fix is known."""
    role = _shows(claim)
    every = suited(claim, role.cause.helps) if role else []
    fixes = [one for one in every if role and one.serves(role.effect.symptom)]
    return str(fixes[0].brief) if fixes else ""


def _shows(claim: Claim) -> Role | None:
    """Return the worst symptom that the claim shows, with its cause; None if it shows none."""
    found = [role for role in roles(claim.id) if role.part is Part.SHOWS]
    return min(found, key=lambda role: WORST.index(role.effect.symptom), default=None)


def worst(results: Sequence[ClaimResult]) -> list[ClaimResult]:
    """Return the claims whose counterexample can be shown step by step, the worst first.

    Unexpected results come first, then claims that fail although all assumptions hold. Among these the worse symptom
    comes first, then the claim about more releases, then the shorter trace.
    """
    found = [(key, result) for result in results if (key := _key(result)) is not None]
    return [result for _, result in sorted(found, key=lambda one: one[0])]


def _key(result: ClaimResult) -> tuple[bool, bool, int, int, int] | None:
    example = result.search.counterexample if result.search else None
    run = played(result.claim, example) if example else None
    if run is None or result.verdict is Verdict.PROVED:
        return None
    role = _shows(result.claim)
    return (
        not failures(result),
        result.claim.world.dropped,
        WORST.index(role.effect.symptom) if role else len(WORST),
        -len(releases_of(result.claim)),
        len(run.steps),
    )


# Templates of the report page, with their filters, tests and global functions.


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


# The JavaScript of the report page, concatenated from the files in script/.

FOLDER = Path(__file__).parent / "script"


@dataclass(frozen=True)
class Script:
    """The text of the script, and its hash for the content security policy."""

    text: str
    fingerprint: str
    """The hash in the notation of a content security policy: ``sha256-...``."""


@cache
def script() -> Script:
    """Return the whole script. Each file has its own block scope.

    Files share names only through ``page``.
    """
    files = sorted(FOLDER.glob("*.js"))
    blocks = "".join(f"{{\n{file.read_text(encoding='utf-8')}}}\n" for file in files)
    text = f'"use strict";\nconst page = {{}};\n{blocks}'
    return Script(text, f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}")


HEADS = "<!--heads-->"
"""Placeholder that is replaced with the explanations of column heads.

Escaped text cannot contain it.
"""


def page(run: Run) -> str:
    """Return the HTML page. The page needs no other file, so it can be sent by itself."""
    tables = matrices(run.claims)
    concerns = Once({result.claim.id: concerned(result.claim) for result in run.claims})
    symptoms = sections({result.claim.id for result in run.claims}) if run.claims else ()
    causes = [one for section in symptoms for _, group in section.groups for one in group]
    known = Once({anchor(one.cause, one.effect): known_of(one.cause, one.effect) for one in causes})
    text = (
        templates()
        .get_template("report.html")
        .render(
            run=run,
            headline=headline(run),
            verdict=verdict(run),
            facts=facts(run),
            findings=_findings(run)[:MOST],
            tables=tables,
            claims={kind.name: own for kind, own in by_family(run.claims, attrgetter("claim")).items()},
            results={result.claim.id: result for result in run.claims},
            guarantees={
                result.claim.guarantee.name: result.claim.guarantee
                for result in run.claims
                if not family(result.claim).spelled_out
            },
            dropped={claim.world.name: claim.world for claim in (r.claim for r in run.claims) if claim.world.dropped},
            worst=worst(run.claims),
            light=variables(LIGHT),
            dark=variables(DARK),
            script=script(),
            concerns=concerns,
            symptoms=symptoms,
            known=known,
            strategies_here=sorted({name for result in run.claims for name in strategies(result.claim)}),
            atlases=_atlases(run),
            seen_here=_seen(run),
            marked=marked(run) if run.claims else "",
            releases=[whose(release) for release in RELEASES],
            modes=MODES,
            data={
                "modes": len(MODES),
                "digits": DIGITS,
                "concerned": concerns.texts,
                "known": known.texts,
                "words": [one.value for one in Known],
                "possible": len(POSSIBLE),
            },
        )
    )
    return _with_heads(text, run, tables)


def _with_heads(text: str, run: Run, tables: Sequence[Matrix[ClaimResult]]) -> str:
    """Return the page with explanations of the column heads of all its tables."""
    found = heads(text, tables, _things(run))
    section = templates().get_template("heads.html").render(heads=found)
    return text.replace(HEADS, section, 1)


def _atlases(run: Run) -> list[Atlas]:
    """Return the overview tables of allocations for the run's strategies."""
    kinds = grouped((result.claim for result in run.claims), lambda claim: claim.kind)
    return [atlas for own in kinds.values() for atlas in shown(own[0]).atlases(own)]


def _seen(run: Run) -> list[tuple[str, int, Seen]]:
    """Return how recordings support the claims: (name, number of claims, evidence of the first claim).

    Claims are grouped by subjects, mark and kind of evidence.
    """
    every = ((result.claim, seen(result.claim, run.compared)) for result in run.claims)
    own = grouped(every, lambda one: (one[0].kind, one[0].subjects, one[1].mark, one[1].how))
    found = []
    for (_, subjects, _, _), claims in own.items():
        first, evidence = claims[0]
        about = listing(dict.fromkeys(shown(first).label(one) for one in subjects))
        found.append((f"{about}: {family(first).title}", len(claims), evidence))
    return found


def _things(run: Run) -> Iterator[TraceVariable]:
    """Yield the state variables of every trace on the page."""
    for result in run.claims:
        if result.search and result.search.counterexample:
            told = played(result.claim, result.search.counterexample)
            yield from (thing for party in (told.parties if told else ()) for thing in party.trace_variables)


def _findings(run: Run) -> list[tuple[str, str]]:
    """Return each failure with the id of its claim, or an empty id if the failure is about no claim."""
    about = {sentence: result.claim.id for result in run.claims for sentence in failures(result)}
    return [(sentence, about.get(sentence, "")) for sentence in run.failures]
