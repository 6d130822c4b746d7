"""The state of a topic's subscription at one broker, and of one member of the group, as terms."""

from dataclasses import dataclass, fields
from typing import Any

import z3

from rebalance_proofs.model.terms.truth import NO, YES

__all__ = ["DONE", "FLIES", "IDLE", "TOGO", "Said", "State", "Subscription", "Turn", "started"]

IDLE, TOGO, FLIES, DONE = range(4)
"""The member's heartbeat: none is under way, its lock is free; one has begun, and is not yet made for this broker; one
is on its way there; it has come, and is not over (other brokers, the answer)."""


@dataclass(frozen=True)
class Subscription:
    """One arbitrary topic in the broker's table of the group, and the member. Times and versions are in ms."""

    topic: z3.BoolRef
    """The member subscribes to the topic."""
    mine: z3.ArithRef
    """Its ``subVersion`` of it: the time of its last change."""
    at: z3.ArithRef
    """Where its heartbeat is: one of the four."""
    began: z3.ArithRef
    """When it began."""
    next: z3.ArithRef
    """When the next periodic one is due."""
    carried: z3.ArithRef
    """The version that is on its way."""
    full: z3.BoolRef
    """And the subscriptions: not so with heartbeat V2, where the client thinks that the broker has them."""
    known: z3.BoolRef
    """It thinks so (``brokerAddrHeartbeatFingerprintTable``)."""
    has: z3.BoolRef
    """The broker's table of the group has the topic."""
    version: z3.ArithRef
    """With that version."""
    takes: z3.BoolRef
    """The broker's expression takes the message: one arbitrary that the member's own expression takes."""
    same: z3.BoolRef
    """The broker's fingerprint of the group is the member's, or it has none (``consumerGroupHeartbeatTable``)."""
    heard: z3.ArithRef
    """When the member's last heartbeat came."""
    left: z3.ArithRef
    """When the last heartbeat came of a member that does not subscribe to the topic. For claims alone, like all that
    follows, but for ``refused`` and ``asked``."""
    changed: z3.ArithRef
    """When a heartbeat last put the topic into the table, or took it out."""
    moved: z3.ArithRef
    """When the member last raised its version, or the broker forgot the group."""
    refused: z3.BoolRef
    """The member's last pull was refused."""
    asked: z3.ArithRef
    """When."""
    first: z3.ArithRef
    """When the first one was refused since one was let through."""
    opened: z3.ArithRef
    """When a heartbeat last came after which one would be let through, and would not have been before."""
    had: z3.BoolRef
    """The last heartbeat that came, of whichever member, had the topic."""
    odd: z3.BoolRef
    """One has changed the table though the one before it had the same, or has not though it had not."""
    stirred: z3.BoolRef
    """One has changed the table."""
    lost: z3.BoolRef
    """A pull of the member's was let through and has skipped the message."""
    missed: z3.BoolRef
    """A pull of another member's has."""
    fresh: z3.BoolRef
    """The last change of the member's table has added a queue, which it has not pulled yet. Not for claims alone."""
    barred: z3.BoolRef
    """The first pull of such a queue was refused."""


@dataclass(frozen=True)
class State:
    """At what time."""

    now: z3.ArithRef
    me: Subscription


@dataclass(frozen=True)
class Said:
    """What an action of another member leaves open."""

    topic: z3.BoolRef
    """It subscribes to the topic."""
    takes: z3.BoolRef
    """Its expression takes the message."""
    same: z3.BoolRef
    """Its fingerprint is the member's."""
    version: z3.ArithRef
    """Its version."""


@dataclass(frozen=True)
class Turn:
    """One action."""

    can: z3.BoolRef
    """It is possible."""
    after: State


def started(now: z3.ArithRef, period: z3.ArithRef, *, fingerprints: bool, topic: z3.BoolRef = YES) -> Subscription:
    """The member's first heartbeat has just come, and no other member's; ``fingerprints``: with heartbeat V2."""
    given: dict[str, Any] = {field.name: NO if field.type is z3.BoolRef else now for field in fields(Subscription)}
    known = {"topic": topic, "has": topic, "had": topic, "takes": YES, "same": YES, "full": YES}
    known["known"] = YES if fingerprints else NO
    return Subscription(**given | known | {"at": z3.IntVal(IDLE), "next": now + period})
