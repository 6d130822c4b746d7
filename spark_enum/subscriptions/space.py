"""States of a topic's subscription at a broker and of one member, in ms, with older, equal and newer versions."""

from functools import cache
from itertools import product

import numpy as np

from rebalance_proofs.model.subscriptions.limits import Limits
from rebalance_proofs.model.subscriptions.state import DONE, FLIES, IDLE, TOGO
from rebalance_proofs.spark_enum.actions import Columns

__all__ = ["LIMITS", "NOW", "SIZE", "states"]

LIMITS = Limits(period=7, beat=3, retry=2, apart=9, delay=2)
NOW = 5
"""The version that is newer; 0 is the one that is older (``proofs.subscriptions.schedule``)."""

FLAGS = (0, 1)
BETWEEN = {"at": IDLE, "began": 0, "next": NOW + 1, "carried": 0, "full": 1}
HEARTBEATS = (
    BETWEEN,
    BETWEEN | {"next": NOW},
    BETWEEN | {"at": TOGO, "began": 3, "next": NOW},
    *(
        BETWEEN | {"at": FLIES, "began": 3, "carried": carried, "full": full}
        for carried, full in product((3, 4), FLAGS)
    ),
    BETWEEN | {"at": DONE, "began": 3},
)
"""Where the member's heartbeat is."""
TABLES = (
    {"has": 0, "version": 0, "takes": 1},
    *({"has": 1, "version": version, "takes": takes} for version, takes in product((0, 4, NOW), FLAGS)),
)
"""What the broker has of the topic."""
V2 = tuple({"known": known, "same": same} for known, same in product(FLAGS, FLAGS))
MEMBERS = tuple({"topic": topic, "mine": 4} for topic in FLAGS)
TIMES = {"heard": 1, "left": 2, "changed": 2, "asked": 4, "first": 3, "opened": 2}
WRONG = ("odd", "stirred", "lost", "missed", "barred")
BEFORE = tuple(
    TIMES | {"refused": refused, "had": had, "fresh": fresh, "moved": moved} | dict.fromkeys(WRONG, wrong)
    for refused, had, wrong, fresh, moved in ((0, 0, 0, 1, 3), (1, 1, 0, 1, 4), (0, 1, 1, 0, 3), (1, 0, 0, 0, 3))
)
"""What was so before."""
PARTS = (HEARTBEATS, TABLES, V2, MEMBERS, BEFORE)
SIZE = len(HEARTBEATS) * len(TABLES) * len(V2) * len(MEMBERS) * len(BEFORE)
"""States; some of them no member ever comes to."""


@cache
def states() -> Columns:
    """All of them."""
    rows = [{name: value for part in parts for name, value in part.items()} for parts in product(*PARTS)]
    columns = {name: np.array([row[name] for row in rows], dtype=np.int64) for name in rows[0]}
    return columns | {"now": np.full(len(rows), NOW, dtype=np.int64)}
