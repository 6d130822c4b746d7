"""Claims about the broker's assignment: each strategy of the broker with each guarantee."""

from collections.abc import Iterator

import rebalance_proofs.proofs.assignment.observed  # noqa: F401  (registers how to run the broker's code)
from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.allocation.averagely_by_circle import AVERAGELY_BY_CIRCLE
from rebalance_proofs.model.allocation.strategy import Strategy
from rebalance_proofs.model.assignment import STRATEGIES, pulled
from rebalance_proofs.model.worlds.assignments import ALL_MODES, JOINED, MIXED, MIXED_STRATEGIES, POPS, UNLISTED
from rebalance_proofs.model.worlds.groups import Groups
from rebalance_proofs.proofs.allocation.stated import stated
from rebalance_proofs.proofs.assignment import changes, readers
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.guarantee import Guarantee

ROOM = "assignment"
ANY_SHARE = "for all numbers of queues, members and popShareQueueNum"

GUARANTEES: tuple[tuple[Guarantee, Groups, str | None], ...] = (
    (readers.COVERS, POPS, None),
    (readers.SHARED, POPS, None),
    (readers.EVERYONE, POPS, None),
    (readers.FEW, POPS, None),
    (readers.EXACT, POPS, None),
    (readers.BACKED_UP, POPS, None),
    (readers.BALANCED, POPS, None),
    (readers.WINDOW, POPS, None),
    (readers.ONE_QUEUE, POPS, None),
    (changes.STILL, JOINED, None),
    (changes.NO_FEWER, JOINED, None),
    (changes.MONOTONE, JOINED, None),
    (changes.MIXED_COVERS, MIXED, "mixed"),
    (changes.PULLED_ONCE, MIXED, "mixed"),
    (changes.UNMIXED, MIXED, "mixed"),
    (changes.LISTED, UNLISTED, None),
    (changes.UNLISTED_IDLE, UNLISTED, None),
    (changes.RETRY, ALL_MODES, None),
    (changes.EMPTY, POPS, None),
)
"""Guarantees, each with the assumptions of its claims and the end of their ids."""

PULLS = (AVERAGELY, AVERAGELY_BY_CIRCLE)
"""Strategies by which members pull that do not ask the broker."""


def claims(strategies: tuple[Strategy, ...] = STRATEGIES) -> tuple[Claim, ...]:
    """Return all claims about the broker's assignment, in the order of the ledger."""
    return tuple(_claims(strategies))


def _claims(strategies: tuple[Strategy, ...]) -> Iterator[Claim]:
    for strategy in strategies:
        for guarantee, world, variant in GUARANTEES:
            holds = guarantee.name in strategy.holds
            yield stated(ROOM, (strategy,), guarantee, world, holds=holds, scope=ANY_SHARE, variant=variant)
    for pops in strategies:
        for pulls in PULLS:
            if pulls is not pulled(pops):
                yield stated(ROOM, (pops, pulls), readers.COVERS, MIXED_STRATEGIES, holds=False)
