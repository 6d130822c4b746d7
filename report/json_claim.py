"""One claim in results.json. schema/results.schema.json describes every field."""

from collections.abc import Callable, Mapping
from typing import Any

from rebalance_proofs.documents import Judgement
from rebalance_proofs.proofs.certified.found import Share
from rebalance_proofs.proofs.mutation.result import MutationTest
from rebalance_proofs.proofs.question import Question
from rebalance_proofs.proofs.results import ClaimResult, Counterexample, MutantResult, ObligationResult, Search
from rebalance_proofs.proofs.vacuity.goals import VacuityCheck
from rebalance_proofs.recorded.compared import Compared
from rebalance_proofs.report.claims.seen import seen
from rebalance_proofs.report.conformance import Seen
from rebalance_proofs.report.failures import failures
from rebalance_proofs.report.kinds import shown
from rebalance_proofs.report.names import readable
from rebalance_proofs.report.results import files

Path = Callable[[Question], str]
"""Type of a function that returns the path of a solver query's file in the run directory."""


def claim(result: ClaimResult, found: Compared | None = None, share: Share | None = None) -> Judgement:
    """Return the claim with all its results as dicts and lists for JSON.

    ``found`` has the numbers of recorded results that the run compared; None if the run compared none. ``share`` has
    the certificates of the claim's obligations; None if the run made none of this claim.
    """
    stated, kind = result.claim, shown(result.claim)
    path = files.path_of(result)
    example = result.search.counterexample if result.search else None
    told: Judgement = {
        "id": stated.id,
        "sentence": readable(stated.sentence),
        "assumes": [*stated.assumes, *stated.where, *stated.covers],
        "where": list(stated.where),
        "covers": list(stated.covers),
        "about": kind.about(stated),
        "given": kind.given(stated),
        "family": kind.family(stated).name,
        "strategies": [strategy.name for strategy in stated.subjects],
        "guarantee": stated.guarantee.name,
        "dropped_premise": stated.world.name if stated.world.dropped else None,
        "expected": str(stated.expected),
        "verdict": str(result.verdict),
        "green": not failures(result),
        "reason": result.reason,
        "contradictions": list(result.contradictions),
        "scope": stated.scope,
        "source": stated.source,
        "seen": _seen(seen(stated, found)),
        "seconds": result.seconds,
        "obligations": [_obligation(path, step) for step in result.obligations],
        "mutants": [_mutant(path, mutant) for mutant in result.mutants],
        "search": _search(path, result.search) if result.search else None,
        "counterexample": _counterexample(result, example) if example else None,
    }
    if share:
        told["certified"] = _certified(share)
    return told


def _certified(share: Share) -> dict[str, Any]:
    return {
        "obligations": share.obligations,
        "tried": share.tried,
        "certified": share.certified,
        "uncertified": [{"obligation": name, "reason": why} for name, why in share.uncertified.items()],
    }


def _seen(found: Seen) -> dict[str, Any]:
    return {
        "mark": found.mark.value,
        "cases": found.cases,
        "how": str(found.how),
        "results": found.results,
        "without": list(found.without),
        "shows": [vars(one) | {"recordings": list(one.recordings)} for one in found.shows],
        "events": found.events,
        "releases": list(found.releases),
        "same_as": found.same_as,
        "why": found.why,
    }


def _question(path: Path, question: Question) -> dict[str, Any]:
    return {
        "name": question.name,
        "file": path(question) if question.answers else None,
        "model": None if question.model is None else _model(question.model),
        "answers": [
            {
                "solver": answer.solver,
                "outcome": str(answer.outcome),
                "seconds": answer.seconds,
                "reason": answer.reason,
                "model": _model(answer.model),
                "kept": answer.kept,
            }
            for answer in question.answers
        ],
    }


def _model(model: Mapping[str, int]) -> dict[str, int | str]:
    return {name: _number(value) for name, value in model.items()}


def _number(value: int) -> int | str:
    """Return the number; its digits as text above 53 bits, where JSON readers would round it."""
    return value if abs(value) < 2**53 else str(value)


def _obligation(path: Path, step: ObligationResult) -> dict[str, Any]:
    return {
        "name": step.name,
        "sentence": step.sentence,
        "proved": step.proved,
        "proof": _question(path, step.proof),
        "premises": _question(path, step.satisfiable) if step.satisfiable else None,
        "premises_replay": step.replays,
        "instances": {"tried": step.instances.tried, "false": step.instances.false},
        "teeth": _teeth(path, step.teeth) if step.teeth else None,
        "width": _width(path, step.width) if step.width else None,
        "variants": step.variants,
        "unproved": [_question(path, question) for question in step.unproved],
    }


def _teeth(path: Path, found: MutationTest) -> dict[str, Any]:
    return {
        "kind": str(found.bite),
        "shown": found.shown,
        "noticed": found.noticed,
        "reason": found.reason,
        "free": _question(path, found.free),
        "broken": _question(path, found.broken) if found.broken else None,
    }


def _width(path: Path, found: VacuityCheck) -> dict[str, Any]:
    return {
        "wide": found.wide,
        "met": list(found.met),
        "excluded": dict(found.excluded),
        "open": list(found.open),
        "sizes": [{name: _number(value) for name, value in size.items()} for size in found.sizes],
        "question": _question(path, found.question),
    }


def _mutant(path: Path, mutant: MutantResult) -> dict[str, Any]:
    return {
        "name": mutant.name,
        "sentence": mutant.sentence,
        "killed": mutant.killed,
        "noticed_by": list(mutant.noticed_by),
        "attempts": [_question(path, attempt) for attempt in mutant.attempts],
        "violation": _question(path, mutant.violation) if mutant.violation else None,
    }


def _search(path: Path, search: Search) -> dict[str, Any]:
    return {
        "limit": search.limit,
        "minimal": search.minimal,
        "replays": search.replays,
        "questions": [_question(path, question) for question in search.questions],
    }


def _counterexample(result: ClaimResult, example: Counterexample) -> dict[str, Any]:
    return {"file": files.trace_file(result)} | shown(result.claim).document(result.claim, example)
