"""The kinds of claims, and how each is enumerated."""

from collections.abc import Mapping

from rebalance_proofs.spark_enum.allocation.witness import ALLOCATION
from rebalance_proofs.spark_enum.kind import Kind
from rebalance_proofs.spark_enum.offsets.witness import OFFSETS
from rebalance_proofs.spark_enum.ordered.witness import ORDERED
from rebalance_proofs.spark_enum.pulls.witness import PULLS
from rebalance_proofs.spark_enum.registry.witness import REGISTRY
from rebalance_proofs.spark_enum.settling.witness import SETTLING
from rebalance_proofs.spark_enum.subscriptions.witness import SUBSCRIPTIONS
from rebalance_proofs.spark_enum.transition.witness import TRANSITION

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
"""A claim's kind -> its enumeration; in the order in which they run."""
