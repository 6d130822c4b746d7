"""Why no recorded group needed an action, or rejects a wrong encoding: each has a reason of its own."""

from collections.abc import Mapping
from dataclasses import dataclass

__all__ = ["FAULTS", "NOT_NEEDED", "NOT_REJECTED", "Tale"]


@dataclass(frozen=True)
class Tale:
    """A fault of a declaration, put to the recordings."""

    what: str
    rejected_by: str = ""
    """A packaged recording that is not accepted with it; empty if there is none."""
    why_not: str = ""


SKIPPED = "Whether a pull has skipped a message that its consumer asked for is shown by no event."
RESET = "No offset was reset."
REPLICA = "No recorded broker has a replica."
NOTED = (
    "The recorded listener waits, and so an interrupt ends its wait and leaves no status: its thread notes the offset, "
    "if its entry is still there."
)
ILLEGAL = "No broker has called an offset illegal: none was beyond the end of its queue, or before its begin."

NOT_NEEDED: Mapping[str, Mapping[str, str]] = {
    "settling": {},
    "registry": {
        "throws": "A recorded process ends as its `start()` throws, so that nobody sees whether its member goes on.",
        "loses": "Each good-bye that was sent came: no connection ended between the two.",
        "lags": "No look lists an earlier connection that was not listed before.",
        "straggles": "No look lists a connection again that had ended, until there is a newer one.",
        "closes_old": "The earlier connections that a newer one left listed were removed by a scan: nobody was told.",
        "others_come": "Others' connections are taken as a look shows them: their steps are allowed there, uncounted.",
        "others_go": "As those of others that come: what the next look has of them says the same.",
        "refreshes": "It takes a member whose good-bye was lost, in a process that goes on: each good-bye came.",
    },
    "ordered": {},
    "pulls": {
        "illegal": ILLEGAL,
        "repairs": "It follows an illegal offset, and there was none.",
        "overtime": "Each pull found its connection in time: brokers ran on the members' machine.",
    },
    "subscriptions": {
        "pulled": "Its one effect is a message that another member misses, and no event shows who should have had it.",
    },
    "offsets": {
        "fails": "Recorded listeners return success, or are interrupted.",
        "forgets": "No request shows what `persistAll` forgets of a queue without an entry, and a new entry's offset "
        "replaces it.",
        "suspends": RESET,
        "rewinds": RESET,
        "retires": RESET,
        "returns_interrupted": NOTED,
        "cleans": "No listener took the 15 minutes of `consumeTimeout`.",
        "replicates": REPLICA,
        "swaps": REPLICA,
        "overtaken": "Each first pull heard its answer while its entry was there.",
        "others_fail": "It follows `returns_interrupted`.",
    },
}
"""Machine -> action -> why no behaviour of a packaged recording needed it."""

NOT_REJECTED: Mapping[str, Mapping[str, str]] = {
    "settling": {
        "hurries": "A real thread that waits for the least interval does what it allows.",
    },
    "registry": {
        "throws-on": "No process of 5.3.2 or later went on after its `start()` had thrown.",
    },
    "ordered": {
        "renews-on": "Which locks are to be renewed is asked by claims, and by no action.",
        "hears-too-much": "The step that it forbids, of a renewal heard of when the entry has gone, changes nothing "
        "that is seen.",
        "waits-for-nothing": "Real shutdowns wait, and what it allows is to wait less.",
        "pulls-at-once": "Real first pulls wait, and what it allows is to pull before.",
    },
    "pulls": {
        "stamps-sent": "No pull was put off for the two minutes after which its entry is taken for one that is not "
        "pulled.",
        "repairs-others-hits-own-entry": ILLEGAL,
        "repairs-others-repairs-while-held": ILLEGAL,
    },
    "subscriptions": {
        "filters-posted": SKIPPED,
        "older-is-fine": SKIPPED,
        "stays-known": "Whether another member's fingerprint is the same is shown by no event: both are tried.",
        "at-once": "Real first pulls wait, and what it allows is to pull before.",
    },
    "offsets": {
        "records-the-pull": "It only allows more: an offset that is noted while messages wait, and no client did that.",
        "drops-failures": "Recorded listeners return success, or are interrupted.",
        "taken-out": NOTED,
        "careless": "Each first pull had its answer.",
    },
}
"""Machine -> pinned wrong encoding -> why no packaged recording rejects it."""

OF_CLAIMS = "Claims alone speak of that, and no event shows it."
UNASKED = "Which locks are to be renewed is asked by claims, and by no action."
FAULTS: Mapping[str, Mapping[str, Tale]] = {
    "settling": {
        "terms-wait-longer": Tale(
            "a rebalance that is too early is put off for too long",
            why_not="A thread that wakes a second late is not too early, and is within its slack of 2 s.",
        ),
    },
    "registry": {
        "terms-scan-sooner": Tale("a scan removes channels after its own interval", "java-5.3.3/half_open"),
        "terms-scan-tells": Tale(
            "each scan that removes a channel notifies",
            why_not="A scan that notifies nobody leaves the member that it removed, and no notification is missed: "
            "those that come are explained.",
        ),
    },
    "ordered": {
        "terms-trust-longer": Tale(
            "a lock is trusted in for a millisecond more",
            why_not="No listener was called in the millisecond in which a lock becomes too old.",
        ),
        "terms-call-twice": Tale(
            "a listener is called while it is called", why_not="It only allows more, and no real listener was."
        ),
        "terms-renew-marked-entries": Tale("marked entries are renewed", why_not=UNASKED),
        "terms-pull-at-once": Tale(
            "a first pull is not put off", why_not="It only allows more, and real first pulls wait."
        ),
        "the-second-renewer-ends-with-the-shutdown": Tale("renewals end with the shutdown", why_not=UNASKED),
    },
    "pulls": {
        "terms-lose-what-is-put-off": Tale("a request that is put off is lost", "java-5.3.3/thrown"),
    },
    "subscriptions": {
        "terms-refuse-nothing-old": Tale("no pull is refused as its version is newer", "java-4.9.8/lost_locks"),
        "a-tick-is-a-beat-late": Tale("every other periodic heartbeat is left out", "java-4.9.8/c2_ordered_long"),
        "first-pulls-are-not-put-off": Tale(
            "first pulls are not put off", why_not="It only allows more, and real first pulls wait."
        ),
        "answer-of-v2-is-not-heard": Tale(
            "a client that is told that the group has changed thinks all the same that the broker has its own",
            why_not="Whether another member's fingerprint is the same is shown by no event: both are tried.",
        ),
    },
    "offsets": {
        "terms-begin-too-late": Tale("an entry begins one message too late", "java-4.9.8/j_shutdown"),
        "first-pull-forgotten": Tale(
            "the first pull's answer is not where the entry begins",
            why_not="Each first pull heard the offset that the rebalance had heard.",
        ),
        "forgets-only-what-has-gone": Tale(
            "`persistAll` forgets no offset of a queue that has an entry by then",
            why_not="No queue came back to its table while `persistAll` was under way.",
        ),
        "all-is-overtime": Tale("each message consumed by a late call counts as overtime", why_not=OF_CLAIMS),
        "half-done-without-an-interrupt": Tale(
            "a listener's work is half done though nobody has interrupted it",
            why_not="It only allows more, and listeners say where they were interrupted.",
        ),
        "replica-knows-all": Tale("a replica answers what is committed", why_not=REPLICA),
    },
}
"""Machine -> fault of its declaration, as `tests/faults` put them in one at a time -> what recordings say to it."""
