"""The state of one member of a group at one broker, as terms; and of one route that it polls."""

from dataclasses import dataclass, fields
from typing import Any

import z3

from rebalance_proofs.model.terms.truth import NO

__all__ = ["Member", "Said", "State", "Turn", "nobody"]


@dataclass(frozen=True)
class Member:
    """One arbitrary member, what one arbitrary broker has of it, and its route. Times are in ms."""

    alive: z3.BoolRef
    """It was started, and neither shut down nor gone."""
    running: z3.BoolRef
    """Its process lives: other consumers of the same client instance may go on."""
    link: z3.BoolRef
    """Its newest connection is open, at both ends."""
    closing: z3.BoolRef
    """That connection was closed by the system of a process that died; the broker has not heard of it."""
    leaving: z3.BoolRef
    """Its good-bye (``unregisterClient``) is on its way."""
    died: z3.BoolRef
    """Its process died while it was alive."""
    threw: z3.BoolRef
    """Its ``start()`` has thrown."""
    known: z3.BoolRef
    """A heartbeat of it has been registered."""
    second: z3.BoolRef
    """It has had another connection before its newest one."""
    finding: z3.BoolRef
    """A heartbeat has found the group's record, and is about to put the newest connection's channel into it."""
    orphan: z3.BoolRef
    """That record has left the broker's table since."""
    mine: z3.BoolRef
    """The channel of its newest connection is listed."""
    at: z3.ArithRef
    """When a heartbeat of it came last by its newest connection that had one, or it was started."""
    old: z3.BoolRef
    """The channel of one earlier connection of it is listed; any one of several."""
    old_at: z3.ArithRef
    """When a heartbeat by that one was registered last."""
    others: z3.BoolRef
    """Some other channel is listed."""
    change: z3.ArithRef
    """When it last was started, its start threw, it left, or lost or made a connection; or the broker restarted,
    removed it, or registered a heartbeat of it that came too late."""
    anew: z3.BoolRef
    """It has connected, and a heartbeat is to be sent at once because of that."""
    stale: z3.BoolRef
    """What is listed of it has changed when others were listed, and no notification was sent since."""
    stale_at: z3.ArithRef
    """When it changed first."""
    collected: z3.BoolRef
    """A notification of the group is collected (``consumerChannelMap``)."""
    copying: z3.BoolRef
    """What is collected was copied, and will be replaced by an empty map."""
    taken: z3.BoolRef
    """The group was in the copy."""
    flushed: z3.ArithRef
    """When that was last done."""
    scanned: z3.ArithRef
    """When the broker last scanned its table."""
    moved: z3.BoolRef
    """The route of its topic has changed at the name servers, for the last time."""
    moved_at: z3.ArithRef
    """When."""
    polled: z3.ArithRef
    """When an answer about the route came last."""
    seen: z3.BoolRef
    """It was of the route after the change."""


@dataclass(frozen=True)
class State:
    """At what time."""

    now: z3.ArithRef
    me: Member


@dataclass(frozen=True)
class Said:
    """What an action leaves open."""

    more: z3.BoolRef
    """Other channels stay."""
    keeps: z3.BoolRef
    """The earlier connection that is looked at stays the one that was looked at before, if that is listed, or the
    newest one is not."""
    first: z3.BoolRef
    """The broker hears of the end of a connection that its scan closes (that of producers closes it, too, and is first)
    before the channel is removed from the group."""
    off: z3.BoolRef
    """The broker notifies nobody (``notifyConsumerIdsChangedEnable`` is false)."""
    later: z3.BoolRef
    """The broker collects notifications (``realTimeNotifyConsumerChange`` is false)."""


@dataclass(frozen=True)
class Turn:
    """One action."""

    can: z3.BoolRef
    """It is possible."""
    after: State


def nobody(now: z3.ArithRef) -> Member:
    """A member that was not started, and a broker that has just been."""
    first: dict[str, Any] = {field.name: NO if field.type is z3.BoolRef else now for field in fields(Member)}
    return Member(**first)
