"""Settling as a kind of claim: what is compared for it, and what exploration says against one."""

from rebalance_proofs.proofs.settling.explore import END
from rebalance_proofs.proofs.settling.search import RUNS, explored
from rebalance_proofs.spark_enum.actions import compared
from rebalance_proofs.spark_enum.kind import Kind
from rebalance_proofs.spark_enum.runs import explored_against, mistaken_in
from rebalance_proofs.spark_enum.settling.kinds import WAKES
from rebalance_proofs.spark_enum.settling.steps import Steps

__all__ = ["SETTLING"]

AGAINST = explored_against(
    WAKES,
    lambda claim: explored(claim.subjects[0].encoding, claim),
    "the thread comes to the contrary",
    lambda claim: f"the thread does not come to that in {END} ticks",
)
SETTLING = Kind(jobs=lambda claims, bounds: 1, found=compared(Steps), against=AGAINST, mistaken=mistaken_in(RUNS))
