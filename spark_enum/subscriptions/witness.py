"""Enumerated states of a topic's subscription at a broker and a member.

The versions of subscriptions are older, equal and newer.
"""

from itertools import product

from rebalance_proofs.model.subscriptions.clients import CLIENTS
from rebalance_proofs.model.subscriptions.state import DONE, FLIES, IDLE, TOGO, Limits
from rebalance_proofs.proofs.subscriptions.configuration import CONFIGURATION
from rebalance_proofs.spark_enum.machine.steps import Space, Steps, by_name, machine_kind
from rebalance_proofs.spark_enum.subscriptions.kinds import HEARTBEATS

LIMITS = Limits(period=7, beat=3, retry=2, apart=9, delay=2)
NOW = 5
"""Version of new subscriptions, and the current time; old subscriptions have version 0."""
FLAGS = (0, 1)
BETWEEN = {"at": IDLE, "began": 0, "next": NOW + 1, "carried": 0, "full": 1}
MEMBER = (
    BETWEEN,
    BETWEEN | {"next": NOW},
    BETWEEN | {"at": TOGO, "began": 3, "next": NOW},
    *(
        BETWEEN | {"at": FLIES, "began": 3, "carried": carried, "full": full}
        for carried, full in product((3, 4), FLAGS)
    ),
    BETWEEN | {"at": DONE, "began": 3},
)
"""States of the member's heartbeat: not begun, waiting for its turn, in flight, processed."""
TABLES = (
    {"has": 0, "latest": 0, "matches": 1},
    *({"has": 1, "latest": version, "matches": matches} for version, matches in product((0, 4, NOW), FLAGS)),
)
"""States of the topic's subscription in the broker's table: none, or with a version."""
V2 = tuple({"known": known, "agrees": agrees} for known, agrees in product(FLAGS, FLAGS))
MEMBERS = tuple({"subscribes": subscribes, "mine": 4} for subscribes in FLAGS)
TIMES = {"heard": 1, "left": 2, "changed": 2, "asked": 4, "first": 3, "opened": 2}
WRONG = ("odd", "stirred", "lost", "missed", "barred")
BEFORE = tuple(
    TIMES
    | {"refused": refused, "had": had, "fresh": fresh, "moved": moved, "notified": 1 + wrong}
    | dict.fromkeys(WRONG, wrong)
    for refused, had, wrong, fresh, moved in ((0, 0, 0, 1, 3), (1, 1, 0, 1, 4), (0, 1, 1, 0, 3), (1, 0, 0, 0, 3))
)
"""Recorded results of earlier steps, which later steps and guarantees use."""


class SubscriptionsSteps(Steps):
    """Comparison of all actions, in all of these states."""

    kind, title, known = HEARTBEATS, "heartbeats", by_name(CLIENTS)
    space = Space(CONFIGURATION, LIMITS, (MEMBER, TABLES, V2, MEMBERS, BEFORE), now=NOW)


SUBSCRIPTIONS = machine_kind(
    SubscriptionsSteps,
    "a member reaches a violation",
    f"a member does not reach a violation in {CONFIGURATION.end} ticks",
)
