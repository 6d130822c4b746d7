"""One recogniser: the audit recognises the lines that `rebalance why` knows, and reports those with a cause."""

import pytest

from rebalance_proofs.recorded.audit.said import indicated
from rebalance_proofs.recorded.logs.fact import Kind
from rebalance_proofs.recorded.logs.lines import HOLE, NAMED, Logs
from rebalance_proofs.recorded.logs.named import FEWEST, named
from rebalance_proofs.recorded.logs.reader import Reader
from tests.recorded.audit.audited import audited

HEAD = "2024-05-01 10:00:00,123 INFO RocketmqClient - "
MQ = "MessageQueue [topic=T, brokerName=b, queueId=1]"


def logged(wording):
    """A wording with plausible values: a group first, then queues and numbers."""
    text = wording.text
    for value in ("G", MQ, "7"):
        text = text.replace(HOLE, value, 1)
    return HEAD + text.replace(HOLE, "7")


WORDINGS = [
    (name, wording)
    for name, line in NAMED.items()
    for wording in line.wordings
    if sum(map(str.isalpha, wording.text.replace(HOLE, ""))) >= FEWEST
]


def test_audit_recognises_every_known_line():
    """The name of the line, or that of another line with the same words."""
    missed = []
    for name, wording in WORDINGS:
        reader = Reader()
        reader.feed((logged(wording) + "\n").encode())
        reader.end()
        names = set(reader.tally.named)
        same = {other for other, text in WORDINGS if text.text in wording.text or wording.text in text.text}
        if not names & {name, *same} and not reader.tally.cut:
            missed.append((name, wording.text, sorted(names)))
    assert missed == []


SILENT_IN_HEALTH = {
    # Lines of ordinary operation: findings come from what they show together.
    *("share-changed", "removed", "added", "truncated", "unlocks", "notified", "started", "connected", "route-changed"),
    *("version-updated", "topics-changed", "tags-changed", "unlocked", "lock-ran-out", "unlocks-later", "pull-waits"),
    *(
        "heartbeat-not-sent",
        "dropped",
        "not-begun",
        "not-counted",
        "closed-channel",
        "expired-channel",
        "unlock-of-other",
        "broker-started",
    ),
    # Lines that other findings use as their evidence.
    *("not-renewed", "no-start", "illegal", "strategy-throws", "reset", "resets", "broke-off", "locks-failed"),
}


@pytest.mark.parametrize("name", [name for name, line in NAMED.items() if not line.parsed_only and not line.like])
def test_line_that_indicates_a_cause_is_a_finding(name, tmp_path):
    line = NAMED[name]
    assert indicated(name) or line.parsed_only or name in SILENT_IN_HEALTH
    result = audited(tmp_path, {"a.log": "".join(logged(one) + " group=G, topic=T\n" for one in line.wordings)})
    found = [one for group in result.groups for one in group.findings]
    assert found or name in SILENT_IN_HEALTH, name


def test_name_of_a_line_is_that_of_its_longest_wording():
    """Seeded fault: with the shortest instead, a Go line about a lock would be one about an offset."""
    fact = named(b'msg="do defaultConsumer, add a new mq failed, because lock failed" consumerGroup=G')
    assert fact.kind is Kind.SAID
    assert (fact.name, fact.group) == ("go-lock-denied", "G")


def test_values_do_not_make_a_known_line():
    """A wording's words in the wrong order, or only its commonest ones, are no known line."""
    assert named(b"2024-05-01 10:00:00 INFO x - the queue of messages is not too long for this group") is None
    assert named(b"") is None
    assert all(line.logs in (Logs.CLIENT, Logs.BROKER) for line in NAMED.values())
