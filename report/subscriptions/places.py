"""Places of the claims about subscriptions: circumstances in rows, clients in columns."""

from rebalance_proofs.proofs.claim import Claim
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
from rebalance_proofs.report.runs import Places

__all__ = ["PLACES", "SUBSCRIPTIONS"]

SUBSCRIPTIONS = Family(
    "subscriptions",
    "Subscriptions",
    "What the members of a group do to each other's subscriptions: a broker has one table for all of them. The last "
    "heartbeat decides its topics, the newest version the tags, and pulls are checked by it.",
    ("Claim", "When"),
    spelled_out=True,
    table=BY_CLIENT,
)
WHEN = {
    ALIKE: "when all members subscribe to the same topics",
    ANY: "whatever members subscribe to",
    APART: "when a member subscribes to a topic and another one does not",
    FREE: "when all members subscribe to the same topics, and no heartbeat was under way",
    ADDED: "when a heartbeat may take any time, and none was under way",
    QUICK: "when a heartbeat takes less time than first pulls are put off, and none was under way",
    ONLY_ONE: "when no other member has the topic, and heartbeats of others leave the member time for a pull",
    SKIPPED: "when all members subscribe to the same topics, even if its heartbeat is skipped because one is under way",
    FORGOTTEN: "when all members subscribe to the same topics, or after the broker has forgotten the group",
    FOLLOWED: "when the heartbeat of a member without the topic comes at once after each of the member's",
    ROOM: "when heartbeats of members without the topic leave the member time for a pull after its own",
    SAME_TAGS: "when all members have the same expression",
    NEWEST: "when no other member's version is as new",
    POSTING: "when the member sends its expression with its pulls",
}


def when(claim: Claim) -> str:
    """The row of a claim: the premises, or the consequence of dropping one."""
    return f"even if {claim.world.otherwise}" if claim.world.dropped else WHEN[claim.world]


PLACES = Places(SUBSCRIPTIONS, when)
