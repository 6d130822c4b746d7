"""The registry as a kind of claim: what is compared for it, and what exploration says against one."""

from rebalance_proofs.proofs.registry.search import RUNS, example, explored
from rebalance_proofs.spark_enum.actions import compared
from rebalance_proofs.spark_enum.kind import Kind
from rebalance_proofs.spark_enum.registry.kinds import REGISTERS
from rebalance_proofs.spark_enum.registry.steps import Steps
from rebalance_proofs.spark_enum.runs import explored_against, mistaken_in

__all__ = ["REGISTRY"]

AGAINST = explored_against(
    REGISTERS,
    lambda claim: explored(claim.subjects[0].encoding, claim),
    "a member and a broker come to the contrary",
    lambda claim: f"member and broker do not come to that in {example(claim).end} ticks",
)
REGISTRY = Kind(jobs=lambda claims, bounds: 1, found=compared(Steps), against=AGAINST, mistaken=mistaken_in(RUNS))
