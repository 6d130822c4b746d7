"""Every state of one consumer of a queue, in ticks of ten seconds, and everything that can happen next.

The limits are ``proofs.ordered.examples.TICKS``: what is at a limit, and a tick beyond, is told apart by each.
"""

from functools import cache
from itertools import product

import numpy as np

from rebalance_proofs.model.ordered.state import NOBODY
from rebalance_proofs.proofs.ordered.inductive import ACTIONS
from rebalance_proofs.proofs.ordered.schedule import choices
from rebalance_proofs.proofs.ordered.variables import ME, OTHER
from rebalance_proofs.spark_enum.actions import Columns

__all__ = ["MOVES", "SIZE", "STATES", "states"]

FLAGS = (0, 1)
NO_ENTRY = {"present": 0, "dropped": 0, "locked": 0, "stamp": 0, "cached": 0, "adding": 0, "adding_at": 0, "closed": 0}
IDLE, CALLED, ORPHAN = {"runs": 0, "orphan": 0}, {"runs": 1, "orphan": 0}, {"runs": 1, "orphan": 1}
ENTRIES = (
    *(NO_ENTRY | why | listener for why in ({}, {"adding": 1}, {"closed": 1}) for listener in (IDLE, ORPHAN)),
    *(
        NO_ENTRY | {"present": 1, "dropped": dropped, "locked": locked, "stamp": -age, "cached": cached} | listener
        for dropped, locked, age, cached in product(FLAGS, FLAGS, (0, 2, 3, 4), FLAGS)
        for listener in (IDLE, CALLED, ORPHAN)
    ),
)
"""None; none, and one is being added; none any more; and every kind, by what it is and how old its stamp is. The
listener is not called, or works on that entry, or on one that is gone."""
REPLIES = ({"answered": 0}, {"answered": 1})
UNLOCKS = ({"unlocking": 0}, {"unlocking": 1})
PUT_OFF = ({"later": 0, "due": 0}, {"later": 1, "due": 0}, {"later": 1, "due": 1})
LOCKS = (
    {"holder": NOBODY, "updated": 0},
    *({"holder": holder, "updated": -age} for holder in (ME, OTHER) for age in (0, 6, 7)),
)
"""Nobody's; or the consumer's or another's, and how long ago it was updated."""
PARTS = (ENTRIES, REPLIES, UNLOCKS, PUT_OFF, LOCKS)
SIZE = len(ENTRIES) * len(REPLIES) * len(UNLOCKS) * len(PUT_OFF) * len(LOCKS)
"""States; some of them no consumer ever comes to."""

MOVES = tuple((name, said) for name in ACTIONS for said in choices(name))
"""Every action, with everything that it leaves open."""
ALIKE = {"now": 0, "since": -1, "answered_at": -1, "granted_at": -1, "left": -1, "released": 0, "twice": 0}
"""In every state."""
STATES = (*ALIKE, *(name for part in PARTS for name in part[0]))


@cache
def states() -> Columns:
    """All of them."""
    rows = [{name: value for part in parts for name, value in part.items()} for parts in product(*PARTS)]
    columns = {name: np.array([row[name] for row in rows], dtype=np.int64) for name in rows[0]}
    return columns | {name: np.full(len(rows), value, dtype=np.int64) for name, value in ALIKE.items()}
