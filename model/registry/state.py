"""State of one member of a group at one broker and of one polled route, actions' choices, and differences of
releases."""

from dataclasses import dataclass
from typing import Annotated, Protocol

from rebalance_proofs.model.machine.record import Record, Shown, Timed, Variable
from rebalance_proofs.model.machine.values import Bool, Int, Or

__all__ = ["Member", "Said", "Variant", "listed"]


class Variant(Protocol):
    """The properties in which releases differ."""

    @property
    def greets(self) -> bool:
        """Whether a client sends a heartbeat as soon as it has connected."""

    @property
    def stops(self) -> bool:
        """Whether a member whose ``start()`` throws is shut down."""


ALIVE = Shown("X", {True: "lives", False: "does not live"})
LINK = Shown("newest connection of X", {True: "open", False: "not open"})
STALE = Shown("others", {True: "were not told of the last change", False: "were told"}, party="broker")


@dataclass(frozen=True)
class Member(Timed):
    """One arbitrary member, its entries at one arbitrary broker, and its route."""

    alive: Annotated[Bool, Variable("It was started, and neither shut down nor gone.", shown=ALIVE)]
    running: Annotated[Bool, Variable("Its process lives: other consumers of the same client instance may go on.")]
    link: Annotated[Bool, Variable("Its newest connection is open, at both ends.", shown=LINK)]
    closing: Annotated[
        Bool,
        Variable("That connection was closed by the system of a process that died; the broker has not heard of it."),
    ]
    leaving: Annotated[Bool, Variable("Its good-bye (`unregisterClient`) is on its way.")]
    died: Annotated[Bool, Variable("Its process died while it was alive.")]
    threw: Annotated[Bool, Variable("Its `start()` has thrown.")]
    known: Annotated[Bool, Variable("A heartbeat of it has been registered.")]
    second: Annotated[Bool, Variable("It has had another connection before its newest one.")]
    finding: Annotated[
        Bool,
        Variable(
            "A heartbeat has found the group's record, and is about to put the newest connection's channel into it."
        ),
    ]
    orphan: Annotated[Bool, Variable("That record has left the broker's table since.")]
    mine: Annotated[Bool, Variable("The channel of its newest connection is listed.")]
    at: Annotated[
        Int,
        Variable("When a heartbeat of it came last by its newest connection that had one, or it was started."),
    ]
    old: Annotated[Bool, Variable("The channel of one earlier connection of it is listed; any one of several.")]
    old_at: Annotated[Int, Variable("When a heartbeat by that one was registered last.", matters=lambda s: s.old)]
    others: Annotated[Bool, Variable("Some other channel is listed.")]
    change: Annotated[
        Int,
        Variable(
            "When it last was started, its start threw, it left, or lost or made a connection; or the broker "
            "restarted, removed it, or registered a heartbeat of it that came too late."
        ),
    ]
    anew: Annotated[Bool, Variable("It has connected, and a heartbeat is to be sent at once for that reason.")]
    stale: Annotated[
        Bool,
        Variable(
            "What is listed of it has changed when others were listed, and no notification was sent since.",
            shown=STALE,
        ),
    ]
    stale_at: Annotated[Int, Variable("When it changed first.", matters=lambda s: s.stale)]
    collected: Annotated[Bool, Variable("A notification of the group is collected (`consumerChannelMap`).")]
    copying: Annotated[Bool, Variable("What is collected was copied, and will be replaced by an empty map.")]
    taken: Annotated[Bool, Variable("The group was in the copy.")]
    flushed: Annotated[Int, Variable("When that replacement was last done.")]
    scanned: Annotated[Int, Variable("When the broker last scanned its table.")]
    moved: Annotated[Bool, Variable("The route of its topic has changed at the name servers, for the last time.")]
    moved_at: Annotated[Int, Variable("When the route changed.", matters=lambda s: s.moved)]
    polled: Annotated[Int, Variable("When an answer about the route came last.")]
    seen: Annotated[Bool, Variable("That answer was the changed route.")]


@dataclass(frozen=True)
class Said(Record):
    """An action's nondeterministic choices."""

    more: Annotated[Bool, Variable("Other channels stay.")]
    keeps: Annotated[
        Bool,
        Variable(
            "The earlier connection that is looked at stays the one that was looked at before, if that is listed, or "
            "the newest one is not."
        ),
    ]
    first: Annotated[
        Bool,
        Variable(
            "The broker hears of the end of a connection that its scan closes (that of producers closes it, too, and "
            "is first) before the channel is removed from the group."
        ),
    ]
    off: Annotated[Bool, Variable("The broker notifies nobody (`notifyConsumerIdsChangedEnable` is false).")]
    later: Annotated[Bool, Variable("The broker collects notifications (`realTimeNotifyConsumerChange` is false).")]


def listed(s: Member) -> Bool:
    """Whether the broker's answer contains the member's id."""
    return Or(s.mine, s.old)
