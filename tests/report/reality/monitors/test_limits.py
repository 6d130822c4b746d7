"""Monitors at the limits of their times: one millisecond earlier or later changes the result."""

import pytest

from rebalance_proofs.recorded.groups.broker import Table
from rebalance_proofs.recorded.groups.driver import Signal
from rebalance_proofs.recorded.groups.event import (
    BEAT,
    ILLEGAL,
    LIST,
    LOCK,
    PULL,
    REBALANCING,
    GroupData,
    Queues,
    Request,
    Response,
)
from rebalance_proofs.recorded.groups.member import (
    Allocate,
    EntryGone,
    EntryNew,
    Gap,
    Notified,
    OffsetRead,
    Pulled,
    ResetDone,
    ResetTold,
    Resuming,
    Suspending,
)
from rebalance_proofs.recorded.groups.run import DRIVER
from rebalance_proofs.report.reality.monitored import MONITORS
from rebalance_proofs.report.reality.view import View
from tests.each import each
from tests.report.reality.monitors.made import Made

Q = "T1:b0:0"


def of_two(**said):
    made = Made()
    made.broker()
    made.member("c0", **said)
    made.member("c1", **said)
    return made


def said(made, kind, words, end=400_000):
    """Chances, and what was bad, of the one thing that these words begin."""
    found = [one for one in MONITORS[kind](View(made.trace(end))) if one.what.startswith(words)]
    return sum(one.chances for one in found), sum(len(one.bad) for one in found)


def held(made, who, begin, end, entry="e1", **gone):
    made.add(EntryNew, who, begin, q=Q, entry=entry)
    made.add(EntryGone, who, end, q=Q, entry=entry, **{"how": "rebalance", "since_pull": 0, **gone})


def lock(made, who, at, granted):
    response = Response(code=0, granted=(Q,) if granted else ())
    request = Request(client_id=who, consumer_group="G", queues=(Q,))
    made.asks(who, at, LOCK, request, heard=at, answered=at, answer=at, response=response)


@each(("later", "bad"), [(999, 1), (1_000, 0)])
def test_rebalances_are_at_least_a_second_apart_since_5_2(later, bad):
    made = of_two()
    for at in (50_000, 50_000 + later):
        made.add(Allocate, "c0", at, topic="T1", mq_all=(Q,), cid_all=("c0", "c1"), result=(Q,))
    assert said(made, "settling", "rebalances began less than the minimum interval apart") == (1, bad)


@each(("off", "bad"), [(2_050, 0), (2_051, 1)])
def test_killed_member_is_removed_by_the_next_scan(off, bad):
    made = of_two()
    made.asks("c0", 900, PULL, Request(client_id="c0"), answered=900)
    made.add(Table, "b0", 1_000, what="members", of="G", is_="c0:1 c1:2", was=None)
    made.add(Signal, DRIVER, 50_000, of="c0", signal="SIGKILL")
    made.add(Table, "b0", 50_000 + off, what="members", of="G", is_="c1:2", was="c0:1 c1:2")
    assert said(made, "registry", "a broker listed a member whose process had died") == (1, bad)


@each(("since", "found"), [(132_050, (1, 0)), (132_051, (2, 1))])
def test_brokers_agree_once_all_has_settled(since, found):
    """Times from the first list on, and from the second one on, which the other broker does not have."""
    made = of_two()
    made.broker("b1")
    for broker in ("b0", "b1"):
        made.add(Table, broker, 1, what="members", of="G", is_="c0:1", was=None)
    made.asks("c1", 200_000, PULL, Request(client_id="c1"), answered=200_000, broker="b1")
    made.add(Table, "b1", 200_001, what="members", of="G", is_="c0:1 c1:2", was="c0:1")
    assert said(made, "registry", "two brokers listed different ids", 200_000 + since) == found


@each(("broker", "found"), [("b0", (0, 0)), ("b1", (1, 1))])
def test_list_is_as_old_as_the_request_to_its_own_broker(broker, found):
    """The other broker's answer to the request after the heartbeat has the same line of its file."""
    made = of_two()
    made.broker("b1")
    asks = Request(consumer_group="G")
    beat = Request(client_id="c1", groups=(GroupData(group="G", subs={}),))
    made.asks("c1", 20_000, BEAT, beat, answered=20_000, broker=broker)
    made.asks("c1", 20_000, PULL, Request(client_id="c1"), answered=20_000, broker="b1" if broker == "b0" else "b0")
    for asked, at in (("b0", 10_000), ("b1", 25_000)):
        made.asks("c0", at, LIST, asks, answered=30_000, broker=asked, response=Response(code=0, ids=("c0",)))
    listed = "a list of ids lacked a live member with a registered heartbeat"
    assert said(made, "registry", listed) == found


