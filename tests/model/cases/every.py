"""Every case that claims are about, with the strategies that run in it."""

from collections.abc import Sequence
from itertools import product

import pytest

from rebalance_proofs.model.allocation import Strategy
from rebalance_proofs.model.allocation.strategy import subject
from rebalance_proofs.model.premises import Premise
from rebalance_proofs.proofs import clients
from rebalance_proofs.proofs.allocation import unlisted
from rebalance_proofs.proofs.hashing import claims as hashing
from rebalance_proofs.proofs.nearby import claims as nearby

CLAIMS = tuple(claim for room in (unlisted, hashing, nearby, clients) for claim in room.claims())

CASES: dict[str, tuple[Premise, tuple[Strategy, ...]]] = {
    f"{subject(claim.strategies)}-{premise.name}": (premise, claim.strategies)
    for claim in CLAIMS
    for premise in (claim.premise, *claim.also)
}

each_case = pytest.mark.parametrize(("premise", "strategies"), CASES.values(), ids=CASES)


def small(premise: Premise, groups: int) -> list[tuple[int, int]]:
    """The sizes within the case's bound at which there are so few groups; the smallest one in any event."""
    consumers, queues = premise.bound
    sizes = product(range(1, consumers + 1), range(1, queues + 1))
    return [size for size in sizes if premise.groups(*size) <= groups or size == (1, 1)]


def all_values(premise: Premise, sizes: Sequence[tuple[int, int]]):
    """(n, q, digits) of every group of these sizes."""
    return [(n, q, values) for n, q in sizes for values in premise.all_values(n, q)]
