"""State of one group member at one broker and of a polled topic route.

Also: the nondeterministic choices of actions, and differences between releases.
"""

from dataclasses import dataclass
from typing import Annotated, Protocol

from rebalance_proofs.model.machine.record import Record, Shown, Timed, Variable
from rebalance_proofs.model.machine.values import Bool, Int, Or

# Time limits of a broker's registry, in ms.


@dataclass(frozen=True)
class Limits(Record):
    """Limits in ms, each a number or a term."""

    beat: Annotated[
        Int,
        Variable(
            "The longest time between two heartbeats of a member at this broker: `heartbeatBrokerInterval`, plus "
            "the time to send to all brokers in turn."
        ),
    ]
    expired: Annotated[
        Int,
        Variable(
            "Time without a heartbeat after which a scan removes a channel (`channelExpiredTimeout`; a constant up "
            "to 5.0)."
        ),
    ]
    scan: Annotated[Int, Variable("The longest time between two scans (`ClientHousekeepingService`).")]
    collect: Annotated[Int, Variable("The longest time between two rounds of sending collected notifications.")]
    poll: Annotated[
        Int,
        Variable(
            "The longest time between two answers about a route: `pollNameServerInterval`, plus the time that a "
            "poll takes."
        ),
    ]


DEFAULTS = Limits(beat=30_000, expired=120_000, scan=10_000, collect=15_000, poll=30_000)
"""The default settings of client and broker, without delays."""


class Variant(Protocol):
    """Differences between releases in claims about the registry."""

    @property
    def greets(self) -> bool:
        """Whether a client sends a heartbeat as soon as it has connected to a broker."""

    @property
    def stops(self) -> bool:
        """Whether a member whose ``start()`` throws an exception is shut down."""

    @property
    def shares(self) -> bool:
        """Whether all groups and producers of a heartbeat share one record of its connection at the broker."""


ALIVE = Shown("X", {True: "alive", False: "not alive"})
LINK = Shown("newest connection of X", {True: "open", False: "not open"})
STALE = Shown("other members", {True: "not notified of the last change", False: "notified"}, party="broker")


@dataclass(frozen=True)
class Member(Timed):
    """State of one arbitrary member, its channels at one arbitrary broker, and its topic route."""

    alive: Annotated[Bool, Variable("Whether the member was started and is neither shut down nor dead.", shown=ALIVE)]
    running: Annotated[
        Bool, Variable("Whether the member's process runs; other consumers of the client instance may continue.")
    ]
    link: Annotated[Bool, Variable("Whether the member's newest connection is open at both ends.", shown=LINK)]
    closing: Annotated[
        Bool,
        Variable(
            "Whether the operating system of a dead process has closed the newest connection and the broker does "
            "not know yet."
        ),
    ]
    leaving: Annotated[Bool, Variable("Whether the member's `unregisterClient` request is in flight.")]
    died: Annotated[Bool, Variable("Whether the member's process died while the member was alive.")]
    threw: Annotated[Bool, Variable("Whether the member's `start()` has thrown an exception.")]
    known: Annotated[Bool, Variable("Whether a heartbeat of the member was ever registered.")]
    second: Annotated[Bool, Variable("Whether the member had another connection before its newest one.")]
    finding: Annotated[
        Bool,
        Variable(
            "Whether a heartbeat has found the group's record and is about to put the newest connection's channel "
            "into it."
        ),
    ]
    orphan: Annotated[Bool, Variable("Whether the found record has left the broker's table since.")]
    mine: Annotated[Bool, Variable("Whether the broker lists the channel of the newest connection.")]
    at: Annotated[
        Int,
        Variable("Time of the last heartbeat on the newest connection that had one, or of the start."),
    ]
    old: Annotated[Bool, Variable("Whether the broker lists the channel of an earlier connection; any one of several.")]
    old_at: Annotated[
        Int,
        Variable(
            ("Time at which a heartbeat from that earlier connection was last registered."), matters=lambda s: s.old
        ),
    ]
    others: Annotated[
        Bool,
        Variable("Whether the broker lists a further channel: of another member, or of a still earlier connection."),
    ]
    change: Annotated[
        Int,
        Variable(
            "Time of the last change: the member was started, its start threw, it left, or its connection was lost "
            "or made; or the broker restarted, removed the member, or registered a late heartbeat."
        ),
    ]
    anew: Annotated[Bool, Variable("Whether the member has connected and sends a heartbeat at once for that reason.")]
    stale: Annotated[
        Bool,
        Variable(
            "Whether the member's listing has changed while others were listed, without a notification since.",
            shown=STALE,
        ),
    ]
    stale_at: Annotated[Int, Variable("Time of the first change without a notification.", matters=lambda s: s.stale)]
    collected: Annotated[Bool, Variable("Whether a notification of the group is collected (`consumerChannelMap`).")]
    copying: Annotated[
        Bool, Variable("Whether the collected notifications were copied and will be replaced by an empty map.")
    ]
    taken: Annotated[Bool, Variable("Whether the copy contains the group.")]
    flushed: Annotated[Int, Variable("Time of the last replacement by an empty map.")]
    scanned: Annotated[Int, Variable("Time of the broker's last scan.")]
    moved: Annotated[Bool, Variable("Whether the topic's route has changed at the name servers, for the last time.")]
    moved_at: Annotated[Int, Variable("Time of the route's change.", matters=lambda s: s.moved)]
    polled: Annotated[Int, Variable("Time of the last answer about the route.")]
    seen: Annotated[Bool, Variable("Whether the last answer was the changed route.")]


@dataclass(frozen=True)
class Said(Record):
    """Choices of an action that the model leaves open, mostly how the broker notifies members."""

    more: Annotated[Bool, Variable("Whether other channels stay.")]
    keeps: Annotated[
        Bool,
        Variable(
            "Whether the observed earlier connection stays the same. It can if it is listed or the newest one is not."
        ),
    ]
    first: Annotated[
        Bool,
        Variable(
            "Whether the broker learns of the end of a connection that its scan closes before the channel is "
            "removed from the group. The scan of producers closes it too, and runs first."
        ),
    ]
    off: Annotated[
        Bool, Variable("Whether the broker sends no notifications (`notifyConsumerIdsChangedEnable` is false).")
    ]
    later: Annotated[
        Bool, Variable("Whether the broker collects notifications (`realTimeNotifyConsumerChange` is false).")
    ]


def listed(s: Member) -> Bool:
    """Check whether the broker's list of ids contains the member."""
    return Or(s.mine, s.old)
