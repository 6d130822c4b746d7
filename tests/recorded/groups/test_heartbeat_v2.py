"""Heartbeats V2 in a group with different topics: one without subscriptions restores nothing."""

import pytest

from rebalance_proofs.model.subscriptions import Refusal
from rebalance_proofs.recorded.groups.broker import Heard, Table
from rebalance_proofs.recorded.groups.driver import Signal
from rebalance_proofs.recorded.groups.member import Begin, EntryNew, Subscribed
from tests.recorded.groups.seen import Seen, recorded_run, refused

BOTH = {"T1", "T2", "%RETRY%V2"}


@pytest.fixture(scope="module")
def run() -> Seen:
    return recorded_run("java-5.3.3/zoo")


def topics(heartbeat: Heard) -> set[str]:
    (group,) = heartbeat.said.groups
    assert group.group == "V2"
    return set(group.subs)


def removed(run: Seen) -> Table:
    """The row of the broker's table of subscriptions from which T2 is gone, first of all."""
    rows = (row for row in run.of(Table, "b0") if row.what == "subs" and row.of == "V2" and row.was)
    return next(row for row in rows if "T2=" in row.was and "T2=" not in (row.is_ or ""))


def broker_ends(run: Seen) -> int:
    return min(signal.at for signal in run.of(Signal, "driver") if signal.of == "b0")


def test_only_one_member_has_the_topic(run):
    assert run.run.members("V2") == ("v0", "v1")
    for who in ("v0", "v1"):
        assert run.run.consumers[who].settings == {"useHeartbeatV2": "true"}
    assert run.one(Subscribed, "v0").topic == "T2"
    assert {event.who for event in run.of(EntryNew, "v0", "v1") if event.q.startswith("T2")} == {"v0"}


def test_full_heartbeat_of_the_other_member_removes_the_topic(run):
    before = [beat for beat in run.heard("HEART_BEAT", "127.0.0.1@v1") if beat.at <= removed(run).at]
    assert topics(before[-1]) == BOTH - {"T2"}
    assert removed(run).at - before[-1].at < 100


def test_next_heartbeat_restores_nothing(run):
    (only,) = (beat for beat in run.heard("HEART_BEAT", "127.0.0.1@v0") if removed(run).at < beat.at < broker_ends(run))
    assert topics(only) == set()
    after = [
        row
        for row in run.of(Table, "b0")
        if row.what == "subs" and row.of == "V2" and removed(run).at < row.at < broker_ends(run)
    ]
    assert not after


def test_pulls_are_refused_until_the_broker_ends(run):
    found = [
        event
        for event, ask in refused(run, Refusal.SUBSCRIPTION_NOT_EXIST.value)
        if ask.who == "v0" and event.asked.q.startswith("T2") and event.at < broker_ends(run) + 100
    ]
    assert len(found) > 90
    assert found[0].at - removed(run).at < 1_200
    assert broker_ends(run) - found[-1].at < 1_200
    begun = [event.at for event in run.of(Begin, "v0") if event.q.startswith("T2")]
    assert begun
    assert not [at for at in begun if removed(run).at < at < broker_ends(run)]
