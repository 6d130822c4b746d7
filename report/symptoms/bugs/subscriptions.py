"""Bugs in a group's subscriptions at a broker."""

from rebalance_proofs.model.releases import java_from
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
        "Members that subscribe to a topic with different tags skip each other's messages, and even their own.",
        present=of(subscriptions("own-tags.without-same-tags", "all-tags.without-same-tags")),
    ),
    Bug(
        "After a consumer's share changes, a broker refuses it for up to a heartbeat period, because its heartbeat is "
        "skipped.",
        3434,
        present=of(subscriptions("accepted-soon.without-free")),
    ),
    Bug(
        "With heartbeat V2, the client does not repeat a change whose heartbeat was skipped.",
        present=of(subscriptions("accepted", v2=True)),
        absent=of(subscriptions("accepted")),
    ),
    Bug(
        "The first pull of a queue overtakes the heartbeat with the owner's new subscription version, and the broker "
        "refuses it.",
        present=(
            Said("subscriptions.java_v4_9.first-pull"),
            Said("subscriptions.java_v5_0_to_v5_3.first-pull.without-soon"),
        ),
        absent=(
            Said(
                "subscriptions.java_v5_0_to_v5_3.first-pull", f"{java_from('5.0')}, if heartbeats take less than 0.5 s"
            ),
        ),
    ),
    Bug(
        "With heartbeat V2, a topic that another member's heartbeat removed does not return with a member's next "
        "heartbeat.",
        present=of(subscriptions("answered", v2=True)),
        absent=of(subscriptions("answered")),
    ),
    Bug(
        "With heartbeat V2, a broker that forgot a group does not get its subscriptions again.",
        present=of(subscriptions("accepted.forgotten", v2=True)),
        absent=of(subscriptions("accepted.forgotten")),
    ),
    Bug(
        "A client without consumers and producers does not release its heartbeat lock.",
        10046,
        not_modelled="such a client does not pull; a started client has a producer of its own",
        unseen="a client without consumers has no queues",
    ),
)
