"""One claim of results.json; every field is described in schema/results.schema.json."""

from collections.abc import Mapping
from typing import Any

from rebalance_proofs.proofs.mutation.result import MutationTest
from rebalance_proofs.proofs.question import Question
from rebalance_proofs.proofs.results import ClaimResult, Counterexample, MutantResult, ObligationResult, Search
from rebalance_proofs.proofs.vacuity.result import VacuityCheck
from rebalance_proofs.recorded.compared import Compared
from rebalance_proofs.report import files
from rebalance_proofs.report.failures import failures
from rebalance_proofs.report.kinds import shown
from rebalance_proofs.report.names import readable
from rebalance_proofs.report.seen import Seen, seen


def claim(result: ClaimResult, found: Compared | None = None) -> dict[str, Any]:
    """The claim with all its results; ``found``: the recorded results that the run compared, if it did."""
    stated, kind = result.claim, shown(result.claim)
    example = result.search.counterexample if result.search else None
    return {
        "id": stated.id,
        "sentence": readable(stated.sentence),
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
        "obligations": [_obligation(result, step) for step in result.obligations],
        "mutants": [_mutant(result, mutant) for mutant in result.mutants],
        "search": _search(result, result.search) if result.search else None,
        "counterexample": _counterexample(result, example) if example else None,
    }


def _seen(found: Seen) -> dict[str, Any]:
    return {"mark": str(found.mark), "results": found.results, "without": list(found.without)}


def _question(result: ClaimResult, question: Question) -> dict[str, Any]:
    return {
        "name": question.name,
        "file": files.text_file(result, question) if question.answers else None,
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
    """The number as it is if readers of JSON keep it exact (53 bits), else its digits as text."""
    return value if abs(value) < 2**53 else str(value)


def _obligation(result: ClaimResult, step: ObligationResult) -> dict[str, Any]:
    return {
        "name": step.name,
        "sentence": step.sentence,
        "proved": step.proved,
        "proof": _question(result, step.proof),
        "premises": _question(result, step.satisfiable) if step.satisfiable else None,
        "premises_replay": step.replays,
        "instances": {"tried": step.instances.tried, "false": step.instances.false},
        "teeth": _teeth(result, step.teeth) if step.teeth else None,
        "width": _width(result, step.width) if step.width else None,
        "variants": step.variants,
        "unproved": [_question(result, question) for question in step.unproved],
    }


def _teeth(result: ClaimResult, found: MutationTest) -> dict[str, Any]:
    return {
        "kind": str(found.bite),
        "shown": found.shown,
        "noticed": found.noticed,
        "reason": found.reason,
        "free": _question(result, found.free),
        "broken": _question(result, found.broken) if found.broken else None,
    }


def _width(result: ClaimResult, found: VacuityCheck) -> dict[str, Any]:
    return {
        "wide": found.wide,
        "met": list(found.met),
        "excluded": dict(found.excluded),
        "open": list(found.open),
        "sizes": [{name: _number(value) for name, value in size.items()} for size in found.sizes],
        "question": _question(result, found.question),
    }


def _mutant(result: ClaimResult, mutant: MutantResult) -> dict[str, Any]:
    return {
        "name": mutant.name,
        "sentence": mutant.sentence,
        "killed": mutant.killed,
        "noticed_by": list(mutant.noticed_by),
        "attempts": [_question(result, attempt) for attempt in mutant.attempts],
        "violation": _question(result, mutant.violation) if mutant.violation else None,
    }


def _search(result: ClaimResult, search: Search) -> dict[str, Any]:
    return {
        "limit": search.limit,
        "minimal": search.minimal,
        "replays": search.replays,
        "questions": [_question(result, question) for question in search.questions],
    }


def _counterexample(result: ClaimResult, example: Counterexample) -> dict[str, Any]:
    return {"file": files.trace_file(result)} | shown(result.claim).document(result.claim, example)
