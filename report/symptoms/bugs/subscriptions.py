"""Bugs in a group's subscriptions at a broker."""

from rebalance_proofs.report.symptoms.bug import Bug, Said
from rebalance_proofs.report.symptoms.bugs.of_claims import of
from rebalance_proofs.report.symptoms.causes.of_clients import subscriptions

__all__ = ["BUGS"]

BUGS = (
    Bug(
        "Members that subscribe to different topics overwrite each other's subscriptions at the broker.",
        92,
        present=of(subscriptions("calm.without-alike", "accepted.without-alike", "answered.without-room")),
    ),
    Bug(
        "Members that subscribe to a topic with different tags skip each other's messages, and their own.",
        present=of(subscriptions("own-tags.without-same-tags", "all-tags.without-same-tags")),
    ),
    Bug(
        "A consumer whose share changes is refused for up to a period of heartbeats, because its own is skipped.",
        3434,
        present=of(subscriptions("accepted-soon.without-free")),
    ),
    Bug(
        "With heartbeat V2 a broker is not told again of a change whose heartbeat was skipped.",
        present=of(subscriptions("accepted", v2=True)),
        absent=of(subscriptions("accepted")),
    ),
    Bug(
        "The first pull of a queue overtakes the heartbeat that tells a broker its owner's new version: it is refused.",
        present=(
            Said("subscriptions.java_v4_9.first-pull"),
            Said("subscriptions.java_v5_0_to_v5_3.first-pull.without-soon"),
        ),
        absent=(
            Said(
                "subscriptions.java_v5_0_to_v5_3.first-pull", "Java 5.0 to 5.3.3, where heartbeats take less than 0.5 s"
            ),
        ),
    ),
    Bug(
        "With heartbeat V2 a topic that a heartbeat without it took away does not come back with a member's next one.",
        present=of(subscriptions("answered", v2=True)),
        absent=of(subscriptions("answered")),
    ),
    Bug(
        "With heartbeat V2 a broker that has forgotten a group is not told its subscriptions again.",
        present=of(subscriptions("accepted.forgotten", v2=True)),
        absent=of(subscriptions("accepted.forgotten")),
    ),
    Bug(
        "The lock of heartbeats is not given back by a client that has neither consumers nor producers.",
        10046,
        not_modelled="such a client has no pulls; one that is started has a producer of its own",
        unseen="a client without consumers has no queues",
    ),
)
