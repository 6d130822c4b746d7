"""Each monitor detects its event in a recording."""

from dataclasses import replace

import pytest

from rebalance_proofs.recorded.groups.broker import Answered, Table
from rebalance_proofs.recorded.groups.event import LIST, LOCK, PULL, UPDATE
from rebalance_proofs.recorded.groups.member import (
    Allocate,
    Answer,
    Ask,
    Begin,
    End,
    Entry,
    EntryGone,
    EntryNew,
    Notified,
    OffsetRead,
    OffsetUpdate,
    Pulled,
)
from rebalance_proofs.report.reality.monitored import monitored
from rebalance_proofs.report.reality.told import happenings, helds
from tests.recorded.cluster.traces import trace
from tests.report.reality.monitors.lies import dropped, edited, every, is_, said

LONG, SHUTDOWN, ORDERED = "java-4.9.8/c2_ordered_long", "java-4.9.8/j_shutdown", "java-4.9.8/o_shutdown_ordered"


def unread(whole):
    """One message is given to nobody."""
    call = next(one for one in whole.kind(Begin, "c0") if one.offsets[0] == 3)
    both = dropped(whole, "c0", is_(Begin, q=call.q, offsets=call.offsets))
    return dropped(both, "c0", is_(End, q=call.q, from_=3))


def _late_update(event):
    return isinstance(event, Ask) and event.code == UPDATE and event.at > 130_000


def _of_pulls(event):
    return isinstance(event, Pulled) or (isinstance(event, Ask) and event.code == PULL)


def _share(event):
    return isinstance(event, Allocate) and event.topic == "T1"


def _of_rounds(event):
    return isinstance(event, Allocate) or (isinstance(event, Ask) and event.code == LIST)


def _list(event):
    return isinstance(event, Answered) and event.code == LIST and bool(event.said.ids)


def _members(event):
    return isinstance(event, Table) and event.what == "members"


def _subs(event):
    return isinstance(event, Table) and event.what == "subs" and event.at > 70_000


LIES = {
    "offsets.java_v4_9-orderly.not-skipped.first": (LONG, unread),
    "subscriptions.java_v4_9_to_v5_3.own-tags": (LONG, unread),
    "offsets.java_v4_9-orderly.only-uncommitted": (
        LONG,
        lambda whole: every(whole, "c1", is_(OffsetRead), lambda one: replace(one, result=one.result + 100)),
    ),
    "offsets.java_v4_9-orderly.back-at-most": (
        LONG,
        lambda whole: every(whole, "c1", _late_update, said(commit_offset=0)),
    ),
    "offsets.java_v4_9-orderly.one-batch": (
        LONG,
        lambda whole: every(whole, "c0", is_(OffsetUpdate), lambda one: replace(one, offset=one.offset + 100)),
    ),
    "offsets.java_v4_9-orderly.finished.heeded": (
        "java-4.9.8/x_start_threw",
        lambda whole: edited(whole, "c0", is_(End), lambda one: replace(one, at=one.at + 30_000)),
    ),
    "offsets.java_v4_9.reset-sent": (
        "java-4.9.8/reset",
        lambda whole: every(whole, "c0", is_(OffsetUpdate, increase_only=False), lambda one: replace(one, offset=7)),
    ),
    "ordered.java_v4_9.local": (
        LONG,
        lambda whole: every(whole, "c0", is_(End), lambda one: replace(one, at=one.at + 20_000)),
    ),
    "ordered.java_v4_9.given-back": (
        ORDERED,
        lambda whole: dropped(whole, "b0", lambda one: is_(Table, what="lock")(one) and one.at > 119_000),
    ),
    "ordered.java_v4_9.mixed": (
        ORDERED,
        lambda whole: every(whole, "b0", lambda one: getattr(one, "code", "") == "UNLOCK_BATCH_MQ",
                            lambda one: replace(one, at=one.at - 9_000)),
    ),
    "pulls.java_v4_9_to_5_1.dies": (
        LONG,
        lambda whole: dropped(whole, "c0", lambda one: isinstance(one, EntryNew) and one.at > 150_000),
    ),
    "pulls.java_v4_9_to_5_1.healed": (
        LONG,
        lambda whole: every(whole, "c0", _share, lambda one: replace(one, result=one.mq_all)),
    ),
    "pulls.java_v4_9_to_5_1.lets-go": (
        LONG,
        lambda whole: dropped(whole, "c0", lambda one: isinstance(one, EntryGone | Entry)),
    ),
    "pulls.java_v4_9_to_5_1.has-request": (
        SHUTDOWN,
        lambda whole: dropped(whole, "c0", lambda one: _of_pulls(one) and one.at > 40_000),
    ),
    "settling.java_v4_9_to_v5_1.settles": (
        LONG,
        lambda whole: dropped(whole, "c0", lambda one: isinstance(one, Allocate) and one.at > 66_000),
    ),
    "settling.java_v4_9_to_v5_1.woken": (
        LONG,
        lambda whole: dropped(whole, "c0", lambda one: _of_rounds(one) and one.at > 66_000),
    ),
    "settling.java_v4_9_to_v5_1.waits": (
        LONG,
        lambda whole: dropped(whole, "c0", lambda one: isinstance(one, Notified)),
    ),
    "registry.java_v4_9_to_v5_3.listed": (
        LONG,
        lambda whole: every(whole, "b0", _list, said(ids=("127.0.0.1@nobody",))),
    ),
    "registry.java_v4_9_to_v5_3.once": (
        LONG,
        lambda whole: every(whole, "b0", _list, lambda one: said(ids=one.said.ids * 2)(one)),
    ),
    "registry.java_v4_9_to_v5_3.told": (LONG, lambda whole: dropped(whole, "c0", is_(Notified))),
    "registry.java_v4_9_to_v5_3.again": (LONG, lambda whole: dropped(whole, "b0", _members)),
    "registry.java_v4_9_to_v5_3.good-bye": (
        LONG,
        lambda whole: dropped(whole, "b0", lambda one: _members(one) and one.at > 100_000),
    ),
    "registry.java_v4_9_to_v5_3.at-once": (
        "java-4.9.8/l_delayed_unlock",
        lambda whole: dropped(whole, "b0", lambda one: _members(one) and one.at > 130_000),
    ),
    "subscriptions.java_v4_9_to_v5_3.calm": (
        LONG,
        lambda whole: edited(whole, "b0", _subs, lambda one: replace(one, is_="{T9=*@1795461129296}")),
    ),
    "subscriptions.java_v4_9_to_v5_3.exactly": (
        LONG,
        lambda whole: edited(whole, "b0", _subs, lambda one: replace(one, is_="{T9=*@1795461129296}")),
    ),
}  # fmt: skip
"""Claim that holds -> a recording, and a lie by which it does not hold there."""


