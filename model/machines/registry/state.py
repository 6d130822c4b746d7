"""State of one arbitrary member, its channels at one arbitrary broker, and its topic route; the time limits."""

from rebalance_proofs.model.machine.fields import Flag, Limit, Number, defaults, limit, record
from rebalance_proofs.model.machine.record import Record, Shown, Timed
from rebalance_proofs.model.machine.values import Bool, Int

ALIVE = Shown("X", {True: "alive", False: "not alive"})
LINK = Shown("newest connection of X", {True: "open", False: "not open"})
STALE = Shown("other members", {True: "not notified of the last change", False: "notified"}, party="broker")


@record
class Member(Timed):
    """State of one arbitrary member, its channels at one arbitrary broker, and its topic route."""

    alive: Bool = Flag("Whether the member was started and is neither shut down nor dead.", shown=ALIVE)
    running: Bool = Flag("Whether the member's process runs; other consumers of the client instance may continue.")
    link: Bool = Flag("Whether the member's newest connection is open at both ends.", shown=LINK)
    closing: Bool = Flag(
        "Whether the operating system of a dead process has closed the newest connection and the broker does "
        "not know yet."
    )
    leaving: Bool = Flag("Whether the member's `unregisterClient` request is in flight.")
    died: Bool = Flag("Whether the member's process died while the member was alive.")
    threw: Bool = Flag("Whether the member's `start()` has thrown an exception.")
    known: Bool = Flag("Whether a heartbeat of the member was ever registered.")
    second: Bool = Flag("Whether the member had another connection before its newest one.")
    finding: Bool = Flag(
        "Whether a heartbeat has found the group's record and is about to put the newest connection's channel into it."
    )
    orphan: Bool = Flag("Whether the found record has left the broker's table since.")
    mine: Bool = Flag("Whether the broker lists the channel of the newest connection.")
    at: Int = Number("Time of the last heartbeat on the newest connection that had one, or of the start.")
    old: Bool = Flag("Whether the broker lists the channel of an earlier connection; any one of several.")
    old_at: Int = Number(
        "Time at which a heartbeat from that earlier connection was last registered.", when=lambda s: s.old
    )
    others: Bool = Flag(
        "Whether the broker lists a further channel: of another member, or of a still earlier connection."
    )
    change: Int = Number(
        "Time of the last change: the member was started, its start threw, it left, or its connection was lost "
        "or made; or the broker restarted, removed the member, or registered a late heartbeat."
    )
    anew: Bool = Flag("Whether the member has connected and sends a heartbeat at once for that reason.")
    stale: Bool = Flag(
        "Whether the member's listing has changed while others were listed, without a notification since.",
        shown=STALE,
    )
    stale_at: Int = Number("Time of the first change without a notification.", when=lambda s: s.stale)
    collected: Bool = Flag("Whether a notification of the group is collected (`consumerChannelMap`).")
    copying: Bool = Flag("Whether the collected notifications were copied and will be replaced by an empty map.")
    taken: Bool = Flag("Whether the copy contains the group.")
    flushed: Int = Number("Time of the last replacement by an empty map.")
    scanned: Int = Number("Time of the broker's last scan.")
    moved: Bool = Flag("Whether the topic's route has changed at the name servers, for the last time.")
    moved_at: Int = Number("Time of the route's change.", when=lambda s: s.moved)
    polled: Int = Number("Time of the last answer about the route.")
    seen: Bool = Flag("Whether the last answer was the changed route.")


@record
class Said(Record):
    """Choices of an action that the model leaves open, mostly how the broker notifies members."""

    more: Bool = Flag("Whether other channels stay.")
    keeps: Bool = Flag(
        "Whether the observed earlier connection stays the same. It can if it is listed or the newest one is not."
    )
    first: Bool = Flag(
        "Whether the broker learns of the end of a connection that its scan closes before the channel is "
        "removed from the group. The scan of producers closes it too, and runs first."
    )
    off: Bool = Flag("Whether the broker sends no notifications (`notifyConsumerIdsChangedEnable` is false).")
    later: Bool = Flag("Whether the broker collects notifications (`realTimeNotifyConsumerChange` is false).")


@record
class Limits(Record):
    """Limits in ms, each a number or a term."""

    beat: Int = Limit(
        "The longest time between two heartbeats of a member at this broker: `heartbeatBrokerInterval`, plus "
        "the time to send to all brokers in turn.",
        "maxHeartbeatGap",
        30_000,
    )
    expired: Int = Limit(
        "Time without a heartbeat after which a scan removes a channel (`channelExpiredTimeout`; a constant up "
        "to 5.0).",
        "channelExpiredTimeout",
        120_000,
    )
    scan: Int = Limit("The longest time between two scans (`ClientHousekeepingService`).", "maxScanGap", 10_000)
    collect: Int = Limit(
        "The longest time between two rounds of sending collected notifications.", "maxSendGap", 15_000
    )
    poll: Int = Limit(
        "The longest time between two answers about a route: `pollNameServerInterval`, plus the time that a "
        "poll takes.",
        "maxPollGap",
        30_000,
    )


DEFAULTS = defaults(Limits)
"""The default settings of client and broker, without delays."""
BEAT, COLLECT, POLL = (limit(Limits, name) for name in ("beat", "collect", "poll"))
REMOVED = limit(Limits, "expired") + limit(Limits, "scan")
"""Longest time until the broker removes a channel without heartbeats."""
