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
OF_ENTRY = ("present", "dropped", "age", "kept", "waiting", "pulling", "asking", "repairing", "fixed", "old_asking")
NO_ENTRY = dict.fromkeys(OF_ENTRY, 0)
ENTRIES = (
    NO_ENTRY,
    *(
        NO_ENTRY
        | {
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
HELD = tuple(
    {"present": 1, "dropped": dropped, "age": 5, "kept": 7, "waiting": waiting, "asking": asking, "fixed": fixed}
    for dropped, waiting, (asking, fixed) in product(FLAGS, FLAGS, ((1, 0), (1, 1), (0, 1)))
)
"""Whose offset is asked for, or was answered."""
QUERIED = (
    *ENTRIES,
    *(NO_ENTRY | held for held in HELD),
    NO_ENTRY | {"old_asking": 1},
    *(NO_ENTRY | held | {"old_asking": 1} for held in HELD if not held["asking"]),
    *(entry | {"old_asking": 1} for entry in ENTRIES if entry["present"] and entry["age"] == 0),
)
"""The same, and those in which ``pullMessage`` asks: for that entry, or for one that has left the table."""
OLD = tuple(
    {"old_waiting": waiting, "old_pulling": pulling, "old_repairing": repairing, "unmarked": unmarked}
    for waiting, pulling, repairing, unmarked in (*product(FLAGS, FLAGS, FLAGS, (0,)), (1, 1, 1, 1))
)
BEFORE = tuple(
    {"ended": ended, "suspended": suspended} | dict.fromkeys(("late", "hit", "wrote", "cut", "begun", "stale"), done)
    for ended, done in ((0, 0), (0, 1), (1, 0))
    for suspended in FLAGS
)
"""Whether the thread has ended, and the consumer is suspended; and what was so before."""
PARTS = (QUERIED, OLD, BEFORE)
SIZE = len(QUERIED) * len(OLD) * len(BEFORE)
"""States; some of them no consumer ever comes to."""

MOVES = tuple((name, said) for name in ACTIONS for said in choices(name))
"""Every action, with everything that it leaves open."""


@cache
def states() -> Columns:
    """All of them."""
    rows = [{name: value for part in parts for name, value in part.items()} for parts in product(*PARTS)]
    return {name: np.array([row[name] for row in rows], dtype=np.int64) for name in rows[0]}