@each(("at", "found"), [(37_999, (0, 0)), (38_000, (1, 1))])
def test_new_queues_are_visible_after_the_next_route_request(at, found):
    made = of_two()
    for when, queues in ((10_000, (Q,)), (20_000, (Q, "T1:b0:1"))):
        made.add(Queues, "p", when, topic="T1", queues=queues)
    made.add(Allocate, "c0", 20_000 + at, topic="T1", mq_all=(Q,), cid_all=("c0", "c1"), result=(Q,))
    assert said(made, "registry", "a member did not see a topic's new queues") == found


@each(("later", "found"), [(60_000, (0, 0)), (60_001, (1, 1))])
def test_lock_expires_on_the_broker_after_a_minute(later, found):
    made = of_two(mode="ordered")
    held(made, "c0", 10_000, 20_000)
    lock(made, "c1", 20_000 + later, granted=False)
    assert said(made, "ordered", "a lock was denied although its holder's entry was removed") == found


@each(("later", "bad"), [(60_000, 1), (60_001, 0)])
def test_lock_changes_owner_after_it_has_expired(later, bad):
    made = of_two(mode="ordered")
    lock(made, "c0", 10_000, granted=True)
    made.add(Table, "b0", 10_000 + later, what="lock", of=f"G {Q}", is_="c1", was="c0")
    assert said(made, "ordered", "a lock changed its holder") == (1, bad)


@each(("idle", "bad"), [(120_000, 1), (120_001, 0)])
def test_entry_of_the_own_share_is_removed_after_two_minutes(idle, bad):
    made = of_two()
    made.add(Allocate, "c0", 10_000, topic="T1", mq_all=(Q,), cid_all=("c0", "c1"), result=(Q,))
    held(made, "c0", 10_001, 150_000, since_pull=idle)
    assert said(made, "pulls", "an entry of the consumer's share was removed") == (1, bad)


@each(("later", "bad"), [(2_000, 0), (2_001, 1)])
def test_suspended_consumer_may_have_a_pull_in_flight(later, bad):
    made = of_two()
    held(made, "c0", 10_000, 300_000)
    made.add(Suspending, "c0", 100_000)
    made.add(Resuming, "c0", 200_000)
    made.asks("c0", 100_000 + later, PULL, Request(q=Q))
    assert said(made, "pulls", "a pull began while the consumer was suspended") == (1, bad)


@each(("late", "bad"), [(1_000, 0), (1_001, 1)])
def test_listener_may_run_for_a_second_after_its_queue_was_taken(late, bad):
    made = of_two()
    for who, begin, end in (("c0", 10_000, 20_000), ("c1", 20_000, 90_000)):
        made.add(OffsetRead, who, begin, q=Q, result=5)
        held(made, who, begin, end, entry=who)
    made.call("c0", Q, 5, 20_000 + late, 22_000)
    made.call("c1", Q, 5, 23_000, 24_000)
    assert said(made, "offsets", "a redelivered message was already committed") == (1, bad)


def beat(made, *times):
    """Heartbeats of ``c0`` that the broker answers at once."""
    said = Request(client_id="c0", groups=(GroupData(group="G", subs={"T1": "*@1"}),))
    for at in times:
        made.asks("c0", at, BEAT, said, heard=at, answered=at, answer=at)


def listed(made, *rows):
    """Rows of the broker's members, as (time in ms, members)."""
    before = None
    for at, members in rows:
        made.add(Table, "b0", at, what="members", of="G", is_=members, was=before)
        before = members


def refused(made, at, answered=None):
    made.asks("c0", at, PULL, Request(q=Q), answered=answered or at, response=Response(code=25))


LATE = "a pull was refused 38 s after the last change of the member's process queue table"
SOON = "a pull was refused 5 s after the last change of the member's process queue table, despite"
NONE_ACCEPTED = "after a refused pull, the broker accepted no pull of the queue for 35 s"


@each(("later", "found"), [(38_000, (0, 0)), (38_001, (1, 1))])
def test_pull_is_accepted_after_the_last_change_was_notified(later, found):
    """There were changes long before the last one."""
    made = of_two()
    for at, entry in ((10_000, "e1"), (60_000, "e2")):
        made.add(EntryNew, "c0", at, q=Q, entry=entry)
    beat(made, 70_000)
    refused(made, 60_000 + later)
    assert said(made, "subscriptions", LATE) == found


