"""Monitors at the limits of their times: one millisecond earlier or later changes the result."""

import pytest

from rebalance_proofs.recorded.groups.broker import Table
from rebalance_proofs.recorded.groups.driver import Signal
from rebalance_proofs.recorded.groups.event import BEAT, ILLEGAL, LIST, LOCK, PULL, GroupData, Queues, Request, Response
from rebalance_proofs.recorded.groups.member import (
    Allocate,
    EntryGone,
    EntryNew,
    OffsetRead,
    Pulled,
    ResetDone,
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


@each(("later", "found"), [(38_000, (0, 0)), (38_001, (1, 1))])
def test_pull_is_accepted_after_the_last_change_was_notified(later, found):
    """There were changes long before the last one."""
    made = of_two()
    for at, entry in ((10_000, "e1"), (60_000, "e2")):
        made.add(EntryNew, "c0", at, q=Q, entry=entry)
    made.asks("c0", 60_000 + later, PULL, Request(q=Q), answered=60_000 + later, response=Response(code=25))
    words = "a pull was refused 38 s after the last change of the member's process queue table"
    assert said(made, "subscriptions", words) == found


@each(("later", "bad"), [(35_000, 0), (35_001, 1)])
def test_pull_is_accepted_when_the_next_heartbeat_was_due(later, bad):
    made = of_two()
    made.add(EntryNew, "c0", 10_000, q=Q, entry="e1")
    made.asks("c0", 20_000, PULL, Request(q=Q), answered=20_000, response=Response(code=25))
    made.asks("c0", 20_000 + later, PULL, Request(q=Q))
    assert said(made, "subscriptions", "after a refused pull, the broker accepted no pull of the queue for 35 s") == (
        1,
        bad,
    )


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
