"""Enumerated states of a topic's subscription and a member, with older, equal and newer versions."""

from itertools import product

from rebalance_proofs.model.subscriptions.clients import CLIENTS
from rebalance_proofs.model.subscriptions.limits import Limits
from rebalance_proofs.model.subscriptions.state import DONE, FLIES, IDLE, TOGO
from rebalance_proofs.proofs.subscriptions.configuration import CONFIGURATION
from rebalance_proofs.spark_enum.machine.steps import Space, Steps, by_name, machine_kind
from rebalance_proofs.spark_enum.subscriptions.kinds import HEARTBEATS

__all__ = ["SUBSCRIPTIONS", "SubscriptionsSteps"]

LIMITS = Limits(period=7, beat=3, retry=2, apart=9, delay=2)
NOW = 5
"""Version of newer subscriptions; older ones have 0."""
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
"""Progress of the member's heartbeat."""
TABLES = (
    {"has": 0, "latest": 0, "matches": 1},
    *({"has": 1, "latest": version, "matches": matches} for version, matches in product((0, 4, NOW), FLAGS)),
)
"""The topic's entry in the broker's table."""
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
"""Results of earlier steps."""


class SubscriptionsSteps(Steps):
    """The comparison of every action in these states."""

    kind, title, known = HEARTBEATS, "heartbeats", by_name(CLIENTS)
    space = Space(CONFIGURATION, LIMITS, (MEMBER, TABLES, V2, MEMBERS, BEFORE), now=NOW)


SUBSCRIPTIONS = machine_kind(
    SubscriptionsSteps,
    "a member reaches a violation",
    f"a member does not reach a violation in {CONFIGURATION.end} ticks",
)
