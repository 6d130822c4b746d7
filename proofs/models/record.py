"""Record models anew: ``python -m rebalance_proofs.proofs.models.record``.

All claims that hold are judged, in one process and by the first solver alone. A model that it finds is kept where none
found before answers a question; models that answer none in a second run are left out.
"""

import asyncio
from collections.abc import Iterator, Sequence

from rebalance_proofs.proofs.claim import Claim, Verdict
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.proofs.models.evaluated import Model
from rebalance_proofs.proofs.models.known import RECORDED, Models, written
from rebalance_proofs.proofs.prove import Options, prove
from rebalance_proofs.proofs.question import Question
from rebalance_proofs.proofs.results import ClaimResult
from rebalance_proofs.proofs.solvers import SOLVERS

__all__ = ["answered", "learnt", "questions"]


def questions(result: ClaimResult) -> Iterator[Question]:
    """The questions about a claim that a model can answer."""
    for step in result.obligations:
        tests = (step.teeth.free, step.teeth.broken) if step.teeth else ()
        yield from (question for question in (step.satisfiable, *tests) if question)


def answered(results: Sequence[ClaimResult]) -> set[int]:
    """Identities of the models that answered a question about these claims without a solver."""
    asked = (question for result in results for question in questions(result))
    return {id(question.model) for question in asked if not question.answers}


def _judged(claims: Sequence[Claim], models: Models) -> list[ClaimResult]:
    return asyncio.run(prove(claims, Options(tuple(SOLVERS)[:1], jobs=1, width=False, models=models)))


def learnt(claims: Sequence[Claim]) -> dict[str, list[Model]]:
    """Models by kind and subject, each of which answers a question about these claims that those before it do not."""
    learning = Models(learning=True)
    _judged(claims, learning)
    found = learning.learnt()
    used = answered(_judged(claims, Models(lambda: found)))
    kept = {key: [model for model in some if id(model) in used] for key, some in found.items()}
    return {key: some for key, some in kept.items() if some}


if __name__ == "__main__":
    RECORDED.write_bytes(written(learnt([claim for claim in LEDGER if claim.expected is Verdict.PROVED])))
