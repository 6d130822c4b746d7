"""Find the refuted claim with the worst symptom, and a fix, for the top of the HTML page."""

from collections.abc import Sequence

from rebalance_proofs.proofs.claim import Claim, Verdict
from rebalance_proofs.proofs.results import ClaimResult
from rebalance_proofs.report.failures import failures
from rebalance_proofs.report.names import readable
from rebalance_proofs.report.played import played
from rebalance_proofs.report.subjects import releases_of, suited
from rebalance_proofs.report.symptoms.cause import Symptom
from rebalance_proofs.report.symptoms.of_claims import Part, Role, roles
from rebalance_proofs.report.symptoms.todo import WORST

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
