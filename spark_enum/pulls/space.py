"""Every state of a queue's pull requests with up to one of each kind, and all that can happen next."""

from functools import cache
from itertools import product

import numpy as np

from rebalance_proofs.proofs.pulls.inductive import ACTIONS
from rebalance_proofs.proofs.pulls.schedule import choices
from rebalance_proofs.spark_enum.actions import Columns

__all__ = ["LIMIT", "MOVES", "SIZE", "states"]

FLAGS = (0, 1)
LIMIT = 120_000
"""ms."""
NO_ENTRY = dict.fromkeys(("present", "dropped", "age", "kept", "waiting", "pulling", "repairing"), 0)
ENTRIES = (
    NO_ENTRY,
    *(
        {
            "present": 1,
            "dropped": dropped,
            "age": age,
            "kept": 7,
            "waiting": waiting,
            "pulling": pulling,
            "repairing": repairing,
        }
        for dropped, age, waiting, pulling, repairing in product(FLAGS, (0, LIMIT, LIMIT + 1), FLAGS, FLAGS, FLAGS)
    ),
)
"""None, and every kind."""
OLD = tuple(
    {"old_waiting": waiting, "old_pulling": pulling, "old_repairing": repairing, "unmarked": unmarked}
    for waiting, pulling, repairing, unmarked in (*product(FLAGS, FLAGS, FLAGS, (0,)), (1, 1, 1, 1))
)
BEFORE = tuple(
    {"ended": ended} | dict.fromkeys(("late", "hit", "wrote", "cut"), done) for ended, done in ((0, 0), (0, 1), (1, 0))
)
"""Whether the thread has ended; and what was so before."""
PARTS = (ENTRIES, OLD, BEFORE)
SIZE = len(ENTRIES) * len(OLD) * len(BEFORE)
"""States; some of them no consumer ever comes to."""

MOVES = tuple((name, said) for name in ACTIONS for said in choices(name))
"""Every action, with everything that it leaves open."""


@cache
def states() -> Columns:
    """All of them."""
    rows = [{name: value for part in parts for name, value in part.items()} for parts in product(*PARTS)]
    return {name: np.array([row[name] for row in rows], dtype=np.int64) for name in rows[0]}
