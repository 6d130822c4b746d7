"""Interface between the enumerator and a kind of claims."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from rebalance_proofs.model.terms.mutant import Mutant
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.results import ClaimResult
from rebalance_proofs.spark_enum.bounds import Bounds
from rebalance_proofs.spark_enum.check import Run
from rebalance_proofs.spark_enum.results import Enumerated, Finding

Found = Callable[[Run, Sequence[Claim], Bounds, str], Iterator[tuple[Finding, ...]]]
"""``found(run, claims, bounds, solver)``: yields the findings of each finished job."""


@dataclass(frozen=True)
class Kind:
    """The enumerator's part for one kind. ``claims`` are always of the kind, and at least one."""

    jobs: Callable[[Sequence[Claim], Bounds], int]
    """The number of jobs, which is also how often ``found`` yields."""
    found: Found
    """Make the checks that the claims need within the bounds, and run them.

    The checks query the solver of that name. The checks of a later job may depend on the findings of an earlier one.
    """
    against: Callable[[Claim, Enumerated, ClaimResult | None], list[str]]
    """Sentences about findings that contradict the claim.

    They contradict its expected verdict, or the solvers' results.
    """
    mistaken: Callable[[Claim, Mutant, Mapping[str, int], Sequence[int]], str | None]
    """``mistaken(claim, mutant, model, size)``: the violation in a mutant's results.

    The claim's test finds it. The mutant's terms are evaluated at a solver's model of that size, where they violate the
    guarantee. None if the test finds no violation.
    """
    compared: Callable[[Claim, Enumerated, ClaimResult], Finding | None] = lambda claim, enumerated, result: None
    """A finding that compares the enumeration with the solvers' results.

    None if there is nothing to compare.
    """
