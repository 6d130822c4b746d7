"""A proved claim depends on exactly the pinned obligations."""

import json

from rebalance_proofs.proofs.ledger import LEDGER
from tests.proofs.listed_obligations import FILE, listed


def test_every_claim_has_its_pinned_obligations():
    """That these imply the claim has to be read; a missing one is detected here."""
    pinned = json.loads(FILE.read_text(encoding="utf-8"))
    assert {name for claims in pinned.values() for name in claims} == {claim.id for claim in LEDGER if claim.holds}
    assert listed() == pinned
