"""The part of the ledger that is judged in every run has every feature of the ledger's claims."""

from dataclasses import replace

from rebalance_proofs.proofs.claim import Verdict
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.proofs.obligation import Obligation
from rebalance_proofs.report.kinds import family
from tests.proofs.some import NAMED, SOME, made_of, some


def test_selected_claims_have_every_feature():
    assert {*SOME} <= {*LEDGER}
    assert {claim.id for claim in SOME} >= {*NAMED}
    assert set().union(*map(made_of, SOME)) == set().union(*map(made_of, LEDGER))
    assert len(SOME) < len(LEDGER) / 2


def test_selected_claims_have_every_family_verdict_and_obligation():
    for part in (
        lambda claim: {(family(claim), claim.expected)},
        lambda claim: {step.name for step in claim.obligations if not step.name.startswith("path-")},
    ):
        assert set().union(*map(part, SOME)) == set().union(*map(part, LEDGER))


def test_new_obligation_is_selected():
    """A new obligation of any claim."""
    claim = next(claim for claim in LEDGER if claim not in SOME and claim.expected is Verdict.PROVED)
    step = Obligation("new", "Nothing.", (), lambda encoding, v: None)
    changed = replace(claim, obligations=(*claim.obligations, step))
    assert changed in some([changed if other is claim else other for other in LEDGER])
