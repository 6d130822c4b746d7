"""State of one topic's subscription at a broker and of one member.

Also: the nondeterministic choices of actions, and differences between clients.
"""

from dataclasses import dataclass
from typing import Annotated, Protocol

from rebalance_proofs.model.machine.record import Record, Shown, Timed, Variable
from rebalance_proofs.model.machine.values import Bool, If, Int, Not, Or

# Time limits of a group's subscriptions, in ms.


@dataclass(frozen=True)
class Limits(Record):
    """Time limits of subscriptions in ms, each a number or a term."""

    period: Annotated[Int, Variable("Period of a client's heartbeats (`heartbeatBrokerInterval`).")]
    beat: Annotated[
        Int,
        Variable(
            "The longest time of one heartbeat to all brokers. The client waits at most 3 s for each broker "
            "(`mqClientApiTimeout`); nothing limits the total."
        ),
    ]
    retry: Annotated[
        Int,
        Variable(
            "The longest time from a refusal to the next pull of the queue, as the broker observes them. The "
            "setting is `pullTimeDelayMillsWhenException`: 1 s in `ClientConfig`, whose value replaces the 3 s of "
            "`DefaultMQPushConsumerImpl` from 4.6.0 on."
        ),
    ]
    apart: Annotated[
        Int, Variable("The longest time between two heartbeats of one member, as the broker observes them.")
    ]
    delay: Annotated[
        Int,
        Variable(
            "Delay of the first pull of an added queue (`dispatchPullRequest`), from 5.0 on; up to 4.9.8 it is sent "
            "at once."
        ),
    ]


DEFAULTS = Limits(period=30_000, beat=3_000, retry=1_000, apart=33_000, delay=500)
"""Default settings for ``period``, ``retry`` and ``delay``; the others are assumptions.

The assumptions are that one of all brokers does not answer, and that a pull takes no time to travel.
"""


IDLE, TOGO, FLIES, DONE = range(4)
"""Progress of the member's heartbeat.

In order: none in progress, so the lock is free; begun, but not yet created for this broker; in flight to it; arrived,
but not ended, because other brokers or the answer are outstanding.
"""
MEMBER, BROKER = "member", "broker"
HEARTBEAT = Shown(
    "heartbeat",
    {IDLE: "none", TOGO: "begun", FLIES: "in flight", DONE: "arrived"},
    "heartbeat",
    ("none", "begun", "sent", "come"),
)
REFUSED = Shown("last pull", {True: "refused", False: "–"})
TABLE = Shown("topic in table", {True: "yes", False: "no"}, party=BROKER)


def _flies(s: "Subscription") -> Bool:
    return s.at == FLIES


def _has(s: "Subscription") -> Bool:
    return s.has


def _refused(s: "Subscription") -> Bool:
    return s.refused


