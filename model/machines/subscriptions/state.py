"""State of one topic's subscription at the broker and at one member, and the time limits.

A member is a consumer of the group. Its version is the time of its subscription's last change. One message of the topic
is observed, "the message".
"""

from rebalance_proofs.model.machine.fields import Flag, Ghost, Limit, Number, defaults, limit, record
from rebalance_proofs.model.machine.record import Record, Shown, Timed
from rebalance_proofs.model.machine.values import Bool, If, Int, twice
from rebalance_proofs.model.subscriptions import DONE, FLIES, IDLE, TOGO

PARTIES = MEMBER, BROKER = "member", "broker"
HEARTBEAT = Shown(
    "heartbeat",
    {IDLE: "none", TOGO: "begun", FLIES: "in flight", DONE: "arrived"},
    "heartbeat",
    ("none", "begun", "sent", "come"),
)
VERSION = Shown("subVersion in table", name="version", of=lambda s: If(s.has, s.latest, 0), party=BROKER)
TABLED = Shown("topic in table", {True: "yes", False: "no"}, party=BROKER)
REFUSED = Shown("last pull", {True: "refused", False: "–"})


def _flies(s: "Subscription") -> Bool:
    return s.at == FLIES


def _has(s: "Subscription") -> Bool:
    return s.has


def _refused(s: "Subscription") -> Bool:
    return s.refused


@record
class Subscription(Timed):
    """State of one arbitrary topic in the broker's record of the group, and of one member.

    Times and versions are in ms.
    """

    subscribes: Bool = Flag("Whether the member subscribes to the topic.")
    mine: Int = Number(
        "The member's `subVersion`: the time of the last change of its subscription.", shown=Shown("subVersion")
    )
    at: Int = Number("Progress of the member's heartbeat.", most=DONE, shown=HEARTBEAT)
    began: Int = Number("Time at which that heartbeat began.", when=lambda s: s.at != IDLE)
    next: Int = Number("Time at which the next periodic heartbeat is due.")
    carried: Int = Number("Version in the heartbeat in flight.", when=_flies)
    full: Bool = Flag(
        "Whether that heartbeat carries the subscriptions. With V2 it does not if the client believes that the "
        "broker has them.",
        when=_flies,
    )
    known: Bool = Flag(
        "Whether the client believes that the broker has its subscriptions (`brokerAddrHeartbeatFingerprintTable`)."
    )
    has: Bool = Flag("Whether the broker's table of the group has the topic.", shown=TABLED)
    latest: Int = Number("The topic's version in the broker's table.", when=_has, shown=VERSION)
    matches: Bool = Flag(
        "Whether the broker's expression matches the message, an arbitrary one that the member's expression matches.",
        when=_has,
    )
    agrees: Bool = Flag(
        "Whether the broker's fingerprint of the group equals the member's or is missing "
        "(`consumerGroupHeartbeatTable`)."
    )
    heard: Int = Ghost("Time at which the member's last heartbeat arrived.")
    left: Int = Ghost("Time of the last heartbeat of a member without the topic.")
    changed: Int = Ghost("Time at which a heartbeat last added the topic to the table or removed it.")
    moved: Int = Number("Time at which the member last raised its version, or the broker lost the group's record.")
    refused: Bool = Flag("Whether the member's last pull was refused.", shown=REFUSED)
    asked: Int = Ghost("Time of the last refused pull.", when=_refused)
    first: Int = Ghost("Time of the first refused pull since an accepted one.", when=_refused)
    opened: Int = Ghost(
        "Time of the last heartbeat since which pulls would be accepted and before which they would be refused.",
        when=_refused,
    )
    had: Bool = Ghost("Whether the last heartbeat of any member carried the topic.")
    odd: Bool = Ghost(
        "Whether a heartbeat has changed the table although the previous one had the same topics, or has not "
        "changed it although the topics differ."
    )
    stirred: Bool = Ghost("Whether a heartbeat has changed the table.")
    lost: Bool = Flag("Whether a pull of the member that the broker did not refuse has skipped the message.")
    missed: Bool = Flag("Whether a pull of another member that the broker did not refuse has skipped the message.")
    fresh: Bool = Flag("Whether the last change of the member's table has added a queue that was not pulled yet.")
    barred: Bool = Ghost("Whether the first pull of an added queue was refused.")
    notified: Int = Ghost(
        "Number of times that the broker has notified the members because the topic was added to the table or removed.",
        shown=Shown("notifications", party=BROKER),
    )


@record
class Choices(Record):
    """Choices of an action that the model leaves open, mostly about another member's request."""

    topic: Bool = Flag("Whether the other member subscribes to the topic.")
    takes: Bool = Flag("Whether the other member's expression matches the message.")
    same: Bool = Flag("Whether the other member's fingerprint equals the member's.")
    newer: Bool = Flag("Whether the other member's version is the present time.")
    version: Int = Number("The other member's version, if it is not the present time.")


@record
class Limits(Record):
    """Time limits of subscriptions in ms, each a number or a term."""

    period: Int = Limit(
        "Period of a client's heartbeats (`heartbeatBrokerInterval`).", "heartbeatBrokerInterval", 30_000
    )
    # The default assumes that one of all brokers does not answer.
    beat: Int = Limit(
        "The longest time of one heartbeat to all brokers. The client waits at most 3 s for each broker "
        "(`mqClientApiTimeout`); nothing limits the total.",
        "maxHeartbeat",
        3_000,
    )
    # The default assumes that a pull takes no time to travel.
    retry: Int = Limit(
        "The longest time from a refusal to the next pull of the queue, as the broker observes them. The "
        "setting is `pullTimeDelayMillsWhenException`: 1 s in `ClientConfig`, whose value replaces the 3 s of "
        "`DefaultMQPushConsumerImpl` from 4.6.0 on.",
        "maxPullGap",
        1_000,
    )
    apart: Int = Limit(
        "The longest time between two heartbeats of one member, as the broker observes them.",
        "maxHeartbeatGap",
        33_000,
    )
    delay: Int = Limit(
        "Delay of the first pull of an added queue (`dispatchPullRequest`), from 5.0 on; up to 4.9.8 it is sent "
        "at once.",
        "firstPullDelay",
        500,
    )


DEFAULTS = defaults(Limits)
"""Default settings for ``period``, ``retry`` and ``delay``; the others are assumptions."""
BEAT, APART = limit(Limits, "beat"), limit(Limits, "apart")
SKIPPED_BEAT = limit(Limits, "period") + twice(BEAT)
"""Longest time until a heartbeat brings a change that sent no heartbeat itself.

The client skips the heartbeat for a change while another heartbeat is running.
"""
