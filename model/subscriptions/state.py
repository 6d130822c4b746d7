"""State of one topic's subscription at a broker and of one member, actions' choices, and differences between
clients."""

from dataclasses import dataclass
from typing import Annotated, Protocol

from rebalance_proofs.model.machine.record import Record, Shown, Timed, Variable
from rebalance_proofs.model.machine.values import Bool, If, Int, Not, Or

__all__ = ["BROKER", "DONE", "FLIES", "IDLE", "MEMBER", "TOGO", "Choices", "Subscription", "Variant", "refuses"]

IDLE, TOGO, FLIES, DONE = range(4)
"""Progress of the member's heartbeat: none under way, so its lock is free; begun, but not yet made for this broker; on
its way to it; arrived, but not over (other brokers, or the answer, are outstanding)."""
MEMBER, BROKER = "member", "broker"
HEARTBEAT = Shown(
    "heartbeat",
    {IDLE: "none", TOGO: "has begun", FLIES: "on its way", DONE: "has come"},
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
    """One arbitrary topic in the broker's table of the group, and one member. Times and versions are in ms."""

    subscribes: Annotated[Bool, Variable("The member subscribes to the topic.")]
    mine: Annotated[
        Int,
        Variable(
            "The member's version of its subscription (`subVersion`): the time of its last change.",
            shown=Shown("version"),
        ),
    ]
    at: Annotated[Int, Variable("Progress of the member's heartbeat.", most=DONE, shown=HEARTBEAT)]
    began: Annotated[Int, Variable("When that heartbeat began.", matters=lambda s: s.at != IDLE)]
    next: Annotated[Int, Variable("When the next periodic heartbeat is due.")]
    carried: Annotated[Int, Variable("The version in the heartbeat that is on its way.", matters=_flies)]
    full: Annotated[
        Bool,
        Variable(
            "That heartbeat has the subscriptions: not with V2 where the client believes that the broker has them.",
            matters=_flies,
        ),
    ]
    known: Annotated[Bool, Variable("The client believes that (`brokerAddrHeartbeatFingerprintTable`).")]
    has: Annotated[Bool, Variable("Whether the broker's table of the group has the topic.", shown=TABLE)]
    latest: Annotated[
        Int,
        Variable(
            "The topic's version in the table.",
            matters=_has,
            shown=Shown("version in table", name="version", of=lambda s: If(s.has, s.latest, 0), party=BROKER),
        ),
    ]
    matches: Annotated[
        Bool,
        Variable(
            "The broker's expression takes the message: one arbitrary that the member's own expression takes.",
            matters=_has,
        ),
    ]
    agrees: Annotated[
        Bool,
        Variable(
            "The broker's fingerprint of the group is the member's, or it has none (`consumerGroupHeartbeatTable`)."
        ),
    ]
    heard: Annotated[Int, Variable("When the member's last heartbeat came.", ghost=True)]
    left: Annotated[
        Int, Variable("When the last heartbeat came of a member that does not subscribe to the topic.", ghost=True)
    ]
    changed: Annotated[Int, Variable("When a heartbeat last put the topic into the table, or took it out.", ghost=True)]
    moved: Annotated[Int, Variable("When the member last raised its version, or the broker forgot the group.")]
    refused: Annotated[Bool, Variable("Whether the member's last pull was refused.", shown=REFUSED)]
    asked: Annotated[Int, Variable("When that pull came.", matters=_refused, ghost=True)]
    first: Annotated[
        Int, Variable("When the first pull was refused since one was let through.", matters=_refused, ghost=True)
    ]
    opened: Annotated[
        Int,
        Variable(
            "When the last heartbeat came after which pulls would be let through, and before which they would not.",
            matters=_refused,
            ghost=True,
        ),
    ]
    had: Annotated[Bool, Variable("The last heartbeat that came, of whichever member, had the topic.", ghost=True)]
    odd: Annotated[
        Bool,
        Variable(
            "A heartbeat has changed the table though the one before had equal topics, or has not though it had not.",
            ghost=True,
        ),
    ]
    stirred: Annotated[Bool, Variable("A heartbeat has changed the table.", ghost=True)]
    lost: Annotated[Bool, Variable("A pull of the member was let through and has skipped the message.")]
    missed: Annotated[Bool, Variable("A pull of another member was let through and has skipped the message.")]
    fresh: Annotated[
        Bool,
        Variable("The last change of the member's table has added a queue, which it has not pulled yet."),
    ]
    barred: Annotated[Bool, Variable("The first pull of such a queue was refused.", ghost=True)]
    notified: Annotated[
        Int,
        Variable(
            "How often the broker has notified the members, as the topic came into the table, or went.",
            ghost=True,
            shown=Shown("notifications", party=BROKER),
        ),
    ]


@dataclass(frozen=True)
class Choices(Record):
    """Nondeterministic choices of another member's action."""

    topic: Annotated[Bool, Variable("It subscribes to the topic.")]
    takes: Annotated[Bool, Variable("Its expression takes the message.")]
    same: Annotated[Bool, Variable("Its fingerprint is the member's.")]
    newer: Annotated[Bool, Variable("Its version is the present time.")]
    version: Annotated[Int, Variable("Its version, where that is not the present time.")]


class Variant(Protocol):
    """The properties in which clients differ."""

    @property
    def fingerprints(self) -> bool:
        """Whether the client uses heartbeat V2."""

    @property
    def delays(self) -> bool:
        """Whether the first pull of a queue is put off."""


def refuses(s: Subscription) -> Bool:
    """Whether a pull of the member is refused: ``SUBSCRIPTION_NOT_EXIST``, ``SUBSCRIPTION_NOT_LATEST``."""
    return Or(Not(s.has), s.latest < s.mine)
