"""The kind ``transition``: claims about the effect of a rebalance on a client's table."""

from rebalance_proofs.proofs.kind import Kind
from rebalance_proofs.proofs.transition.claims import claims
from rebalance_proofs.proofs.transition.observed import observe_transition
from rebalance_proofs.proofs.transition.search import LookingAtTables
from rebalance_proofs.proofs.transition.slips import slips

TRANSITION = Kind(claims, LookingAtTables, observe_transition, slips)
