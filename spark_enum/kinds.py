"""Registry: the enumeration for each kind of claims."""

from collections.abc import Mapping

from rebalance_proofs.proofs.table import Table
from rebalance_proofs.spark_enum.kind import Kind

KINDS: Mapping[str, Kind] = Table(
    {
        "allocation": "rebalance_proofs.spark_enum.allocation.witness.ALLOCATION",
        "transition": "rebalance_proofs.spark_enum.transition.witness.TRANSITION",
        "ordered": "rebalance_proofs.spark_enum.ordered.witness.ORDERED",
        "offsets": "rebalance_proofs.spark_enum.offsets.witness.OFFSETS",
        "pulls": "rebalance_proofs.spark_enum.machine.declared.kind:pulls",
        "settling": "rebalance_proofs.spark_enum.machine.declared.kind:settling",
        "subscriptions": "rebalance_proofs.spark_enum.subscriptions.witness.SUBSCRIPTIONS",
        "registry": "rebalance_proofs.spark_enum.registry.witness.REGISTRY",
    }
)
"""Kind of claims -> its enumeration, in the order in which they run."""
