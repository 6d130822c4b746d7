"""Registry of the kinds of claims.

To add a kind, write its package, and name it here, in ``spark_enum.kinds`` and ``report.kinds``.
"""

from collections.abc import Mapping

from rebalance_proofs.proofs.kind import Kind
from rebalance_proofs.proofs.table import Table

KINDS: Mapping[str, Kind] = Table(
    {
        "allocation": "rebalance_proofs.proofs.allocation.kind.ALLOCATION",
        "transition": "rebalance_proofs.proofs.transition.kind.TRANSITION",
        "ordered": "rebalance_proofs.proofs.machine.declared.kind:ordered",
        "offsets": "rebalance_proofs.proofs.machine.declared.kind:offsets",
        "pulls": "rebalance_proofs.proofs.machine.declared.kind:pulls",
        "settling": "rebalance_proofs.proofs.machine.declared.kind:settling",
        "subscriptions": "rebalance_proofs.proofs.machine.declared.kind:subscriptions",
        "registry": "rebalance_proofs.proofs.machine.declared.kind:registry",
    }
)
"""Name of a kind -> the kind (``proofs.kind.Kind``).

Claims, counterexamples and reports refer to kinds by these names.
"""

ROOMS: Mapping[str, str] = {
    "allocation": "allocation",
    **dict.fromkeys(("movement", "growth", "joins", "topics", "clients", "code"), "allocation"),
    **{kind: kind for kind in KINDS},
}
"""First part of an id -> the name of the kind of all claims whose ids begin with it.

The ledger lists claims in this order.
"""