@each(("beats", "found"), [((59_999,), (0, 0)), ((60_000,), (1, 1)), ((100_000,), (1, 1)), ((100_001,), (0, 0))])
def test_pull_is_accepted_only_after_a_heartbeat_with_the_change(beats, found):
    """Claims assume that heartbeats arrive, so a refusal before the first one after the change proves nothing."""
    made = of_two()
    made.add(EntryNew, "c0", 60_000, q=Q, entry="e1")
    beat(made, *beats)
    refused(made, 100_000)
    assert said(made, "subscriptions", LATE) == found


@each(("later", "bad"), [(5_000, 0), (5_001, 1)])
def test_pull_is_accepted_soon_after_a_change(later, bad):
    made = of_two()
    made.add(EntryNew, "c0", 10_000, q=Q, entry="e1")
    beat(made, 11_000)
    refused(made, 10_000 + later)
    assert said(made, "subscriptions", SOON) == (bad, bad)


@each(("arrives", "found"), [(10_499, (1, 1)), (10_500, (0, 0))])
def test_change_during_a_heartbeat_to_another_broker_sends_none(arrives, found):
    """The heartbeat under way comes to the queue's broker later, but without the change."""
    made = of_two()
    made.broker("b1")
    made.add(EntryNew, "c0", 10_500, q=Q, entry="e1")
    request = Request(client_id="c0", groups=(GroupData(group="G", subs={"T1": "*@1"}),))
    made.asks("c0", 10_000, BEAT, request, broker="b1", heard=10_001, answered=10_001, answer=arrives)
    beat(made, 10_600)
    refused(made, 20_000)
    assert said(made, "subscriptions", SOON) == found


@each(
    ("rows", "found"),
    [
        (((1_000, "c0:1 c1:2"),), (1, 1)),
        (((1_000, "c0:1 c1:2"), (29_990, None)), (0, 0)),
        (((1_000, "c0:1 c1:2"), (30_040, "c0:3")), (0, 0)),
        (((1_000, "c0:1 c1:2"), (30_040, "c0:3 c1:2")), (1, 1)),
    ],
)
def test_waiting_pull_is_refused_after_the_loss_of_the_group(rows, found):
    """A pull waits for a partition's end; by then the client's connection, maybe the group's last one, is closed."""
    made = of_two()
    made.add(EntryNew, "c0", 10_000, q=Q, entry="e1")
    listed(made, *rows)
    beat(made, 10_000)
    refused(made, 20_000, answered=30_000)
    assert said(made, "subscriptions", SOON) == found


@each(("later", "bad"), [(35_000, 0), (35_001, 1)])
def test_pull_is_accepted_when_the_next_heartbeat_was_due(later, bad):
    made = of_two()
    made.add(EntryNew, "c0", 10_000, q=Q, entry="e1")
    beat(made, 15_000, 45_000)
    refused(made, 20_000)
    made.asks("c0", 20_000 + later, PULL, Request(q=Q))
    assert said(made, "subscriptions", NONE_ACCEPTED) == (1, bad)


@each(
    ("beats", "pause", "rows", "found"),
    [
        ((15_000, 45_000), 2_000, (), (1, 1)),
        ((15_000, 45_000), 2_001, (), (0, 0)),
        ((15_000, 50_001), 0, (), (0, 0)),
        ((25_000,), 0, (), (0, 0)),
        ((55_000,), 0, (), (1, 1)),
        ((55_001,), 0, (), (0, 0)),
        ((15_000, 45_000), 0, ((1_000, "c0:1 c1:2"), (22_000, None)), (1, 1)),
        ((15_000, 45_000), 0, ((1_000, "c0:1 c1:2"), (22_001, None)), (0, 0)),
    ],
)
def test_refused_pulls_of_a_disturbed_consumer_prove_nothing(beats, pause, rows, found):
    """It paused, its heartbeats came late or not at all, or the broker lost the group after a heartbeat."""
    made = of_two()
    made.add(EntryNew, "c0", 10_000, q=Q, entry="e1")
    beat(made, *beats)
    listed(made, *rows)
    made.add(Gap, "c0", 30_000, ms=pause)
    refused(made, 20_000)
    made.asks("c0", 61_000, PULL, Request(q=Q))
    assert said(made, "subscriptions", NONE_ACCEPTED) == found


