"""The HTML report of a run: one self-contained file, from the verdict down to each solver's answer."""

from collections.abc import Iterator, Sequence
from operator import attrgetter

from rebalance_proofs.proofs.results import ClaimResult
from rebalance_proofs.report.atlas import Atlas
from rebalance_proofs.report.concerns import DIGITS, concerned, strategies
from rebalance_proofs.report.conformance import Seen
from rebalance_proofs.report.english import listing
from rebalance_proofs.report.failures import failures
from rebalance_proofs.report.families import by_family, family
from rebalance_proofs.report.grouped import grouped
from rebalance_proofs.report.headline import MOST, facts, headline, marked, verdict
from rebalance_proofs.report.heads import heads
from rebalance_proofs.report.kinds import shown
from rebalance_proofs.report.matrix import Matrix, matrices
from rebalance_proofs.report.modes import MODES
from rebalance_proofs.report.once import Once
from rebalance_proofs.report.page_templates import templates
from rebalance_proofs.report.palette import DARK, LIGHT, variables
from rebalance_proofs.report.played import played
from rebalance_proofs.report.run import Run
from rebalance_proofs.report.scripts import script
from rebalance_proofs.report.seen import seen
from rebalance_proofs.report.symptoms.answer import POSSIBLE, Known
from rebalance_proofs.report.symptoms.asked import RELEASES, whose
from rebalance_proofs.report.symptoms.section import anchor, known_of, sections
from rebalance_proofs.report.trace_variables import TraceVariable
from rebalance_proofs.report.worst import worst

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
