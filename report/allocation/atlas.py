"""Overview tables of all small allocations, with their imbalance and the cost of a consumer's join."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from rebalance_proofs.model.allocation import ALL
from rebalance_proofs.model.allocation.config import CONFIG
from rebalance_proofs.model.allocation.strategy import Strategy, queues_for
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.report.allocation.owners import Owners, owners_of
from rebalance_proofs.report.names import same, short_label
from rebalance_proofs.report.shown import NOBODY, Atlas, Heat
from rebalance_proofs.report.text.grouped import grouped

SIZE = 16
"""Largest numbers of queues and of consumers in the tables."""
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
IDS = tuple(f"c{number:02}" for number in range(SIZE))
SAID = (
    "Computed by the modelled client code; all consumers see the same lists. Queues belong to one broker and are "
    "numbered from 0; consumers are c00, c01 and so on. All are in one machine room, and hash values are MD5 values."
)
IMBALANCE = "Imbalance: largest queue count of a consumer minus the smallest"
MOVES = "Moves: the most queues that change owner when one more consumer joins, wherever its id sorts"


def atlases(claims: Iterable[Claim]) -> tuple[Atlas, ...]:
    """Return an overview table for each strategy in the claims.

    Strategies with equal results share a table.
    """
    about = {one.name: one for claim in claims for one in claim.subjects}.values()
    shipped = [known for known in ALL if known is not CONFIG and any(same(known, one) for one in about)]
    alike = grouped(shipped, _packed)
    return tuple(_atlas(tuple(own), packed) for packed, own in alike.items())


def _atlas(own: Sequence[Strategy], packed: tuple[tuple[str, ...], ...]) -> Atlas:
    title = ", ".join(dict.fromkeys(map(short_label, own)))
    names = tuple(dict.fromkeys(one.rocketmq_name for one in own))
    heats = Heat(IMBALANCE, _imbalance(own[0])), Heat(MOVES, _moves(own[0]))
    return Atlas(title, SAID, names, SIZE, SIZE, heats, packed)


@cache
def _packed(strategy: Strategy) -> tuple[tuple[str, ...], ...]:
    return tuple(
        tuple(
            "".join(NOBODY if owner is None else DIGITS[owner] for owner in owners(strategy, queues, IDS[:consumers]))
            for queues in range(1, SIZE + 1)
        )
        for consumers in range(1, SIZE + 1)
    )


@cache
def owners(strategy: Strategy, queues: int, ids: tuple[str, ...]) -> Owners:
    """Return the owner of each queue, from each consumer's own result.

    Raises ``ValueError`` for two owners.
    """
    return owners_of(strategy, queues_for((strategy,), queues), ids)


@cache
def _imbalance(strategy: Strategy) -> tuple[tuple[int, ...], ...]:
    return tuple(
        tuple(_spread(owners(strategy, queues, IDS[:consumers]), consumers) for queues in range(1, SIZE + 1))
        for consumers in range(1, SIZE + 1)
    )


def _spread(found: Owners, consumers: int) -> int:
    shares = [found.count(place) for place in range(consumers)]
    return max(shares) - min(shares)


@cache
def _moves(strategy: Strategy) -> tuple[tuple[int, ...], ...]:
    """Return rows, for 1 to SIZE - 1 consumers, of the most queues that move when one more joins.

    A row has a number for each number of queues.
    """
    return tuple(
        tuple(max(_costs(strategy, queues, consumers)) for queues in range(1, SIZE + 1)) for consumers in range(1, SIZE)
    )


def _costs(strategy: Strategy, queues: int, consumers: int) -> Iterator[int]:
    """Yield the number of queues that change owner, for each position in cidAll of a joining consumer."""
    ids = IDS[: consumers + 1]
    after = [None if place is None else ids[place] for place in owners(strategy, queues, ids)]
    for joiner in ids:
        others = tuple(client_id for client_id in ids if client_id != joiner)
        before = [None if place is None else others[place] for place in owners(strategy, queues, others)]
        yield sum(had is not None and had != has for had, has in zip(before, after, strict=True))
