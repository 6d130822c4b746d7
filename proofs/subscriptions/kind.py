"""Claims about subscriptions, as the engine sees them."""

from rebalance_proofs.proofs.kind import Kind
from rebalance_proofs.proofs.subscriptions.claims import claims
from rebalance_proofs.proofs.subscriptions.observed import observe_subscriptions
from rebalance_proofs.proofs.subscriptions.search import LookingAtSubscriptions
from rebalance_proofs.proofs.subscriptions.slips import slips

SUBSCRIPTIONS = Kind(claims, LookingAtSubscriptions, observe_subscriptions, slips)
