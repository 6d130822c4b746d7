"""Find and record models: ``python -m rebalance_proofs.proofs.models.record``.

All claims that hold are judged, in one process and by the first solver alone. Its model is stored if no earlier model
answers the query. Models that answer no query in a second run are dropped.
"""

import asyncio
from collections.abc import Sequence

from rebalance_proofs.proofs.claim import Claim, Verdict
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.proofs.models.evaluated import Model
from rebalance_proofs.proofs.models.known import RECORDED, Models, written
from rebalance_proofs.proofs.prove import Options, prove
from rebalance_proofs.proofs.results import ClaimResult
from rebalance_proofs.proofs.solvers import SOLVERS


def answered(results: Sequence[ClaimResult]) -> set[int]:
    """Return the object ids of the models that answered queries in these results.

    For such a query no solver ran.
    """
    steps = (step for result in results for step in result.obligations)
    return {id(question.model) for step in steps for question in step.modelled}


def _judged(claims: Sequence[Claim], models: Models) -> list[ClaimResult]:
    return asyncio.run(prove(claims, Options(tuple(SOLVERS)[:1], jobs=1, width=False, models=models)))


def learnt(claims: Sequence[Claim]) -> dict[str, list[Model]]:
    """Return models by kind of claims and subject, found by judging the claims.

    Each answers a query that no earlier model answers.
    """
    learning = Models(learning=True)
    _judged(claims, learning)
    found = learning.learnt()
    used = answered(_judged(claims, Models(lambda: found)))
    kept = {key: [model for model in some if id(model) in used] for key, some in found.items()}
    return {key: some for key, some in kept.items() if some}


if __name__ == "__main__":
    RECORDED.write_bytes(written(learnt([claim for claim in LEDGER if claim.expected is Verdict.PROVED])))
