"""What is told of a claim that came out otherwise: its verdict first, then what contradicts it, and nothing twice."""

from dataclasses import replace

from rebalance_proofs.proofs.claim import Verdict
from rebalance_proofs.proofs.ledger import select
from rebalance_proofs.proofs.results import ClaimResult
from rebalance_proofs.report.failures import failures

(CLAIM,) = select(["allocation.avg.disjoint"])
RIGHT = ClaimResult(CLAIM, CLAIM.expected, "")


def test_the_verdict_comes_first():
    wrong = replace(RIGHT, verdict=Verdict.DISAGREE, reason="one.", contradictions=("one.", "two.", "three."))
    assert failures(wrong) == (
        f"{CLAIM.id}: expected PROVED, is DISAGREE. one.",
        f"{CLAIM.id}: two.",
        f"{CLAIM.id}: three.",
    )


def test_what_contradicts_a_verdict_as_expected_is_told():
    assert failures(RIGHT) == ()
    assert failures(replace(RIGHT, contradictions=("one.", "two."))) == (f"{CLAIM.id}: one.", f"{CLAIM.id}: two.")
    assert failures(replace(RIGHT, reason="one.", contradictions=("one.",))) == (f"{CLAIM.id}: one.",)
