"""Registry of the kinds of claims.

To add one: write its package, and name it here, in ``spark_enum.kinds`` and ``report.kinds``.
"""

from collections.abc import Mapping

from rebalance_proofs.proofs.allocation.kind import ALLOCATION
from rebalance_proofs.proofs.kind import Kind
from rebalance_proofs.proofs.offsets.kind import OFFSETS
from rebalance_proofs.proofs.ordered.kind import ORDERED
from rebalance_proofs.proofs.pulls.kind import PULLS
from rebalance_proofs.proofs.registry.kind import REGISTRY
from rebalance_proofs.proofs.settling.kind import SETTLING
from rebalance_proofs.proofs.subscriptions.kind import SUBSCRIPTIONS
from rebalance_proofs.proofs.transition.kind import TRANSITION

KINDS: Mapping[str, Kind] = {
    "allocation": ALLOCATION,
    "transition": TRANSITION,
    "ordered": ORDERED,
    "offsets": OFFSETS,
    "pulls": PULLS,
    "settling": SETTLING,
    "subscriptions": SUBSCRIPTIONS,
    "registry": REGISTRY,
}
"""The kinds, by the names that worlds and counterexamples use for them."""
