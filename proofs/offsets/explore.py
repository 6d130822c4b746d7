"""The shortest way to what must not be: all states of two consumers and one message, breadth first."""

from collections.abc import Mapping

import numpy as np

from rebalance_proofs.model.offsets.encoding import OffsetsEncoding
from rebalance_proofs.proofs.happens import Happens, Schedule, x_first
from rebalance_proofs.proofs.offsets.brokers import Brokers
from rebalance_proofs.proofs.offsets.guarantees import Bad
from rebalance_proofs.proofs.offsets.pair import Pair, Rows, packed
from rebalance_proofs.proofs.offsets.schedule import moves
from rebalance_proofs.proofs.rows import first, together

__all__ = ["shortest", "within"]

LIMIT = 13
"""Actions. All states of two consumers are in reach after some fifty, and there are two million of them."""
LIMIT_IN_ORDER = 14
"""The same of ordered consumers, whose first pull is one action more."""
LIMIT_IN_TURN = 17
"""The same where one of them comes after the other."""


def within(world: Brokers) -> int:
    """Of how many actions all runs are tried."""
    return LIMIT_IN_TURN if world.in_turn else LIMIT_IN_ORDER if world.orderly else LIMIT


def shortest(
    encoding: OffsetsEncoding, world: Brokers, bad: Mapping[str, Bad], limit: int | None = None
) -> Mapping[str, Schedule]:
    """By what is bad, the first schedule of the fewest actions after which it is so; none where there is none of so
    many actions."""
    pair = Pair(encoding, world)
    limit = within(world) if limit is None else limit
    possible = [(name, said) for name, said in moves(world.orderly) if name in world.actions]
    ways = [Happens(who, name, said) for name, said in possible for who in (0, 1)]
    rows = pair.start()
    seen = packed(rows, world.orderly)
    trail: list[Rows] = []
    schedules: dict[str, Schedule] = {}
    while len(rows) and len(trail) < limit and len(schedules) < len(bad):
        found, causes = [], []
        for number, happens in enumerate(ways):
            after, origin = pair.after(rows, happens)
            found.append(after)
            causes.append(np.column_stack([origin, np.full(len(origin), number)]))
        rows, cause = np.concatenate(found), np.concatenate(causes)
        keys = packed(rows, world.orderly)
        fresh = first(keys, seen)
        rows, seen = rows[fresh], together(seen, keys[fresh])
        trail.append(cause[fresh])
        for name in bad.keys() - schedules.keys():
            wrong = np.flatnonzero(pair.bad(rows, bad[name]))
            if len(wrong):
                # Where a queue is handed over, two take part, if that takes no more actions.
                tried = (_back(ways, trail, int(at)) for at in (wrong if world.in_turn else wrong[:1]))
                schedules[name] = max(tried, key=_taking_part)
    return schedules


def _taking_part(schedule: Schedule) -> tuple[int, int]:
    """How many do, and how much of it is a rebalance that takes the queue away."""
    taking_away = sum(happens.action in ("marks", "revokes") for happens in schedule)
    return len({happens.who for happens in schedule}), taking_away


def _back(ways: list[Happens], trail: list[Rows], at: int) -> Schedule:
    found = []
    for cause in reversed(trail):
        found.append(ways[int(cause[at][1])])
        at = int(cause[at][0])
    return x_first(found)
