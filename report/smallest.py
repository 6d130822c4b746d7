"""The smallest counterexample of a claim, found by trying every case from the smallest on; no solver is asked."""

from functools import cache, singledispatch

from rebalance_proofs.model.worlds.groups import Groups
from rebalance_proofs.proofs.allocation.search import LIMIT, first_violation, sizes_within
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.proofs.transition.scenario import Scenario
from rebalance_proofs.proofs.transition.search import plainest_violation

QUEUES = 5
"""As many queues are tried at most."""


@cache
def smallest(claim: Claim) -> Counterexample:
    """Of a group: fewest consumers first, then fewest queues; of a transition: fewest queues, then departures.

    Raises ``LookupError`` when there is none within the bounds.
    """
    return _smallest(claim.world, claim)


@singledispatch
def _smallest(world: object, claim: Claim) -> Counterexample:
    raise TypeError(f"no smallest counterexample under a premise of type {type(world).__name__}")


@_smallest.register
def _(world: Groups, claim: Claim) -> Counterexample:
    consumers, queues = (min(pair) for pair in zip(world.bound, (LIMIT, QUEUES), strict=True))
    for n, q in sizes_within((consumers, queues)):
        found = first_violation(claim.guarantee, world, claim.subjects, n, q)
        if found:
            return found
    raise LookupError(f"{claim.id}: no counterexample with up to {consumers} consumers and {queues} queues")


@_smallest.register
def _(world: Scenario, claim: Claim) -> Counterexample:
    for queues in range(1, world.most_queues + 1):
        found = plainest_violation(claim.guarantee, world, claim.subjects[0], queues)
        if found:
            return found
    raise LookupError(f"{claim.id}: no counterexample with up to {world.most_queues} queues")
