"""Registry: the enumeration for each kind of claims."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.kinds import Table
from rebalance_proofs.proofs.results import ClaimResult
from rebalance_proofs.spark_enum.bounds import Bounds
from rebalance_proofs.spark_enum.check import Run
from rebalance_proofs.spark_enum.results import Enumerated, Finding

# Interface of the enumeration for one kind of claims, such as allocation or offsets.

Found = Callable[[Run, Sequence[Claim], Bounds, str], Iterator[tuple[Finding, ...]]]
"""``found(run, claims, bounds, solver)``: run the checks, and yield the findings of each job."""


@dataclass(frozen=True)
class Kind:
    """The enumeration for one kind of claims. Its functions get at least one claim of that kind."""

    jobs: Callable[[Sequence[Claim], Bounds], int]
    """The number of Spark jobs for these claims: how often ``found`` yields."""
    found: Found
    """Run the checks that the claims need within the bounds, and yield the findings of each job.

    The checks query the solver of that name. The checks of a later job may depend on the findings of an earlier one.
    """
    against: Callable[[Claim, Enumerated, ClaimResult | None], list[str]]
    """Return sentences about findings that contradict the claim.

    They contradict its expected verdict, or the solvers' results.
    """
    compared: Callable[[Claim, Enumerated, ClaimResult], Finding | None] = lambda claim, enumerated, result: None
    """Return a finding that compares the enumeration with the solvers' results for a claim.

    None if there is nothing to compare.
    """


KINDS: Mapping[str, Kind] = Table(
    {
        "allocation": "rebalance_proofs.spark_enum.allocation.witness.ALLOCATION",
        "transition": "rebalance_proofs.spark_enum.transition.witness.TRANSITION",
        "ordered": "rebalance_proofs.spark_enum.explorer.groups.kind:ordered",
        "offsets": "rebalance_proofs.spark_enum.explorer.groups.kind:offsets",
        "pulls": "rebalance_proofs.spark_enum.machine.declared.kind:pulls",
        "settling": "rebalance_proofs.spark_enum.machine.declared.kind:settling",
        "subscriptions": "rebalance_proofs.spark_enum.machine.declared.kind:subscriptions",
        "registry": "rebalance_proofs.spark_enum.machine.declared.kind:registry",
        "receiving": "rebalance_proofs.spark_enum.machine.declared.kind:receiving",
    }
)
"""Kind of claims -> its enumeration, in the order in which they run."""
