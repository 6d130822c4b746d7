"""Claims about ordered consumption, as the engine sees them."""

from rebalance_proofs.proofs.kind import Kind
from rebalance_proofs.proofs.ordered.claims import claims
from rebalance_proofs.proofs.ordered.observed import observe_ordered
from rebalance_proofs.proofs.ordered.search import LookingAtListeners
from rebalance_proofs.proofs.ordered.slips import slips

ORDERED = Kind(claims, LookingAtListeners, observe_ordered, slips)
