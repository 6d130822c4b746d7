"""Registration of claims about offsets with the engine."""

from functools import cache
from typing import Any

from rebalance_proofs.model.offsets.clients import OffsetsClient
from rebalance_proofs.model.offsets.mutants import SLIPS
from rebalance_proofs.model.terms.mutant import Mutant
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.kind import Kind
from rebalance_proofs.proofs.machine.kind import LookingAtMachine, timed_runs
from rebalance_proofs.proofs.machine.run import observed
from rebalance_proofs.proofs.offsets.brokers import Brokers
from rebalance_proofs.proofs.offsets.claims import claims
from rebalance_proofs.proofs.offsets.configuration import configuration
from rebalance_proofs.proofs.solvers.pool import Pool
from rebalance_proofs.proofs.timed_search import TimedRuns


def runs_of(claim: Claim) -> TimedRuns:
    """Return the functions that search for runs under the claim's assumptions."""
    return timed_runs(configuration(claim.world))


def looking(claim: Claim, pool: Pool, wrong: Mutant | None = None) -> LookingAtMachine:
    """Return the search for a counterexample to the claim.

    If ``wrong`` is given, the search is for a run in which that mutant breaks the claim.
    """
    return LookingAtMachine(runs_of(claim), claim, pool, wrong)


def observe(client: OffsetsClient) -> Any:
    """Return an encoding that runs the client's code."""
    return observed(configuration(Brokers("", (), way=client.way)), client)


@cache
def slips(right: Any) -> tuple[Mutant, ...]:
    """Return the mutants of an encoding that obligations must reject.

    They are generated, and belong to no guarantee.
    """
    return tuple(slip.mutant(right) for slip in SLIPS)


OFFSETS = Kind(claims, looking, observe, slips)
