"""Claims about a broker's registry, as the engine sees them."""

from rebalance_proofs.proofs.kind import Kind
from rebalance_proofs.proofs.registry.claims import claims
from rebalance_proofs.proofs.registry.observed import observe_registry
from rebalance_proofs.proofs.registry.search import LookingAtRegistry
from rebalance_proofs.proofs.registry.slips import slips

REGISTRY = Kind(claims, LookingAtRegistry, observe_registry, slips)