@dataclass(frozen=True)
class Subscription(Timed):
    """State of one arbitrary topic in the broker's record of the group, and of one member.

    Times and versions are in ms.
    """

    subscribes: Annotated[Bool, Variable("Whether the member subscribes to the topic.")]
    mine: Annotated[
        Int,
        Variable(
            "The member's `subVersion`: the time of the last change of its subscription.",
            shown=Shown("subVersion"),
        ),
    ]
    at: Annotated[Int, Variable("Progress of the member's heartbeat.", most=DONE, shown=HEARTBEAT)]
    began: Annotated[Int, Variable("Time at which that heartbeat began.", matters=lambda s: s.at != IDLE)]
    next: Annotated[Int, Variable("Time at which the next periodic heartbeat is due.")]
    carried: Annotated[Int, Variable("Version in the heartbeat in flight.", matters=_flies)]
    full: Annotated[
        Bool,
        Variable(
            "Whether that heartbeat carries the subscriptions. With V2 it does not if the client believes that the "
            "broker has them.",
            matters=_flies,
        ),
    ]
    known: Annotated[
        Bool,
        Variable(
            "Whether the client believes that the broker has its subscriptions (`brokerAddrHeartbeatFingerprintTable`)."
        ),
    ]
    has: Annotated[Bool, Variable("Whether the broker's table of the group has the topic.", shown=TABLE)]
    latest: Annotated[
        Int,
        Variable(
            "The topic's version in the broker's table.",
            matters=_has,
            shown=Shown("subVersion in table", name="version", of=lambda s: If(s.has, s.latest, 0), party=BROKER),
        ),
    ]
    matches: Annotated[
        Bool,
        Variable(
            "Whether the broker's expression matches the message, an arbitrary one that the member's expression "
            "matches.",
            matters=_has,
        ),
    ]
    agrees: Annotated[
        Bool,
        Variable(
            "Whether the broker's fingerprint of the group equals the member's or is missing "
            "(`consumerGroupHeartbeatTable`)."
        ),
    ]
    heard: Annotated[Int, Variable("Time at which the member's last heartbeat arrived.", ghost=True)]
    left: Annotated[Int, Variable("Time of the last heartbeat of a member without the topic.", ghost=True)]
    changed: Annotated[
        Int, Variable(("Time at which a heartbeat last added the topic to the table or removed it."), ghost=True)
    ]
    moved: Annotated[
        Int, Variable("Time at which the member last raised its version, or the broker lost the group's record.")
    ]
    refused: Annotated[Bool, Variable("Whether the member's last pull was refused.", shown=REFUSED)]
    asked: Annotated[Int, Variable("Time of the last refused pull.", matters=_refused, ghost=True)]
    first: Annotated[
        Int, Variable("Time of the first refused pull since an accepted one.", matters=_refused, ghost=True)
    ]
    opened: Annotated[
        Int,
        Variable(
            "Time of the last heartbeat since which pulls would be accepted and before which they would be refused.",
            matters=_refused,
            ghost=True,
        ),
    ]
    had: Annotated[Bool, Variable("Whether the last heartbeat of any member carried the topic.", ghost=True)]
    odd: Annotated[
        Bool,
        Variable(
            "Whether a heartbeat has changed the table although the previous one had the same topics, or has not "
            "changed it although the topics differ.",
            ghost=True,
        ),
    ]
    stirred: Annotated[Bool, Variable("Whether a heartbeat has changed the table.", ghost=True)]
    lost: Annotated[
        Bool, Variable("Whether a pull of the member that the broker did not refuse has skipped the message.")
    ]
    missed: Annotated[
        Bool, Variable("Whether a pull of another member that the broker did not refuse has skipped the message.")
    ]
    fresh: Annotated[
        Bool,
        Variable("Whether the last change of the member's table has added a queue that was not pulled yet."),
    ]
    barred: Annotated[Bool, Variable("Whether the first pull of an added queue was refused.", ghost=True)]
    notified: Annotated[
        Int,
        Variable(
            "Number of times that the broker has notified the members because the topic was added to the table or "
            "removed.",
            ghost=True,
            shown=Shown("notifications", party=BROKER),
        ),
    ]


@dataclass(frozen=True)
class Choices(Record):
    """Choices of an action that the model leaves open, mostly about another member's request."""

    topic: Annotated[Bool, Variable("Whether the other member subscribes to the topic.")]
    takes: Annotated[Bool, Variable("Whether the other member's expression matches the message.")]
    same: Annotated[Bool, Variable("Whether the other member's fingerprint equals the member's.")]
    newer: Annotated[Bool, Variable("Whether the other member's version is the present time.")]
    version: Annotated[Int, Variable("The other member's version, if it is not the present time.")]


class Variant(Protocol):
    """Differences between clients in their heartbeats and pulls."""

    @property
    def fingerprints(self) -> bool:
        """Whether the client uses heartbeat V2."""

    @property
    def delays(self) -> bool:
        """Whether the client delays the first pull of a queue."""


def refuses(s: Subscription) -> Bool:
    """Check whether the broker refuses a pull of the member.

    Its answer is ``SUBSCRIPTION_NOT_EXIST`` or ``SUBSCRIPTION_NOT_LATEST``.
    """
    return Or(Not(s.has), s.latest < s.mine)