@pytest.mark.parametrize("claim", LIES)
def test_false_recording_is_detected(claim):
    name, lie = LIES[claim]
    before = {one.claim: one for one in helds(monitored(trace(name)))}
    assert before[claim].opportunities > 0 or claim == "registry.java_v4_9_to_v5_3.again"
    assert before[claim].against == 0
    after = [one.against for one in helds(monitored(lie(trace(name)))) if one.claim == claim]
    assert sum(after) > 0


def test_listener_of_an_unmoved_queue_has_no_shutdown_premise():
    """Without the shutdown the two listeners have no dropped premise, and no claim counts as observed."""
    whole = trace(LONG)
    found = happenings(monitored(dropped(whole, "c1", lambda one: type(one).__name__ == "ShutdownBegin")))
    both = [one for one in found if one.what.startswith("listeners of two consumers")]
    assert [one.claims for one in both] == [()]
    assert "ordered.java_v4_9.exclusive.without-shutdown" in both[0].perhaps
    assert "ordered.java_v4_9.exclusive" in {one.claim for one in helds(monitored(whole))}


def test_denied_lock_wakes_the_rebalance_thread_of_5_0_and_5_1():
    """A member whose lock requests are left out rebalances each 0.5 s for no known reason."""
    whole = trace("java-5.1.4/broker_killed")
    silent = dropped(whole, "o0", lambda one: isinstance(one, Ask) and one.code == LOCK)
    broken = [
        {held.claim for held in helds(monitored(each)) if held.against and held.claim.endswith(".waits")}
        for each in (whole, silent)
    ]
    assert broken == [set(), {"settling.java_v4_9_to_v5_1.waits"}]


def test_granted_lock_does_not_wake_the_rebalance_thread():
    """As above, but each lock request of the rebalance thread got all its locks."""
    whole, last = trace("java-5.1.4/broker_killed"), dict[int, Ask]()
    lines = []
    for one in whole.of["o0"]:
        if isinstance(one, Ask) and one.code == LOCK:
            last[one.opaque] = one
        if isinstance(one, Answer) and one.code == LOCK and one.opaque in last:
            one = replace(one, said=replace(one.said, granted=last[one.opaque].said.queues))
        lines.append(one)
    granted = replace(whole, of={**whole.of, "o0": lines})
    broken = {held.claim for held in helds(monitored(granted)) if held.against and held.claim.endswith(".waits")}
    assert broken == {"settling.java_v4_9_to_v5_1.waits"}
