"""A proved claim rests on the obligations that are pinned, no fewer."""

import json

from rebalance_proofs.proofs.ledger import LEDGER
from tests.proofs.listed_obligations import FILE, listed


def test_every_claim_rests_on_what_is_pinned():
    """That these give the claim has to be read; that one of them is left out is noticed here."""
    pinned = json.loads(FILE.read_text(encoding="utf-8"))
    assert {name for claims in pinned.values() for name in claims} == {claim.id for claim in LEDGER if claim.holds}
    assert listed() == pinned
