"""The lines about an unexpected claim: its verdict first, then contradictions, without repetition."""

from dataclasses import replace

from rebalance_proofs.proofs.claim import Verdict
from rebalance_proofs.proofs.ledger import select
from rebalance_proofs.proofs.results import ClaimResult
from rebalance_proofs.report.failures import failures

(CLAIM,) = select(["allocation.avg.disjoint"])
RIGHT = ClaimResult(CLAIM, CLAIM.expected, "")


def test_verdict_is_first_in_a_failure():
    wrong = replace(RIGHT, verdict=Verdict.DISAGREE, reason="one.", contradictions=("one.", "two.", "three."))
    assert failures(wrong) == (
        f"{CLAIM.id}: expected PROVED, is DISAGREE. one.",
        f"{CLAIM.id}: two.",
        f"{CLAIM.id}: three.",
    )


def test_contradiction_of_an_expected_verdict_is_reported():
    assert failures(RIGHT) == ()
    assert failures(replace(RIGHT, contradictions=("one.", "two."))) == (f"{CLAIM.id}: one.", f"{CLAIM.id}: two.")
    assert failures(replace(RIGHT, reason="one.", contradictions=("one.",))) == (f"{CLAIM.id}: one.",)
