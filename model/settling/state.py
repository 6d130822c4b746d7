"""The state of one client's rebalance thread, as terms, and of one change of what it will see."""

from dataclasses import dataclass, fields
from typing import Any

import z3

from rebalance_proofs.model.terms.truth import NO

__all__ = [
    "CLEARS",
    "LOOKS",
    "RESETS",
    "RUNS",
    "WAITS",
    "WOKEN",
    "Said",
    "Service",
    "State",
    "Turn",
    "nothing",
]

LOOKS, RESETS, WAITS, CLEARS, WOKEN, RUNS = range(6)
"""Where the thread is: about to look at the flag; about to reset the latch, because the flag was not set; waiting for
the latch; about to clear the flag, because the wait has ended; behind ``waitForRunning``; in a rebalance."""


@dataclass(frozen=True)
class Service:
    """``RebalanceService`` with its ``ServiceThread``, and what has become of the change. Times are in ms."""

    at: z3.ArithRef
    """One of the six places."""
    flag: z3.BoolRef
    """``hasNotified``."""
    open: z3.BoolRef
    """``waitPoint`` is counted down: nobody waits for it."""
    waking: z3.BoolRef
    """A ``wakeup`` has set the flag, and not yet counted down the latch; any one of several."""
    since: z3.ArithRef
    """When the wait began."""
    interval: z3.ArithRef
    """How long this wait is, or the next one (``realWaitInterval``)."""
    last: z3.ArithRef
    """When the last rebalance ended (``lastRebalanceTimestamp``); before 5.2 nobody keeps that."""
    ended: z3.BoolRef
    """There was one. For proofs alone."""
    began: z3.ArithRef
    """When the rebalance under way began."""
    changed: z3.BoolRef
    """What the client is told when it asks has changed, for the last time."""
    change: z3.ArithRef
    """When."""
    told: z3.BoolRef
    """The notification of that is on its way."""
    heard: z3.BoolRef
    """It has arrived."""
    heard_at: z3.ArithRef
    """When."""
    fresh: z3.BoolRef
    """The rebalance under way began after the change."""
    right: z3.BoolRef
    """A rebalance that has seen the change has ended."""
    due: z3.ArithRef
    """When that has to be so. For proofs alone."""


@dataclass(frozen=True)
class State:
    """At what time."""

    now: z3.ArithRef
    me: Service


@dataclass(frozen=True)
class Said:
    """What an action leaves open."""

    seen: z3.BoolRef
    """A rebalance that began before the change has seen it all the same."""
    balanced: z3.BoolRef
    """Every group works on the queues of its share; false also where a strategy or a topic's rebalance has thrown, or a
    push consumer is suspended, and true where no list of ids came."""
    more: z3.BoolRef
    """There are more wake-ups whose latch is to be counted down."""


@dataclass(frozen=True)
class Turn:
    """One action."""

    can: z3.BoolRef
    """It is possible."""
    after: State


def nothing(now: z3.ArithRef, wait: z3.ArithRef) -> Service:
    """A thread that has just been started, before the change."""
    started: dict[str, Any] = {field.name: NO if field.type is z3.BoolRef else now for field in fields(Service)}
    return Service(**started | {"at": z3.IntVal(LOOKS), "interval": wait})
