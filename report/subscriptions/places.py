"""Places of the claims about subscriptions: circumstances in rows, clients in columns."""

from rebalance_proofs.proofs.subscriptions.members import (
    ADDED,
    ALIKE,
    ANY,
    APART,
    FOLLOWED,
    FORGOTTEN,
    FREE,
    NEWEST,
    ONLY_ONE,
    POSTING,
    QUICK,
    ROOM,
    SAME_TAGS,
    SKIPPED,
)
from rebalance_proofs.report.family import BY_CLIENT, Family
from rebalance_proofs.report.runs import Places, circumstances

__all__ = ["PLACES", "SUBSCRIPTIONS"]

SUBSCRIPTIONS = Family(
    "subscriptions",
    "Subscriptions",
    "How members of a group affect each other's subscriptions. A broker has one table for all of them. The last "
    "heartbeat sets its topics, the newest version sets the tags, and the broker checks pulls against it.",
    ("Claim", "When"),
    spelled_out=True,
    table=BY_CLIENT,
)
WHEN = {
    ALIKE.name: "when all members subscribe to the same topics",
    ANY.name: "whatever members subscribe to",
    APART.name: "when a member subscribes to a topic and another one does not",
    FREE.name: "when all members subscribe to the same topics, and no heartbeat was under way",
    ADDED.name: "when a heartbeat may take any time, and none was under way",
    QUICK.name: "when a heartbeat takes less time than first pulls are put off, and none was under way",
    ONLY_ONE.name: "when no other member has the topic, and heartbeats of others leave the member time for a pull",
    SKIPPED.name: "when all members subscribe to the same topics, even if its heartbeat is skipped because one is "
    "under way",
    FORGOTTEN.name: "when all members subscribe to the same topics, or after the broker has forgotten the group",
    FOLLOWED.name: "when the heartbeat of a member without the topic comes at once after each of the member's",
    ROOM.name: "when heartbeats of members without the topic leave the member time for a pull after its own",
    SAME_TAGS.name: "when all members have the same expression",
    NEWEST.name: "when no other member's version is as new",
    POSTING.name: "when the member sends its expression with its pulls",
}


PLACES = Places(SUBSCRIPTIONS, circumstances(WHEN))
