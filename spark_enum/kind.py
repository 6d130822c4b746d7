"""What the enumerator does for one kind of claim."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.results import ClaimResult
from rebalance_proofs.spark_enum.bounds import Bounds
from rebalance_proofs.spark_enum.check import Run
from rebalance_proofs.spark_enum.results import Enumerated, Finding

Found = Callable[[Run, Sequence[Claim], Bounds, str], Iterator[tuple[Finding, ...]]]
"""Given how checks are run, the claims, the bounds and a solver's name: the findings of each job, when it is done."""


@dataclass(frozen=True)
class Kind:
    """A room of the enumerator; the claims are all of the kind, and there is one at least."""

    jobs: Callable[[Sequence[Claim], Bounds], int]
    """How many times ``found`` gives something."""
    found: Found
    """Makes the checks that the claims need within the bounds, asking that solver, and has them run. What a later
    job checks may depend on what an earlier one found."""
    against: Callable[[Claim, Enumerated, ClaimResult | None], list[str]]
    """What the findings say against the claim's expected verdict, or against what the solvers found: sentences."""
    mistaken: Callable[[Claim, Any, Mapping[str, int], Sequence[int]], str | None]
    """``mistaken(claim, encoding, model, size)``: what the claim's test of results says of what wrong terms do where a
    solver's model, of that size, has them break the guarantee; None when it finds nothing wrong."""
    compared: Callable[[Claim, Enumerated, ClaimResult], Finding | None] = lambda claim, enumerated, result: None
    """The findings beside what the solvers found, as a finding of its own; None where there is nothing to compare."""
