"""Claims about settling, as the engine sees them."""

from rebalance_proofs.proofs.kind import Kind
from rebalance_proofs.proofs.settling.claims import claims
from rebalance_proofs.proofs.settling.observed import observe_settling
from rebalance_proofs.proofs.settling.search import LookingAtSettling
from rebalance_proofs.proofs.settling.slips import slips

SETTLING = Kind(claims, LookingAtSettling, observe_settling, slips)
