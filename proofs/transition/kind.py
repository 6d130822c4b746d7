"""The kind ``transition``: claims about what a rebalance does to a client's table, as the engine uses them."""

from rebalance_proofs.proofs.kind import Kind
from rebalance_proofs.proofs.transition.claims import claims
from rebalance_proofs.proofs.transition.observed import observe_transition
from rebalance_proofs.proofs.transition.search import LookingAtTables
from rebalance_proofs.proofs.transition.slips import slips

TRANSITION = Kind(claims, LookingAtTables, observe_transition, slips)
