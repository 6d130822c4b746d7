"""Every state of a client's rebalance thread, in ticks, and all that can happen next.

What is at a limit, and a tick before, is told apart by each; and what is left of a limit from the limit.
"""

from functools import cache
from itertools import product

import numpy as np

from rebalance_proofs.model.settling.limits import Limits
from rebalance_proofs.model.settling.state import CLEARS, LOOKS, RESETS, RUNS, WAITS, WOKEN
from rebalance_proofs.spark_enum.actions import Columns

__all__ = ["LIMITS", "SIZE", "states"]

LIMITS = Limits(wait=6, least=3, loop=2)
"""In ticks."""

FLAGS = (0, 1)
AWAY = {"since": 0, "interval": LIMITS.wait, "last": -3, "began": -3, "fresh": 0}
PLACES = (
    *(AWAY | {"at": place} for place in (LOOKS, RESETS, CLEARS)),
    *(AWAY | {"at": WAITS, "since": -ago} for ago in (LIMITS.wait - 1, LIMITS.wait)),
    *(AWAY | {"at": WAITS, "since": -ago, "interval": LIMITS.least} for ago in (LIMITS.least - 1, LIMITS.least)),
    *(AWAY | {"at": WOKEN, "last": -ago} for ago in (LIMITS.least - 1, LIMITS.least, LIMITS.least + 1)),
    *(AWAY | {"at": RUNS, "began": -1, "fresh": fresh} for fresh in FLAGS),
)
"""Where the thread is, and since when."""
LATCH = tuple(dict(zip(("flag", "open", "waking"), values, strict=True)) for values in product(FLAGS, repeat=3))
NO_CHANGE = {"changed": 0, "change": 0, "told": 0, "heard": 0, "heard_at": 0, "right": 0, "due": 0}
CHANGES = (
    NO_CHANGE,
    *(
        NO_CHANGE | {"changed": 1, "change": -2, "told": told, "heard": heard, "heard_at": -1, "right": right, "due": 6}
        for told, heard in ((0, 0), (1, 0), (0, 1))
        for right in FLAGS
    ),
)
"""None yet; and its notification is lost, on its way, or was heard."""
BEFORE = tuple({"ended": ended} for ended in FLAGS)
PARTS = (PLACES, LATCH, CHANGES, BEFORE)
SIZE = len(PLACES) * len(LATCH) * len(CHANGES) * len(BEFORE)
"""States; some of them no thread ever comes to."""
ALIKE = {"now": 0}
"""In every state."""


@cache
def states() -> Columns:
    """All of them."""
    rows = [{name: value for part in parts for name, value in part.items()} for parts in product(*PARTS)]
    columns = {name: np.array([row[name] for row in rows], dtype=np.int64) for name in rows[0]}
    return columns | {name: np.full(len(rows), value, dtype=np.int64) for name, value in ALIKE.items()}
