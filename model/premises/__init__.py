"""Assumptions about groups that a claim can drop, each with the groups that become possible.

To add one, write its file and name it in ``PREMISES``. Each file gives the groups as concrete consumers and as SMT
terms, encoded as digits (``model.worlds.groups.Groups``).
"""

from rebalance_proofs.model.premises.ids import DISTINCT_IDS, OWN_ID_LISTED, SAME_ID_ORDER
from rebalance_proofs.model.premises.same_cid_all import SAME_CID_ALL
from rebalance_proofs.model.premises.same_mq_all import SAME_MQ_ALL
from rebalance_proofs.model.premises.same_order import SAME_ORDER
from rebalance_proofs.model.premises.strategies import SAME_STRATEGY, SAME_SUBSCRIPTION
from rebalance_proofs.model.worlds.groups import Groups

__all__ = ["OWN_ID_LISTED", "PREMISES"]

PREMISES: tuple[Groups, ...] = (
    DISTINCT_IDS,
    SAME_CID_ALL,
    SAME_MQ_ALL,
    SAME_ORDER,
    SAME_ID_ORDER,
    SAME_STRATEGY,
    OWN_ID_LISTED,
    SAME_SUBSCRIPTION,
)
"""The assumptions that a claim can drop; ``AGREED`` is the world where all of them hold."""
