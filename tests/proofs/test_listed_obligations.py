"""A proved claim depends on exactly the pinned obligations."""

from rebalance_proofs.proofs.ledger import LEDGER
from tests.pins.changes import told
from tests.pins.table import PINS


def test_every_claim_has_its_pinned_obligations():
    """That these imply the claim has to be read; a missing one is detected here."""
    pin = PINS["obligations"]
    now = pin.computed()
    assert {*pin.parts(now)} == {claim.id for claim in LEDGER if claim.holds}
    changes = told(pin, now)
    assert not changes, changes
