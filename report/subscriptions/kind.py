"""How reports show claims about subscriptions: the functions that all reports use."""

from rebalance_proofs.model.machine.run import Run
from rebalance_proofs.model.machine.values import number
from rebalance_proofs.model.subscriptions.state import BROKER, MEMBER, Limits, Subscription
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.subscriptions.configuration import CONFIGURATION
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
from rebalance_proofs.report.claims.enumeration import Actions
from rebalance_proofs.report.claims.runs import Places, circumstances
from rebalance_proofs.report.family import BY_CLIENT, Family
from rebalance_proofs.report.machine.shown import Telling, machine_shown
from rebalance_proofs.spark_enum.subscriptions.kinds import HEARTBEATS

# Table layout of claims about subscriptions: circumstances in rows, clients in columns.

SUBSCRIPTIONS_PLACES = Family(
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


PLACES = Places(SUBSCRIPTIONS_PLACES, circumstances(WHEN))


def about(claim: Claim) -> str:
    """Return a sentence about the code that the claim covers."""
    return f"One member of a group of {claim.subjects[0].rocketmq_name}, all others, and one broker."


def given(run: Run[Subscription, Limits]) -> str:
    """Return the first line of a counterexample in words: the time limits."""
    lim = run.limits
    told = {
        "heartbeats are due every": lim.period,
        "one round takes at most": lim.beat,
        "a refused pull is retried within": lim.retry,
    }
    if run.client.delays:
        told["a first pull waits for"] = lim.delay
    begin = "One member, which has just registered, subscribes to a topic with a tag"
    return f"{begin}. Limits: {', '.join(f'{words} {number(value) / 1000:g} s' for words, value in told.items())}."


SUBSCRIPTIONS = machine_shown(
    Telling(CONFIGURATION, given, parties=(MEMBER, BROKER)),
    PLACES,
    about,
    none=f"a member does not reach this in {CONFIGURATION.end} ticks",
    around="1 member, 1 topic",
    actions=Actions(
        HEARTBEATS, "subscriptions", "with subscriptions", "a subscription", "the code of client and broker"
    ),
)
