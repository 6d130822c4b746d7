"""The page for people: one self-contained HTML file, readable from the headline down to each solver's answer."""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from operator import attrgetter

from jinja2 import Environment
from markupsafe import Markup, escape

from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.question import Question
from rebalance_proofs.proofs.results import ClaimResult
from rebalance_proofs.report import english, files, rows
from rebalance_proofs.report.atlas import Atlas
from rebalance_proofs.report.behind import behind
from rebalance_proofs.report.checked import size_of
from rebalance_proofs.report.concerns import DIGITS, Concerned, strategies
from rebalance_proofs.report.failures import failures
from rebalance_proofs.report.families import by_family, family
from rebalance_proofs.report.grouped import grouped
from rebalance_proofs.report.headline import MOST, facts, headline, judged, sizes_compared, smallest_compared
from rebalance_proofs.report.heads import heads
from rebalance_proofs.report.kept import kept
from rebalance_proofs.report.kinds import in_words, shown
from rebalance_proofs.report.matrix import Matrix, alike, matrices
from rebalance_proofs.report.names import readable
from rebalance_proofs.report.palette import DARK, LIGHT, variables
from rebalance_proofs.report.played import played
from rebalance_proofs.report.rendering import environment
from rebalance_proofs.report.run import Run
from rebalance_proofs.report.scripts import script
from rebalance_proofs.report.symptoms.answer import POSSIBLE, Known
from rebalance_proofs.report.symptoms.asked import MODES, RELEASES, whose
from rebalance_proofs.report.symptoms.of_claims import roles
from rebalance_proofs.report.symptoms.section import anchor, known_of, sections
from rebalance_proofs.report.symptoms.words import lasts_anywhere, line, read_in
from rebalance_proofs.report.things import Thing
from rebalance_proofs.spark_enum.allocation.kinds import GROUPS, JOINS, SIZES, SMALLEST, SOLVER_TIME
from rebalance_proofs.spark_enum.transition.kinds import PROMISES

HEADS = "<!--heads-->"
"""Where they are explained. Text that the page is told has no such thing: it is escaped."""


def page(run: Run) -> str:
    """The whole file. It loads nothing and links to no other file, so that it can be sent by itself."""
    tables = matrices(run.claims)
    concerned = Concerned(result.claim for result in run.claims)
    symptoms = sections({result.claim.id for result in run.claims}) if run.claims else ()
    known = {
        anchor(one.cause, one.effect): known_of(one.cause, one.effect)
        for section in symptoms
        for _, group in section.groups
        for one in group
    }
    alike_known = tuple(dict.fromkeys(known.values()))
    text = (
        _environment()
        .get_template("report.html")
        .render(
            run=run,
            headline=headline(run),
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
            light=variables(LIGHT),
            dark=variables(DARK),
            script=script(),
            concerned=concerned,
            symptoms=symptoms,
            known_numbers={name: alike_known.index(said) for name, said in known.items()},
            strategies_here=sorted({name for result in run.claims for name in strategies(result.claim)}),
            atlases=_atlases(run),
            releases=[whose(release) for release in RELEASES],
            modes=MODES,
            data={
                "modes": len(MODES),
                "digits": DIGITS,
                "concerned": concerned.known,
                "known": alike_known,
                "words": [one.value for one in Known],
                "possible": len(POSSIBLE),
            },
        )
    )
    return _with_heads(text, run, tables)


def _with_heads(text: str, run: Run, tables: Sequence[Matrix[ClaimResult]]) -> str:
    """The heads of its columns are explained once all tables stand there."""
    found = heads(text, tables, _things(run))
    section = _environment().get_template("heads.html").render(heads=found)
    return text.replace(HEADS, section, 1)


def _atlases(run: Run) -> list[Atlas]:
    """Kind by kind."""
    kinds = grouped((result.claim for result in run.claims), lambda claim: claim.kind)
    return [atlas for own in kinds.values() for atlas in shown(own[0]).atlases(own)]


def _things(run: Run) -> Iterator[Thing]:
    for result in run.claims:
        if result.search and result.search.counterexample:
            told = played(result.claim, result.search.counterexample)
            yield from (thing for party in (told.parties if told else ()) for thing in party.things)


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


def _stems(result: ClaimResult) -> Callable[[Question], str]:
    """Names of the files of the claim's questions, which lie where ``files.texts`` says."""
    found = {id(file.question): file.path for file in files.text_files(result)}
    return lambda question: found[id(question)].rpartition("/")[2].removesuffix(".smt2")


def _read_on(claim: Claim) -> dict[str, list[str]]:
    """The files in which what a claim promises is written down, and the client's code that it is about."""
    found = behind(claim)
    parts = ("the guarantee", "the code")
    return {part: own for part in parts if (own := [file for file, what in found.items() if part in what])}


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
        "readable": readable,
        "sizes_compared": sizes_compared,
        "smallest_compared": smallest_compared,
        "rows": rows.rows,
        "size_of": size_of,
        "strategies": in_words,
        "together": rows.together,
    }
    found.tests["failing"] = lambda record: bool(failures(record))
    found.globals |= {"shown": shown, "stems_of": _stems, "texts_of": files.texts, "trace_file": files.trace_file}
    found.globals |= {
        "played": played,
        "read_on": _read_on,
        "roles": roles,
        "anchor": anchor,
        "strategies_of": strategies,
    }
    found.globals |= {"judged": judged, "lasts": lasts_anywhere, "read_in": read_in, "log_line": line}
    kinds = {"groups": GROUPS, "joins": JOINS, "sizes": SIZES, "smallest": SMALLEST, "promises": PROMISES}
    found.globals |= {"kinds": kinds, "compared": rows.COMPARED, "solver_time": SOLVER_TIME}
    return found
