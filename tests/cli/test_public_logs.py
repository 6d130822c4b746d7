"""Logs in the shapes that users post in public: the right finding comes early, and nothing false before it."""

import json
from dataclasses import dataclass
from pathlib import Path

import pytest

LOGS = Path(__file__).parent / "public_logs"


@dataclass(frozen=True)
class Case:
    """What the audit of some files has to report."""

    files: tuple[str, ...]
    found: str = ""
    """Kind of the right finding; it is among the first three."""
    level: str = "SEEN"
    says: str = ""
    """A part of its sentence."""
    cause: str | None = None
    """Its first cause; "" if no cause may be named."""
    never: tuple[str, ...] = ()
    """Kinds of findings and names of causes that would mislead."""
    prints: tuple[str, ...] = ()
    """Parts of the text answer."""
    status: int | None = None


CASES = [
    Case(
        ("01-broker-group-vanishes.log",),
        "gone",
        says="the broker removed the group 0 s after it was registered; then it refused pulls",
        cause="connections-flap",
        never=("broker-comes-back",),
    ),
    Case(
        ("02-tabs-orderly.txt",),
        "unread",
        says="it had the queue, but did not consume it until it noted the granted lock",
        cause="not-locked-yet",
        prints=("10:20:48.161 .. 10:21:07.470, 19.3 s",),
    ),
    Case(
        ("03-span-flow-control.log",),
        "stalled",
        says="its committed offset stayed at 668629, and flow control names it as the first message",
        cause="first-message-slow",
        status=1,
    ),
    Case(
        ("05-go-logfmt-not-in-cidall.log",),
        "unlisted",
        says="3 times, its id was missing from the broker's member list of 2 ids, so it took no queues",
        cause="not-listed",
        prints=("40.0 s",),
    ),
    Case(("07-code24-trace.log",), "refused", says="the broker knows no consumer of the group"),
    Case(
        ("07-cpp-spd-lock.txt",),
        "locks",
        says="the client gave back a lock that the broker had granted",
        cause="",
        never=("waits-for-living", "waits-for-crashed"),
    ),
    Case(
        ("13-stuck-20min.log.gz",),
        "stalled",
        says="its committed offset stayed at 17448",
        cause="first-message-slow",
        prints=("broker-a 3", "19 min 55 s"),
        status=1,
    ),
    Case(
        ("13-stuck-offset.txt",),
        "stalled",
        "POSSIBLE",
        "its committed offset stayed at 607212, while messages of the topic were consumed",
        "first-message-slow",
        never=("unread",),
    ),
    Case(
        ("16-new-channel-each-time.txt",),
        "gone",
        "POSSIBLE",
        "its heartbeats may not arrive",
        "heartbeats-late",
        never=("back", "late-commit"),
        status=0,
    ),
    Case(("18-consumer-status.txt",), prints=("group th_push", "V3_2_6_SNAPSHOT"), status=0),
    Case(
        ("19-k8s-broker-ip.log",),
        "unreached",
        says="the broker's address changed from 10.244.3.17:10911 to 10.244.5.90:10911",
        cause="broker-unreachable",
    ),
    Case(("20-duplicate-ids.txt",), prints=("1. same-client-id",)),
    Case(
        ("22-overflow-badly.log",),
        "corrected",
        says="the requested offset 30266 is above the broker's last one, 30265; it was corrected to 0",
        cause="offset-illegal",
        prints=("ex_group",),
    ),
    Case(
        ("23-expired-loop.txt",),
        "unread",
        says="given up 2 times because nothing was pulled for two minutes, and added again",
        cause="expired-pull",
    ),
    Case(("24-pod-a.log", "24-pod-b.log"), "two", cause="same-client-id", says="both own the queue", status=1),
    Case(("27-no-date.txt",), prints=("1 line incomplete", "Group: cg__t_rx-test_task"), status=3),
    Case(
        ("29-set-back-3x.txt",),
        "corrected",
        says="the broker deleted messages before they were read",
        cause="offset-illegal",
        never=("back",),
    ),
    Case(("31-different-subscriptions.txt",), prints=("mqadmin consumerConnection",)),
    Case(("35-went-back-one.txt",), "lines", says="which is harmless", cause="", never=("back",), status=0),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.files[0])
def test_public_log_gives_the_right_finding(case, call):
    paths = [str(LOGS / name) for name in case.files]
    done = call("audit", *paths, "--json")
    told = json.loads(done.out)
    findings = [one for group in told["groups"] for one in group["findings"]]
    if case.found:
        (right, *_) = [one for one in findings[:3] if one["what"] == case.found]
        assert right["level"] == case.level
        assert case.says in right["detail"]
        if case.cause is not None:
            assert [one["name"] for one in right["causes"][:1]] == [case.cause][: bool(case.cause)]
    words = {one["what"] for one in findings} | {each["name"] for one in findings for each in one["causes"]}
    assert not words & set(case.never)
    if case.status is not None:
        assert done.status == case.status
    text = call("audit", *paths).out
    assert all(part in text for part in case.prints)
