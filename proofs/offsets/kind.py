"""Claims about offsets, as the engine sees them."""

from rebalance_proofs.proofs.kind import Kind
from rebalance_proofs.proofs.offsets.claims import claims
from rebalance_proofs.proofs.offsets.observed import observe_offsets
from rebalance_proofs.proofs.offsets.search import LookingAtOffsets
from rebalance_proofs.proofs.offsets.slips import slips

OFFSETS = Kind(claims, LookingAtOffsets, observe_offsets, slips)
