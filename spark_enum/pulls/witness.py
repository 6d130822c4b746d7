"""Enumerated states of a queue's pull requests, with at most one request of each kind."""

from itertools import product

from rebalance_proofs.model.machine.values import number
from rebalance_proofs.model.pulls.clients import CLIENTS
from rebalance_proofs.model.pulls.limits import DEFAULTS
from rebalance_proofs.proofs.pulls.configuration import CONFIGURATION
from rebalance_proofs.spark_enum.machine.steps import Space, Steps, by_name, machine_kind
from rebalance_proofs.spark_enum.pulls.kinds import REQUESTS

__all__ = ["PULLS", "PullsSteps"]

FLAGS = (0, 1)
LIMIT = number(DEFAULTS.limit)
OF_ENTRY = ("present", "dropped", "age", "idle", "kept", "waiting", "pulling", "asking", "repairing", "fixed")
NO_ENTRY = dict.fromkeys((*OF_ENTRY, "old_asking"), 0)
ENTRIES = (
    NO_ENTRY,
    *(
        NO_ENTRY
        | {
            "present": 1,
            "dropped": dropped,
            "age": age,
            "idle": 9,
            "kept": 7,
            "waiting": waiting,
            "pulling": pulling,
            "repairing": repairing,
        }
        for dropped, age, waiting, pulling, repairing in product(FLAGS, (0, LIMIT, LIMIT + 1), FLAGS, FLAGS, FLAGS)
    ),
)
"""States of the process queue: none, or every combination of its flags and ages."""
HELD = tuple(
    {"present": 1, "dropped": dropped, "age": 5, "idle": 9, "kept": 7}
    | {"waiting": waiting, "asking": asking, "fixed": fixed}
    for dropped, waiting, (asking, fixed) in product(FLAGS, FLAGS, ((1, 0), (1, 1), (0, 1)))
)
"""States of process queues whose offset query is running or was answered."""
QUERIED = (
    *ENTRIES,
    *(NO_ENTRY | held for held in HELD),
    NO_ENTRY | {"old_asking": 1},
    *(NO_ENTRY | held | {"old_asking": 1} for held in HELD if not held["asking"]),
    *(entry | {"old_asking": 1} for entry in ENTRIES if entry["present"] and entry["age"] == 0),
)
"""The states above, and states in which ``pullMessage`` runs an offset query.

The query is for the current process queue or for a removed one.
"""
OLD = tuple(
    {"old_waiting": waiting, "old_pulling": pulling, "old_repairing": repairing, "unmarked": unmarked}
    for waiting, pulling, repairing, unmarked in (*product(FLAGS, FLAGS, FLAGS, (0,)), (1, 1, 1, 1))
)
EVER = ("late", "hit", "wrote", "cut", "hasty", "begun", "stale")
BEFORE = tuple(
    {"ended": ended, "suspended": suspended} | dict.fromkeys(EVER, done)
    for ended, done in ((0, 0), (0, 1), (1, 0))
    for suspended in FLAGS
)
"""Flags: the thread has ended, the consumer is suspended, earlier events have occurred."""


class PullsSteps(Steps):
    """Comparison of all actions on a queue's pull requests, in all states."""

    kind, title, known = REQUESTS, "pulls", by_name(CLIENTS)
    space = Space(CONFIGURATION, DEFAULTS, (QUERIED, OLD, BEFORE), choices={"span": 5})


PULLS = machine_kind(
    PullsSteps,
    "a consumer reaches a violation",
    f"a consumer does not reach a violation in {CONFIGURATION.limit} actions",
)
