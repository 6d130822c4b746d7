"""Required checks of each obligation: mutation test, vacuity check, lemmas at numbers."""

from collections.abc import Iterator, Sequence

from rebalance_proofs.evidence.asked import Asked
from rebalance_proofs.proofs.claim import Verdict
from rebalance_proofs.proofs.results import ClaimResult, ObligationResult
from rebalance_proofs.report.evidence import Required

NAMED = ("; Euclid's division of the named quotients", "; instances of lemma.monotone for the named products")
"""Comment lines in SMT-LIB texts, above the formulas that linearization adds."""


def steps(asked: Asked, results: Sequence[ClaimResult]) -> Iterator[Required]:
    """Yield the required number of checks, from the ledger's obligations and lemmas.

    An obligation that several claims share counts for each of them.
    """
    found = {result.claim.id: result for result in results}
    proved = [claim for claim in asked.claims if claim.expected is Verdict.PROVED and claim.id in found]
    stated = [(found[claim.id], step) for claim in proved for step in (*claim.obligations, *claim.lemmas)]
    there = [(step, _of(result, step.name)) for result, step in stated]
    yield Required("obligations with a passed mutation test", len(there), sum(_bites(one) for _, one in there))
    numbered = [one for step, one in there if not step.abstract]
    if asked.width:
        yield Required("obligations with a passed vacuity check", len(numbered), sum(_wide(one) for one in numbered))
    named = [one for _, one in there if one and any(line in one.proof.text for line in NAMED)]
    tried = sum(one.instances.tried > 0 and not one.instances.false for one in named)
    yield Required("texts with named products or quotients, evaluated with numbers", len(named), tried)


def _of(result: ClaimResult, name: str) -> ObligationResult | None:
    return next((step for step in result.obligations if step.name == name), None)


def _bites(step: ObligationResult | None) -> bool:
    return bool(step and step.teeth and step.teeth.shown)


def _wide(step: ObligationResult | None) -> bool:
    return bool(step and step.width and step.width.wide)
