"""Table layout of claims about subscriptions: circumstances in rows, clients in columns."""

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
    ALIKE.name: "if all members have the same topics",
    ANY.name: "whatever members subscribe to",
    APART.name: "if members subscribe to different topics",
    FREE.name: "if topics are the same and no heartbeat is under way",
    ADDED.name: "if heartbeats take any time and none is under way",
    QUICK.name: "if heartbeats are shorter than the first-pull delay and none is under way",
    ONLY_ONE.name: "if no other member has the topic, and a pull precedes others' heartbeats",
    SKIPPED.name: "if topics are the same, even if its heartbeat is skipped",
    FORGOTTEN.name: "if topics are the same, even after a group loss",
    FOLLOWED.name: "if a heartbeat without the topic always follows its own",
    ROOM.name: "if a pull precedes the heartbeats of members without the topic",
    SAME_TAGS.name: "if all members have the same expression",
    NEWEST.name: "if its version is the newest",
    POSTING.name: "if pulls carry the expression",
}


PLACES = Places(SUBSCRIPTIONS, circumstances(WHEN))
