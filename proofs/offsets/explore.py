"""The shortest way to what must not be: all states of two consumers and one message, breadth first."""

from collections.abc import Mapping

import numpy as np

from rebalance_proofs.model.offsets.actions import OffsetsEncoding
from rebalance_proofs.proofs.happens import Happens, Schedule, x_first
from rebalance_proofs.proofs.offsets.brokers import Brokers
from rebalance_proofs.proofs.offsets.guarantees import Bad
from rebalance_proofs.proofs.offsets.pair import Pair, Rows, packed
from rebalance_proofs.proofs.offsets.schedule import MOVES
from rebalance_proofs.proofs.rows import first, together

__all__ = ["shortest"]

LIMIT = 13
"""Actions. All states of two consumers are in reach after some fifty, and there are two million of them."""


def shortest(
    encoding: OffsetsEncoding, world: Brokers, bad: Mapping[str, Bad], limit: int = LIMIT
) -> Mapping[str, Schedule]:
    """By what is bad, the first schedule of the fewest actions after which it is so; none where there is none of so
    many actions."""
    pair = Pair(encoding, world)
    moves = [Happens(who, name, said) for name, said in MOVES for who in (0, 1)]
    rows = pair.start()
    seen = packed(rows)
    trail: list[Rows] = []
    schedules: dict[str, Schedule] = {}
    while len(rows) and len(trail) < limit and len(schedules) < len(bad):
        found, causes = [], []
        for number, happens in enumerate(moves):
            after, origin = pair.after(rows, happens)
            found.append(after)
            causes.append(np.column_stack([origin, np.full(len(origin), number)]))
        rows, cause = np.concatenate(found), np.concatenate(causes)
        keys = packed(rows)
        fresh = first(keys, seen)
        rows, seen = rows[fresh], together(seen, keys[fresh])
        trail.append(cause[fresh])
        for name in bad.keys() - schedules.keys():
            wrong = np.flatnonzero(pair.bad(rows, bad[name]))
            if len(wrong):
                schedules[name] = _back(moves, trail, int(wrong[0]))
    return schedules


def _back(moves: list[Happens], trail: list[Rows], at: int) -> Schedule:
    found = []
    for cause in reversed(trail):
        found.append(moves[int(cause[at][1])])
        at = int(cause[at][0])
    return x_first(found)
