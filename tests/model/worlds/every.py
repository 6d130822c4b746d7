"""Every case that claims are about, with the strategies in it."""

from collections.abc import Sequence
from itertools import product

from rebalance_proofs.model.allocation import Strategy
from rebalance_proofs.model.subject import subject
from rebalance_proofs.model.worlds.groups import Groups
from rebalance_proofs.proofs.allocation import clients, nearby
from rebalance_proofs.proofs.allocation.claims import GUARANTEES
from rebalance_proofs.proofs.allocation.listed import about_unlisted_queues
from rebalance_proofs.proofs.hashing import claims as hashing
from tests.each import each

CLAIMS = (
    *about_unlisted_queues(GUARANTEES),
    *(claim for room in (hashing, nearby, clients) for claim in room.claims()),
)

CASES: dict[str, tuple[Groups, tuple[Strategy, ...]]] = {
    f"{subject(claim.subjects)}-{world.name}": (world, claim.subjects)
    for claim in CLAIMS
    for world in (claim.world, *claim.also)
}

each_case = each(("world", "strategies"), CASES.values(), ids=CASES)


def small(world: Groups, groups: int) -> list[tuple[int, int]]:
    """Sizes within the case's bound that have at most that many groups; always at least the smallest size."""
    consumers, queues = world.bound
    sizes = product(range(1, consumers + 1), range(1, queues + 1))
    return [size for size in sizes if world.groups(*size) <= groups or size == (1, 1)]


def all_values(world: Groups, sizes: Sequence[tuple[int, int]]):
    """(n, q, digits) of every group of these sizes."""
    return [(n, q, values) for n, q in sizes for values in world.all_values(n, q)]