WOKEN = "no rebalance began within the minimum interval and 12 s after a notification"


@each(("done", "found"), [(None, (1, 1)), (50_000, (0, 0)), (49_999, (1, 1))])
def test_consumer_that_resets_its_offsets_does_not_rebalance(done, found):
    """``MQClientInstance.resetOffset`` suspends the consumer for 10 s."""
    made = of_two()
    if done:
        made.add(ResetTold, "c0", 40_000, said=Request(), from_="")
        made.add(ResetDone, "c0", done, from_="")
    made.add(Notified, "c0", 50_000)
    assert said(made, "settling", WOKEN) == found


@each(("begins", "bad"), [(88_000, 0), (88_001, 1)])
def test_woken_thread_ends_its_long_rebalance_first(begins, bad):
    """Each lock request gets its answer just after the time-out of 1 s, so this rebalance takes 30 s."""
    made = of_two()
    asks = Request(consumer_group="G")
    made.asks("c0", 48_950, LIST, asks, answered=49_000, answer=49_000, thread=REBALANCING)
    for at in range(49_000, 79_000, 1_000):
        locks = Request(client_id="c0", consumer_group="G", queues=(Q,))
        made.asks("c0", at, LOCK, locks, answered=at + 1_000, answer=at + 1_000, thread=REBALANCING)
    made.add(Notified, "c0", 50_000)
    made.asks("c0", begins, LIST, asks, answered=begins, answer=begins, thread=REBALANCING)
    assert said(made, "settling", WOKEN) == (1, bad)


@each(("gap", "found"), [(100, (1, 0)), (101, (1, 1))])
def test_requests_of_one_rebalance_follow_each_other(gap, found):
    made = of_two()
    for at in (45_000, 50_500 + gap, 56_000 + 2 * gap, 61_500 + 3 * gap):
        locks = Request(client_id="c0", consumer_group="G", queues=(Q,))
        made.asks("c0", at, LOCK, locks, answered=at + 5_500, answer=at + 5_500, thread=REBALANCING)
    made.add(Notified, "c0", 50_000)
    made.asks("c0", 76_000, LIST, Request(consumer_group="G"), answered=76_000, answer=76_000, thread=REBALANCING)
    assert said(made, "settling", WOKEN) == found


@pytest.mark.parametrize("kind", MONITORS)
def test_idle_group_has_no_bad_event(kind):
    """Except that no broker lists the members."""
    found = [one.what for one in MONITORS[kind](View(of_two().trace(400_000))) if one.bad]
    assert found == []


@each(("pulled", "bad"), [(59_999, 1), (60_000, 0), (70_000, 0)])
def test_reset_of_offsets_ends_a_suspension(pulled, bad):
    """It ends with ``resume()``, even if the user has suspended the consumer; its thread then requests the ids."""
    made = of_two()
    held(made, "c0", 10_000, 90_000)
    made.add(Suspending, "c0", 50_000)
    made.asks("c0", pulled, PULL, Request(q=Q, consumer_group="G"))
    made.asks("c0", 60_000, LIST, Request(consumer_group="G"), thread="NettyClientPublicExecutor_1")
    made.add(ResetDone, "c0", 60_020, from_="")
    made.add(Resuming, "c0", 80_000)
    assert said(made, "pulls", "a pull began while the consumer was suspended") == (1, bad)


@each(("release", "own", "how", "bad"), [
    ("5.3.3", True, "remove", 0), ("5.3.3", False, "remove", 1), ("5.3.3", False, "reset", 0),
    ("4.9.8", True, "remove", 1),
])  # fmt: skip
def test_second_illegal_offset_explains_the_removal_of_its_own_entry(release, own, how, bad):
    """From 5.2 on, a repair follows at once; before, after 10 s. ``own``: the second entry's offset is illegal, too."""
    made = Made(release)
    made.broker()
    made.member("c0")
    made.add(Allocate, "c0", 9_000, topic="T1", mq_all=(Q,), cid_all=("c0",), result=(Q,))
    held(made, "c0", 10_000, 20_001, "e1", how="remove")
    held(made, "c0", 20_500, 25_001, "e2", how=how)
    for at in (20_000, 25_000)[: 1 + own]:
        made.asks("c0", at - 10, PULL, Request(q=Q, consumer_group="G"), heard=at - 9, answered=at - 8, answer=at - 1)
        made.add(Pulled, "c0", at, q=Q, status=ILLEGAL, next=5)
    assert said(made, "pulls", "the repair of an illegal offset removed another entry")[1] == bad
