"""Tests of the Java client's rebalance step: a counterexample about one queue, with a fake broker.

A test creates the client's own ``RebalancePushImpl``, calls its steps, and looks at its table, its offsets and the
broker's lock. Covered are counterexamples of push consumers with one queue and the client's own offset store.
"""

from collections.abc import Iterator, Mapping

from rebalance_proofs.model.transition.numbers import LOCKS, NO_OFFSET, PERSISTS
from rebalance_proofs.model.transition.rounds import Rounds
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.report.export.files import Body, Release

STORED = 100
"""The offset that the fake broker has stored."""
PACKAGE = "org.apache.rocketmq:rocketmq-client"
RELEASES: Mapping[str, str] = {
    "java_v4_9_1": "4.9.4",
    "java_v4_9": "4.9.8",
    "java_v5_0": "5.1.4",
    "java_v5_2": "5.3.1",
    "java_v5_5": "5.5.0",
}
"""Client of the model -> a release with this code."""
CHECKS: Mapping[str, str] = {
    "offset-kept": 'assertTrue(held() == null || offset() >= 0, "the offset of a kept process queue is gone");',
    "unlocked": 'assertEquals(held() != null, locked, "the broker\'s lock is held exactly with a process queue:");',
    "no-stray-lock": 'assertTrue(held() != null || !locked, "the broker\'s lock is held without a process queue");',
    "late-unlock": 'assertEquals(0, delayed.size(), "delayed unlocks when the client has a new process queue:");',
    "listener": 'assertTrue(!requests.contains("unlock"), "the broker\'s lock is released while the listener runs");',
    "renewed": 'assertTrue(requests.contains("lock"), "no broker is asked to renew the lock");',
    "no-group-lock": 'assertTrue(!requests.contains("lock"), "a broadcasting consumer asks for the group\'s lock");',
    "knows-lock": 'assertTrue(held().isLocked(), "the broker granted the lock, but the process queue is not locked");',
    "unsubscribed-lock": 'assertTrue(!locked, "the broker\'s lock is held for a topic that is not subscribed");',
    "unsubscribed-offset": 'assertTrue(requests.contains("update"), "the offset is not stored at unsubscribe");',
    "returns": 'assertTrue(held() != null && !held().isDropped(), "an assigned queue has no live process queue");',
}
"""Guarantee -> the statement that checks it in the end."""


def languages(claim: Claim) -> tuple[str, ...]:
    """Return the languages that have a writer for the claim."""
    known = claim.guarantee.name in CHECKS and len(claim.subjects) == 1 and claim.subjects[0].name in RELEASES
    return ("junit",) if known and "own-store" not in claim.id else ()


def body(claim: Claim, language: str, example: Counterexample) -> Body:
    """Return the parts of a claim's test. Raises ``LookupError`` if the counterexample has more than the test gives."""
    rounds: Rounds = example.group
    _require_plain(claim, rounds)
    queue = rounds.last.queues[0].queue
    (numbers,) = rounds.case.queues
    parts = {
        "TOPIC": queue.topic,
        "BROKER": queue.broker_name,
        "OFFSET": f"{max(numbers['memory'], 0)}",
        "STEPS": "\n".join(_steps(claim, rounds)),
        "CHECK": CHECKS[claim.guarantee.name],
    }
    release = Release(PACKAGE, RELEASES[claim.subjects[0].name])
    return Body(release, "export_step.java.txt", parts, beside={"pom.xml": "export_pom.xml.txt"})


def _require_plain(claim: Claim, rounds: Rounds) -> None:
    mode, queues = rounds.mode, rounds.case.queues
    asked = [one for told in rounds.case.rounds for one in told]
    plain = (
        len(queues) == 1
        and not (mode.kind or mode.own_store or queues[0]["dropped"] or queues[0]["pull_age"])
        and queues[0]["memory"] != NO_OFFSET
        and all(one["stored"] == STORED for one in asked)
        and all(LOCKS[one["lock"]] == LOCKS[0] and PERSISTS[one["persist"]] == PERSISTS[0] for one in asked)
    )
    if not plain:
        raise LookupError(f"{claim.id} has no test writer: its counterexample needs more than one plain queue")


def _steps(claim: Claim, rounds: Rounds) -> Iterator[str]:
    """Yield the statements before the check."""
    mode, (numbers,) = rounds.mode, rounds.case.queues
    orderly, present = _java(mode.orderly), _java(numbers["present"])
    yield f"start({orderly}, {_java(mode.broadcasting)}, {present});"
    if numbers["present"]:
        if numbers["consume_lock"]:
            yield "listenerRuns();"
        if numbers["cached"]:
            yield "caches();"
        if numbers["lock_age"]:
            yield f"entry.setLastLockTimestamp(System.currentTimeMillis() - {numbers['lock_age']});"
    guarantee = claim.guarantee.name
    if guarantee.startswith("unsubscribed"):
        yield "unsubscribes();"
    elif guarantee == "renewed":
        yield "rebalance.lockAll();"
    else:
        for told in rounds.case.rounds:
            yield f"rebalances({_java(told[0]['in_set'])}, {_java(mode.orderly)});"


def _java(flag: int) -> str:
    return "true" if flag else "false"
