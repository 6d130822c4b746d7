"""States of one member at one broker, in ticks, from which all that can happen is compared.

What is at a limit, and a tick behind it, is told apart by each scan. A member's part, the broker's table and a
heartbeat's two steps come in all combinations; with each, notifications and the route are in one of some states.
"""

from functools import cache
from itertools import product

import numpy as np

from rebalance_proofs.model.registry.limits import Limits
from rebalance_proofs.spark_enum.actions import Columns

__all__ = ["LIMITS", "SIZE", "states"]

LIMITS = Limits(beat=2, expired=3, scan=1, collect=2, poll=2)
"""In ticks."""

NONE = {"alive": 0, "running": 0, "link": 0, "closing": 0, "leaving": 0, "died": 0, "threw": 0, "known": 0, "second": 0}
MEMBERS = (
    NONE,
    NONE | {"alive": 1, "running": 1, "link": 1, "known": 1},
    NONE | {"alive": 1, "running": 1, "known": 1, "second": 1},
    NONE | {"running": 1, "link": 1, "leaving": 1, "known": 1, "threw": 1},
    NONE | {"running": 1, "link": 1, "known": 1},
    NONE | {"closing": 1, "died": 1, "known": 1, "second": 1},
)
"""Not started; connected, or not; shut down, its good-bye under way, or not; dead, its sockets closed."""
AGES = tuple((1, -LIMITS.expired - late) for late in (0, 1))
"""Listed, and heard of just as long ago as it may be, or longer."""
TABLES = tuple(
    {"mine": mine, "at": at, "old": old, "old_at": old_at, "others": others}
    for (mine, at), (old, old_at), others in product(((0, -1), *AGES), ((0, -1), *AGES), (0, 1))
)
HEARTBEATS = tuple(
    {"finding": finding, "orphan": orphan, "anew": anew}
    for (finding, orphan), anew in zip(((0, 0), (1, 0), (1, 1)), (1, 0, 0), strict=True)
)
QUIET = {"stale": 0, "stale_at": -2, "collected": 0, "copying": 0, "taken": 0}
ROUTE = {"moved": 0, "moved_at": -1, "polled": -1, "seen": 0}
REST = (
    QUIET | ROUTE,
    QUIET | {"stale": 1, "copying": 1} | ROUTE | {"moved": 1, "seen": 1},
    QUIET | {"stale": 1, "collected": 1, "copying": 1, "taken": 1} | ROUTE | {"moved": 1},
)
"""Nothing is to be told; what is to be told is not collected, or is copied; and the route."""
PARTS = (MEMBERS, TABLES, HEARTBEATS, REST)
SIZE = len(MEMBERS) * len(TABLES) * len(HEARTBEATS) * len(REST)
"""States; some of them no member ever comes to."""
ALIKE = {"now": 0, "change": -1, "flushed": -1, "scanned": -1}
"""In every state."""


@cache
def states() -> Columns:
    """All of them."""
    rows = [{name: value for part in parts for name, value in part.items()} for parts in product(*PARTS)]
    columns = {name: np.array([row[name] for row in rows], dtype=np.int64) for name in rows[0]}
    return columns | {name: np.full(len(rows), value, dtype=np.int64) for name, value in ALIKE.items()}
