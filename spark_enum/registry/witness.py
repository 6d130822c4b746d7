"""Enumerated states of one group member at one broker, in ticks, and their next steps.

Some states have one channel whose age is exactly at the limit and one a tick past it, which each scan treats
differently. The member's part, the broker's table and the two steps of a heartbeat occur in all combinations.
Notifications and the route occur in a few states with each.
"""

from itertools import product

from rebalance_proofs.model.machine.values import number
from rebalance_proofs.model.registry.clients import CLIENTS
from rebalance_proofs.model.registry.state import Limits
from rebalance_proofs.proofs.registry.configuration import CONFIGURATION
from rebalance_proofs.spark_enum.machine.steps import Space, Steps, by_name, machine_kind
from rebalance_proofs.spark_enum.registry.kinds import REGISTERS

LIMITS = Limits(beat=2, expired=3, scan=1, collect=2, poll=2)
NONE = {"alive": 0, "running": 0, "link": 0, "closing": 0, "leaving": 0, "died": 0, "threw": 0, "known": 0, "second": 0}
MEMBERS = (
    NONE,
    NONE | {"alive": 1, "running": 1, "link": 1, "known": 1},
    NONE | {"alive": 1, "running": 1, "known": 1, "second": 1},
    NONE | {"running": 1, "link": 1, "leaving": 1, "known": 1, "threw": 1},
    NONE | {"running": 1, "link": 1, "known": 1},
    NONE | {"closing": 1, "died": 1, "known": 1, "second": 1},
)
"""States of the member.

In order: not started; connected; not connected; shut down with its unregister request in flight; shut down without it;
dead.
"""
AGES = tuple((1, -number(LIMITS.expired) - late) for late in (0, 1))
"""Ages of the last heartbeat of a listed channel: exactly at the limit, or one tick more."""
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
"""States of notifications and of the route.

In order: no change to notify; a change that is neither collected nor copied; a change that is collected and copied.
"""
ALIKE = ({"change": -1, "flushed": -1, "scanned": -1},)
"""Fields with the same value in every state."""


class RegistrySteps(Steps):
    """Comparison of all actions, in all of these states."""

    kind, title, known = REGISTERS, "registry", by_name(CLIENTS)
    space = Space(CONFIGURATION, LIMITS, (MEMBERS, TABLES, HEARTBEATS, REST, ALIKE))


REGISTRY = machine_kind(
    RegistrySteps,
    "a member and a broker reach a violation",
    "member and broker do not reach a violation in {end} ticks",
)
