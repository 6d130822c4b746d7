"""A chance is a situation in which the monitor would have seen a claim fail; other situations do not count."""

from rebalance_proofs.recorded.groups.broker import Table
from rebalance_proofs.recorded.groups.driver import Signal
from rebalance_proofs.recorded.groups.event import BEAT, BYE, PULL, UPDATE, GroupData, Request
from rebalance_proofs.recorded.groups.member import Allocate, OffsetRead, OffsetUpdate, ShutdownBegin, ShutdownEnd
from rebalance_proofs.recorded.groups.run import DRIVER
from tests.each import each
from tests.report.reality.monitors.test_limits import Q, held, of_two, said

BYES = "a broker still listed a member after its shutdown"
LISTED = {"what": "members", "of": "G"}


def members(made, at, is_, was=None):
    made.add(Table, "b0", at, is_=is_, was=was, **LISTED)


def shut_down(*, listed: bool, again: bool = False):
    made = of_two()
    asked, beat = (
        Request(client_id="c0", consumer_group="G"),
        Request(client_id="c0", groups=(GroupData(group="G", subs={}),)),
    )
    made.asks("c0", 900, BEAT, beat, answered=900)
    members(made, 1_000, "c0:1 c1:2" if listed else "c1:2")
    made.add(ShutdownBegin, "c0", 50_000)
    made.asks("c0", 50_010, BYE, asked, answered=50_020)
    if again:
        made.asks("c0", 50_015, BEAT, beat, answered=50_030)
    elif listed:
        members(made, 50_050, "c1:2", "c0:1 c1:2")
    made.add(ShutdownEnd, "c0", 50_100)
    return made


@each(("listed", "found"), [(True, (1, 0)), (False, (0, 0))])
def test_shutdown_of_an_unlisted_member_is_no_chance(listed, found):
    assert said(shut_down(listed=listed), "registry", BYES) == found


@each(("listed", "found"), [("c0:1 c1:2", (1, 1)), ("c1:2", (0, 0))])
def test_crash_of_an_unlisted_member_is_no_chance(listed, found):
    made = of_two()
    made.asks("c0", 900, PULL, Request(client_id="c0"), answered=900)
    members(made, 1_000, listed)
    made.add(Signal, DRIVER, 50_000, of="c0", signal="SIGKILL")
    assert said(made, "registry", "a broker listed a member whose process had died") == found
    assert said(made, "registry", "a broker still listed a member 130 s after its end") == found


def test_heartbeat_after_the_unregistration_shows_the_refuted_claim_alone():
    """Without that assumption, the shutdown is no chance of the proved claim."""
    assert said(shut_down(listed=True, again=True), "registry", BYES) == (0, 1)


@each(("start", "found"), [(5, (1, 0)), (0, (0, 0))])
def test_nothing_can_be_below_offset_0(start, found):
    made = of_two()
    made.add(OffsetRead, "c0", 9_990, q=Q, result=start)
    held(made, "c0", 10_000, 90_000)
    made.call("c0", Q, start, 20_000, 20_010)
    made.asks("c0", 30_000, UPDATE, Request(q=Q, consumer_group="G", commit_offset=str(start)), answered=30_001)
    assert said(made, "offsets", "a listener got a message below its entry's start offset") == found
    assert said(made, "offsets", "a commit was below its entry's start offset") == found


@each(("calls", "found"), [(1, (0, 0)), (3, (2, 0))])
def test_first_listener_call_of_a_queue_has_no_call_to_overlap(calls, found):
    made = of_two(mode="ordered")
    for place in range(calls):
        made.call("c0", Q, place, 20_000 + 100 * place, 20_010 + 100 * place)
    assert said(made, "ordered", "a queue's listener was called while another call for the queue ran") == found


@each(("stored", "found"), [(True, (1, 0)), (False, (0, 0))])
def test_batch_after_no_stored_offset_is_no_chance(stored, found):
    made = of_two(mode="ordered")
    held(made, "c0", 10_000, 90_000)
    if stored:
        made.add(OffsetUpdate, "c0", 15_000, q=Q, offset=3)
    made.call("c0", Q, 3, 20_000, 20_010)
    assert said(made, "offsets", "an ordered listener got a message whose offset was already stored") == found


@each(("rounds", "found"), [(1, (0, 0)), (3, (2, 0))])
def test_single_rebalance_has_no_interval(rounds, found):
    made = of_two()
    for place in range(rounds):
        share = {"mq_all": (Q,), "cid_all": ("c0", "c1"), "result": (Q,)}
        made.add(Allocate, "c0", 50_000 + 2_000 * place, topic="T1", **share)
    assert said(made, "settling", "rebalances began less than the minimum interval apart") == found


@each(("before", "found"), [("c1:2", 4), ("c0:7 c1:2", 2)])
def test_list_with_other_connections_of_the_same_members_is_no_change(before, found):
    """Two members can miss each of two lists, or only the first one."""
    made = of_two()
    members(made, 1_000, before)
    members(made, 50_000, "c0:1 c1:2", before)
    chances, _ = said(made, "settling", "no rebalance saw the broker's new list of members within the wait and 12 s")
    assert chances == found
