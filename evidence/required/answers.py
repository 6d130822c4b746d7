"""Required answers of each solver: about obligations, mutants and counterexamples."""

from collections.abc import Iterable, Iterator, Sequence

from rebalance_proofs.evidence.asked import Asked
from rebalance_proofs.model.terms.values import Mutant
from rebalance_proofs.proofs.claim import Claim, Verdict
from rebalance_proofs.proofs.question import Question
from rebalance_proofs.proofs.results import ClaimResult, MutantResult
from rebalance_proofs.proofs.solvers import Outcome
from rebalance_proofs.report.evidence import Required

MONOTONE = "lemma.monotone"
"""Name of the lemma whose instances some obligations' texts have.

The lemma must be proved in addition to such an obligation.
"""


def answers(asked: Asked, results: Sequence[ClaimResult]) -> Iterator[Required]:
    """Yield the required number of answers of each solver.

    It follows from the ledger's obligations and the mutants.
    """
    found = {result.claim.id: result for result in results}
    there = [claim for claim in asked.claims if claim.id in found]
    yield Required("judged claims", len(asked.claims), len(there))
    proved = [(claim, found[claim.id]) for claim in there if claim.expected is Verdict.PROVED]
    refuted = [found[claim.id] for claim in there if claim.expected is Verdict.REFUTED]
    obligations = [(obligations_of(*pair), pair[1]) for pair in proved]
    pinned = [(claim, result, mutant) for claim, result in proved for mutant in pinned_mutants(claim)]
    yield Required(
        "killed mutants of proved claims",
        len(pinned),
        sum(any(_is(one, mutant) and one.killed for one in result.mutants) for _, result, mutant in pinned),
    )
    for solver in asked.solvers:
        yield Required(
            f"{solver}: proved obligations of proved claims (unsat)",
            sum(len(names) for names, _ in obligations),
            sum(_proved(name, result, solver) for names, result in obligations for name in names),
        )
        yield Required(
            f"{solver}: obligations checked on mutants",
            sum(len(claim.obligations) for claim, _, _ in pinned),
            sum(_tried(claim, result, mutant, solver) for claim, result, mutant in pinned),
        )
        yield Required(
            f"{solver}: mutants shown to be wrong (sat)",
            len(pinned),
            sum(
                any(_is(one, mutant) and _wrong(one, solver) for one in result.mutants) for _, result, mutant in pinned
            ),
        )
        yield Required(f"{solver}: counterexamples (sat)", len(refuted), sum(_refuted(one, solver) for one in refuted))


def pinned_mutants(claim: Claim) -> list[Mutant]:
    """Return the mutants that the claim must reject.

    They name the claim's guarantee (with or without the claim's variant), or the claim names them.
    """
    return [
        mutant
        for mutant in claim.subjects[0].mutants
        if mutant.breaks == claim.guarantee.name
        or mutant.breaks == f"{claim.guarantee.name}.{claim.variant}"
        or mutant.name in claim.notices
    ]


def obligations_of(claim: Claim, result: ClaimResult) -> list[str]:
    """Return the names of all obligations and lemmas that must be proved for the claim."""
    names = [step.name for step in (*claim.obligations, *claim.lemmas)]
    used = any(MONOTONE in step.proof.text for step in result.obligations)
    return [*names, *([MONOTONE] if used else [])]


def _said(question: Question | None, solver: str, *outcomes: Outcome) -> bool:
    answers = question.answers if question else ()
    return any(answer.solver == solver and answer.outcome in outcomes for answer in answers)


def _proved(name: str, result: ClaimResult, solver: str) -> bool:
    return any(step.name == name and _said(step.proof, solver, Outcome.UNSAT) for step in result.obligations)


def _is(found: MutantResult, mutant: Mutant) -> bool:
    return (found.name, found.sentence) == (mutant.name, mutant.sentence)


def _tried(claim: Claim, result: ClaimResult, mutant: Mutant, solver: str) -> int:
    """Return how many of the claim's obligations the solver decided for the mutant."""
    attempts = [attempt for found in result.mutants if _is(found, mutant) for attempt in found.attempts]
    names = {attempt.name for attempt in attempts if _said(attempt, solver, Outcome.SAT, Outcome.UNSAT)}
    return sum(step.name in names for step in claim.obligations)


def _wrong(found: MutantResult, solver: str) -> bool:
    return _said(found.violation, solver, Outcome.SAT)


def _refuted(result: ClaimResult, solver: str) -> bool:
    asked: Iterable[Question] = result.search.questions if result.search else ()
    return any(_said(question, solver, Outcome.SAT) for question in asked)
