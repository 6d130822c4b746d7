"""The shortest way to what must not be: all states of two consumers and one message, breadth first."""

from collections.abc import Mapping
from functools import partial

from rebalance_proofs.model.offsets.encoding import OffsetsEncoding
from rebalance_proofs.proofs.breadth_first import breadth_first
from rebalance_proofs.proofs.happens import Happens, Schedule
from rebalance_proofs.proofs.offsets.brokers import Brokers
from rebalance_proofs.proofs.offsets.guarantees import Bad
from rebalance_proofs.proofs.offsets.schedule import moves
from rebalance_proofs.proofs.offsets.together import Together, packed

__all__ = ["shortest", "within"]

LIMIT = 13
"""Actions. All states of two consumers are in reach after some fifty, and there are two million of them."""
LIMIT_IN_ORDER = 14
"""The same of ordered consumers, whose first pull is one action more."""
LIMIT_IN_TURN = 17
"""The same where one of them comes after the other."""
LIMIT_ALONE = 20
"""The same where one consumer acts."""


def within(world: Brokers) -> int:
    """Of how many actions all runs are tried."""
    if world.orderly:
        return LIMIT_IN_TURN if world.in_turn else LIMIT_IN_ORDER
    return LIMIT_ALONE if world.lonely else LIMIT


def shortest(
    encoding: OffsetsEncoding, world: Brokers, bad: Mapping[str, Bad], limit: int | None = None
) -> Mapping[str, Schedule]:
    """By what is bad, the first schedule of the fewest actions after which it is so; none where there is none of so
    many actions."""
    acting = world.actions
    possible = [
        (name, said) for name, said in moves(world.way) if name in acting and world.leaves_open(name, dict(said))
    ]
    ways = [Happens(who, name, said) for name, said in possible for who in ((0,) if world.lonely else (0, 1))]
    # Where a queue is handed over, two take part, if that takes no more actions.
    best = _taking_part if world.in_turn or world.replica else _shut_down if world.stopping else None
    limit = within(world) if limit is None else limit
    return breadth_first(Together(encoding, world), partial(packed, world=world), ways, bad, limit, best)


def _shut_down(schedule: Schedule) -> int:
    """How often a consumer is shut down, which sends its offset."""
    return sum(happens.action == "shuts" for happens in schedule)


def _taking_part(schedule: Schedule) -> tuple[int, int]:
    """How many do, and how much of it is a rebalance that takes the queue away."""
    taking_away = sum(happens.action in ("marks", "revokes") for happens in schedule)
    return len({happens.who for happens in schedule}), taking_away
