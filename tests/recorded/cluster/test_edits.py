"""Random edits of recordings: nearly all that a real group does not show are detected."""

from collections import Counter
from dataclasses import replace

import pytest

from rebalance_proofs.recorded.cluster import edits
from rebalance_proofs.recorded.cluster.edits import EDITS, Edit, edited
from rebalance_proofs.recorded.cluster.judge import accepts
from rebalance_proofs.recorded.groups.broker import Answered, Heard, Table
from rebalance_proofs.recorded.groups.event import BEAT, LOCK, UNLOCK, UPDATE
from rebalance_proofs.recorded.groups.member import Allocate, Ask, Entry, EntryGone, EntryNew, OffsetRead, Pulled
from tests.each import each
from tests.recorded.cluster.traces import SMALL, changed, first, trace, whys, without

MACHINES = ("allocation", "transition", "settling", "registry", "ordered", "offsets", "pulls", "subscriptions")
LEAST = 0.9
"""The share of edits that has to be rejected, of each kind."""
RUN = "java-4.9.8/x_start_threw"


def rejected(scenario: str, machine: str, kind: str, seeds: range) -> tuple[Counter[str], list[Edit]]:
    """How many edits of that machine's events there were, how many are rejected; and those that are not."""
    counted, left = Counter[str](), []
    for seed in seeds:
        try:
            edit, lied = edited(trace(scenario), seed, machine, kind)
        except LookupError:  # no such event
            continue
        counted["all"] += 1
        if accepts(lied, machine):
            left.append(edit)
        else:
            counted["rejected"] += 1
    return counted, left


def test_edit_depends_on_its_seed_only():
    run = trace(RUN)
    assert edited(run, 3)[0] == edited(run, 3)[0]
    assert len({edited(run, seed)[0].event.row for seed in range(20)}) > 10
    assert len({edited(run, seed)[0].kind for seed in range(20)}) > 6


def test_impossible_edit_is_refused():
    with pytest.raises(LookupError, match="no event of pulls can be edited in this way: other owner"):
        edited(trace(RUN), 0, "pulls", "other owner")


def test_nearly_all_edits_are_rejected():
    counted, left = Counter[str](), []
    for machine in MACHINES:
        for kind in EDITS:
            found, missed = rejected(RUN, machine, kind, range(2))
            counted += found
            left += missed
    assert counted["all"] > 80
    assert counted["rejected"] >= LEAST * counted["all"], left


@pytest.mark.slow
@each("kind", [*EDITS])
def test_edits_of_each_kind_are_rejected(kind):
    counted, left = Counter[str](), []
    for scenario in SMALL:
        for machine in MACHINES:
            found, missed = rejected(scenario, machine, kind, range(8))
            counted += found
            left += missed
    assert counted["rejected"] >= LEAST * counted["all"], left


def test_new_process_queue_has_the_lock_mark_of_its_release():
    for name, locked in ((RUN, True), ("java-4.9.4/broker_killed", False)):
        run = trace(name)
        event = first(run, "c0", EntryNew)
        assert event.locked is locked
        told = "not " if locked else ""
        assert whys(changed(run, event, locked=not locked), "transition") == [f"a new process queue is {told}locked"]


@each("how", ["rebalance", "clear"])
def test_removed_process_queue_is_dropped(how):
    run = trace("java-4.9.8/c2_ordered_long")
    event = next(one for who in run.consumers for one in run.kind(EntryGone, who) if one.how == how)
    assert "a process queue is removed that is not dropped" in whys(changed(run, event, dropped=False), "transition")


def test_offset_from_the_broker_is_the_answered_one():
    run = trace(RUN)
    event = first(run, "c0", OffsetRead, type="READ_FROM_STORE", result=0)
    assert whys(changed(run, event, result=3), "transition") == ["the broker answered 0"]


def test_answer_of_the_broker_is_used_once():
    run = trace(RUN)
    event = first(run, "c0", OffsetRead, type="READ_FROM_STORE", result=0)
    assert whys(edits.changed(run, [(event, (event, event))]), "transition") == [
        "the broker has not answered a new query"
    ]
    event = first(run, "c0", Allocate, topic="T1")
    twice = edits.changed(run, [(event, (event, event))])
    assert whys(twice, "transition") == ["the strategy is called for T1 without a new answer with ids"]


