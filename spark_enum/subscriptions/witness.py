"""Subscriptions as a kind of claim: what is compared for it, and what exploration says against one."""

from rebalance_proofs.proofs.subscriptions.explore import END
from rebalance_proofs.proofs.subscriptions.guarantees import sought
from rebalance_proofs.proofs.subscriptions.search import RUNS, explored
from rebalance_proofs.spark_enum.actions import compared
from rebalance_proofs.spark_enum.kind import Kind
from rebalance_proofs.spark_enum.runs import explored_against, mistaken_in
from rebalance_proofs.spark_enum.subscriptions.kinds import HEARTBEATS
from rebalance_proofs.spark_enum.subscriptions.steps import Steps

__all__ = ["SUBSCRIPTIONS"]

AGAINST = explored_against(
    HEARTBEATS,
    lambda claim: explored(claim.subjects[0].encoding, claim),
    "a member comes to the contrary",
    lambda claim: f"a member does not come to that in {END} ticks",
    sought,
)
SUBSCRIPTIONS = Kind(jobs=lambda claims, bounds: 1, found=compared(Steps), against=AGAINST, mistaken=mistaken_in(RUNS))
