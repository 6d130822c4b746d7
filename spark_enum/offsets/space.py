"""Every state of one consumer of a queue, with offsets 0 to 2 and the message at 1, and all that can happen next.

What is behind the message, at it, and below it is told apart by each number.
"""

from functools import cache
from itertools import product

import numpy as np

from rebalance_proofs.model.client.environment import NOT_FOUND
from rebalance_proofs.model.offsets.state import NONE
from rebalance_proofs.model.transition.numbers import BROKER_ERROR, NO_OFFSET, UNANSWERED, WHERES
from rebalance_proofs.proofs.offsets.inductive import ACTIONS
from rebalance_proofs.proofs.offsets.schedule import choices
from rebalance_proofs.spark_enum.actions import Columns

__all__ = ["MOVES", "SIZE", "states"]

FLAGS, OFFSETS, MESSAGE = (0, 1), (0, 1, 2), 1
NO_ENTRY = {"present": 0, "dropped": 0, "began": 0, "next": 0, "cached": 0, "runs": 0, "where": 0}
NO_ENTRY |= {"asking": 0, "answer": 0, "known": 0, "closed": 0}
ENTRIES = (
    NO_ENTRY,
    NO_ENTRY | {"closed": 1},
    *(
        NO_ENTRY | {"asking": 1, "answer": answer, "where": where}
        for answer in (*OFFSETS, NOT_FOUND, UNANSWERED, BROKER_ERROR)
        for where in range(len(WHERES))
        if answer < 0 or where == 0
    ),
    *(
        NO_ENTRY | {"present": 1, "dropped": dropped, "began": began, "next": next_, "cached": cached, "runs": runs}
        for dropped, began, next_, cached, runs in product(FLAGS, OFFSETS, OFFSETS, FLAGS, FLAGS)
        if began <= next_ and cached <= (began <= MESSAGE < next_) and runs <= (began <= MESSAGE < next_)
    ),
)
"""None; none any more; none, and each answer is heard; and every kind, by where it began and what it has."""
LATE = ({"late": 0}, {"late": 1})
MEMORY = tuple({"memory": memory} for memory in (NO_OFFSET, 1))
NOTED = ({"recording": 0, "recorded": 0}, *({"recording": 1, "recorded": offset} for offset in (0, 2)))
SENT = ({"sending": 0, "sent": 0, "origin": 0}, {"sending": 1, "sent": 1, "origin": 0})
SHARED = tuple(
    {"committed": committed, "consumed": consumed, "given": given, "again": 0}
    for committed, consumed, given in ((NONE, 0, 0), (0, 0, 1), (0, 1, 0), (2, 1, 0))
)
PARTS = (ENTRIES, LATE, MEMORY, NOTED, SENT, SHARED)
SIZE = len(ENTRIES) * len(LATE) * len(MEMORY) * len(NOTED) * len(SENT) * len(SHARED)
"""States; some of them no consumer ever comes to."""
ALIKE = {"message": MESSAGE, "end": 2, "back": 0}
"""In every state."""

WITH_OFFSETS = ("adds", "pulls", "passes", "ends", "others")
"""Actions that leave an offset open."""
MOVES = tuple(
    (name, said, offset)
    for name in ACTIONS
    for said in choices(name)
    for offset in (OFFSETS if name in WITH_OFFSETS else (0,))
)
"""Every action, with everything that it leaves open."""


@cache
def states() -> Columns:
    """All of them."""
    rows = [{name: value for part in parts for name, value in part.items()} for parts in product(*PARTS)]
    columns = {name: np.array([row[name] for row in rows], dtype=np.int64) for name in rows[0]}
    return columns | {name: np.full(len(rows), value, dtype=np.int64) for name, value in ALIKE.items()}