def test_strategy_is_called_for_known_topics():
    run = trace("java-5.3.3/collected")
    event = run.kind(Allocate, "c1")[-1]  # no later rebalance shows that it is missing
    assert whys(without(run, event), "transition") == [
        f"the strategy was not called after the answer in line {event.row - 1}"
    ]


def test_dropped_process_queue_stays_dropped():
    run = trace("java-4.9.8/c2_ordered_long")
    gone = next(one for one in run.kind(EntryGone, "c0") if one.dropped)
    polled = next(one for one in run.kind(Entry, "c0") if one.entry == gone.entry and one.at >= gone.at)
    why = f"the entry {gone.entry} was dropped before"
    assert why in whys(changed(run, polled, dropped=False), "trace")
    early = edits.changed(run, [(polled, ()), (gone, (replace(polled, at=gone.at - 3_000, in_table=True), gone))])
    assert why not in whys(early, "trace")
    assert why in whys(changed(early, first(early, "c0", EntryGone, entry=gone.entry), dropped=False), "trace")


@each("kind", [Entry, EntryGone])
def test_only_lock_requests_change_the_mark_of_a_lock(kind):
    run = trace("java-4.9.8/reset")
    event = run.kind(kind, "c0")[0]
    why = f"no lock request explains the changed lock of the entry {event.entry}"
    assert whys(changed(run, event, locked=not event.locked), "trace") == [why]


@each("locked, accepted", [(False, True), (True, False)])
def test_removed_process_queue_is_unlocked_and_not_locked(locked, accepted):
    """The client unlocks it after its removal, if it has a connection; a lock request needs it in the table."""
    run = trace("java-4.9.8/c2_ordered_long")
    gone = next(one for one in run.kind(EntryGone, "c0") if one.dropped)
    far = [one for one in run.of["c0"] if getattr(one, "code", "") in (LOCK, UNLOCK) and abs(one.at - gone.at) < 9_000]
    polled = next(one for one in run.kind(Entry, "c0") if one.entry == gone.entry and one.at >= gone.at)
    changes = [(gone, (replace(gone, locked=not locked),)), (polled, (replace(polled, locked=locked),))]
    alone = edits.changed(run, [*changes, *((one, ()) for one in far)])
    why = f"no lock request explains the changed lock of the entry {gone.entry}"
    assert (why not in whys(alone, "trace")) is accepted


def test_heartbeat_has_an_address_with_a_port():
    run = trace(RUN)
    event = next(one for one in run.kind(Heard, "b0") if one.code == BEAT and one.said.groups)
    assert whys(changed(run, event, from_="x"), "trace") == ["the address 'x' has no port"]


@each("what, name", [("subs", "%RETRY%G"), ("members", "")])
def test_broker_lists_what_a_heartbeat_has_named(what, name):
    run = trace(RUN)
    event = next(one for one in run.kind(Table, "b0") if one.what == what and one.is_)
    assert whys(run, "trace") == []
    early = edits.changed(run, [(event, (replace(event, at=event.at - 5_000),))])
    assert any(why.startswith(f"no heartbeat about G has named {name}") for why in whys(early, "trace"))


@each("status", ["NO_NEW_MSG", "NO_MATCHED_MSG", "OFFSET_ILLEGAL"])
def test_pull_with_messages_has_found_some(status):
    run = trace(RUN)
    event = next(one for one in run.kind(Pulled, "c0") if one.got)
    why = f"a pull with the status {status} returned messages"
    assert whys(changed(run, event, status=status), "trace") == [why]


def test_only_pulls_are_refused_because_of_subscriptions():
    run = trace(RUN)
    event = first(run, "b0", Answered, code=UPDATE)
    refused = changed(run, event, said=type(event.said)(code=25))
    assert "no answer to UPDATE_CONSUMER_OFFSET has the code 25" in whys(refused, "requests")


@each("took, accepted", [(900, False), (3_000, True)])
def test_answer_that_comes_too_late_calls_no_strategy(took, accepted):
    """``invokeSync`` has given up by then; the recorder still sees the answer."""
    run = trace("java-5.3.3/collected")
    share = run.kind(Allocate, "c1")[-1]
    answer = next(one for one in run.of["c1"] if one.row == share.row - 1)
    ask = next(one for one in run.kind(Ask, "c1") if one.opaque == answer.opaque)
    earlier = replace(ask, at=answer.at - took)
    whys_ = whys(edits.changed(run, [(share, ()), (ask, (earlier,))]), "transition")
    assert (whys_ == []) is accepted
