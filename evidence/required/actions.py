"""Check that no proof about a state machine omits an action of the machine."""

from collections.abc import Iterator, Sequence

from rebalance_proofs.evidence.asked import Asked
from rebalance_proofs.proofs.claim import Claim, Verdict
from rebalance_proofs.proofs.machine.kind import ProvedByInduction
from rebalance_proofs.proofs.results import ClaimResult
from rebalance_proofs.report.evidence import Required

JOINED = "happens"
"""Name of an obligation about all actions at once; its sentence names each action."""


def actions(asked: Asked, results: Sequence[ClaimResult]) -> Iterator[Required]:
    """Yield the required proofs: one for each possible action, for each inductive claim.

    A claim is inductive if an invariant of a state machine proves it.
    """
    found = {result.claim.id: result for result in results}
    proved = [claim for claim in asked.claims if claim.expected is Verdict.PROVED and claim.id in found]
    pairs = [(found[claim.id], name) for claim in proved for name in declared(claim)]
    if pairs:
        there = sum(_asked(result, name) for result, name in pairs)
        yield Required("actions of machines covered by invariant proofs", len(pairs), there)


def declared(claim: Claim) -> list[str]:
    """Return the actions that the claim's assumptions permit.

    Empty if no invariant proves the claim.
    """
    if not isinstance(claim.guarantee, ProvedByInduction):
        return []
    machine = claim.guarantee.induction(claim.world).configuration.machine
    known, excluded = machine.actions.items(), claim.world.excludes
    return [name for name, action in known if action.has(claim.subjects[0]) and name not in excluded]


def _asked(result: ClaimResult, name: str) -> bool:
    return any(
        step.name == name or (step.name == JOINED and f"`{name}`" in step.sentence)
        for step in result.obligations
        if step.proved
    )
