"""Claims about pull requests, as the engine sees them."""

from rebalance_proofs.proofs.kind import Kind
from rebalance_proofs.proofs.pulls.claims import claims
from rebalance_proofs.proofs.pulls.observed import observe_pulls
from rebalance_proofs.proofs.pulls.search import LookingAtPulls
from rebalance_proofs.proofs.pulls.slips import slips

PULLS = Kind(claims, LookingAtPulls, observe_pulls, slips)
