"""Enumerated states of a client's rebalance thread, in ticks, and all of its actions."""

from itertools import product

from rebalance_proofs.model.machine.values import number
from rebalance_proofs.model.settling.clients import CLIENTS
from rebalance_proofs.model.settling.limits import Limits
from rebalance_proofs.model.settling.service_thread import CHECKS, CLEARS, LOOKS, RESETS, RUNS, WAITS, WOKEN
from rebalance_proofs.proofs.settling.configuration import CONFIGURATION
from rebalance_proofs.spark_enum.machine.steps import Space, Steps, by_name, machine_kind
from rebalance_proofs.spark_enum.settling.kinds import WAKES

__all__ = ["SETTLING", "SettlingSteps"]

LIMITS = Limits(wait=6, least=3, loop=2)
FLAGS = (0, 1)
WAIT, LEAST = number(LIMITS.wait), number(LIMITS.least)
AWAY = {"since": 0, "interval": WAIT, "last": -3, "began": -3, "fresh": 0}
PLACES = (
    *(AWAY | {"at": place} for place in (LOOKS, RESETS, CLEARS)),
    *(AWAY | {"at": place, "since": -ago} for place in (WAITS, CHECKS) for ago in (WAIT - 1, WAIT)),
    *(AWAY | {"at": WAITS, "since": -ago, "interval": LEAST} for ago in (LEAST - 1, LEAST)),
    *(AWAY | {"at": WOKEN, "last": -ago} for ago in (LEAST - 1, LEAST, LEAST + 1)),
    *(AWAY | {"at": RUNS, "began": -1, "fresh": fresh} for fresh in FLAGS),
)
"""Points of the thread's loop (waiting, woken, rebalancing), with the time since it began."""
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
"""States of a membership change: none; notification lost, in flight, or received."""
BEFORE = tuple(
    {"ended": ended, "was_balanced": ended, "woken": ended, "woken_before": 0, "woken_earlier": 1} for ended in FLAGS
)
"""Whether the thread has completed a rebalance, and its earlier events."""
INTERRUPTS = tuple(
    dict(zip(("interrupted", "spent", "spent_twice"), values, strict=True))
    for values in ((0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0))
)
"""Whether an interrupt is pending, and whether it has ended a wait."""
CALLED = (
    {"called": 0, "called_at": -1, "follows": 0},
    *({"called": 1, "called_at": -1, "follows": follows} for follows in FLAGS),
)
"""Whether another thread of the client rebalances at the same time."""


class SettlingSteps(Steps):
    """Comparison of all actions of a rebalance thread, in all states."""

    kind, title, known = WAKES, "wake-ups", by_name(CLIENTS)
    space = Space(CONFIGURATION, LIMITS, (PLACES, LATCH, CHANGES, BEFORE, CALLED, INTERRUPTS))


SETTLING = machine_kind(
    SettlingSteps,
    "the thread reaches a violation",
    f"the thread does not reach a violation in {CONFIGURATION.end} ticks",
)
