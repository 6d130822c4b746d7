"""One false event in a recording is detected, at its event, by the machine for it."""

from dataclasses import replace

from rebalance_proofs.recorded.groups.broker import Answered, Heard, Table
from rebalance_proofs.recorded.groups.event import Sent
from rebalance_proofs.recorded.groups.member import (
    Allocate,
    Answer,
    Ask,
    Begin,
    End,
    Entry,
    EntryNew,
    Notified,
    OffsetUpdate,
    Pulled,
)
from tests.recorded.cluster.traces import changed, first, held, trace, whys, without

RUN = "java-4.9.8/o_shutdown_ordered"
CONCURRENT = "java-4.9.8/j_shutdown"
LIST = "GET_CONSUMER_LIST_BY_GROUP"


def test_queue_in_another_members_share_is_rejected():
    run = trace(RUN)
    event = first(run, "c0", Allocate, topic="T1")
    (why,) = whys(changed(run, event, result=event.result[1:]), "allocation")
    assert why.startswith("AVG gives [")


def test_unknown_member_in_a_share_is_rejected():
    run = trace(RUN)
    event = first(run, "c0", Allocate, topic="T1")
    (why,) = whys(changed(run, event, cid_all=("127.0.0.1@c0", "127.0.0.1@c9")), "allocation")
    assert "the broker's last answer" in why


def test_missing_new_entry_is_rejected():
    run = trace(RUN)
    event = first(run, "c0", EntryNew)
    found = whys(without(run, event), "transition")
    assert found
    assert "no run of the client's code has these effects" in found[0]


def test_rebalance_without_a_cause_is_rejected():
    """Between two timers nothing has woken the thread."""
    run = trace(RUN)
    asks = [event for event in run.kind(Ask, "c0") if event.code == LIST]
    last = asks[-1]
    rounds = [event for event in asks if last.at - event.at > 15_000]
    assert "no wake-up and no timer explains that a rebalance begins" in whys(
        changed(run, last, at=rounds[-1].at + 8_000), "settling"
    )


def test_notification_without_an_effect_is_rejected():
    run = trace(RUN)
    told = run.kind(Notified, "c0")[-1]
    assert whys(changed(run, told, at=told.at - 12_000), "settling")


def test_missing_rebalance_is_rejected():
    run = trace(RUN)
    for event in [event for event in run.of["c0"] if 100_000 < event.at < 150_000]:
        if isinstance(event, (Ask, Answer)) and event.code == LIST:
            run = without(run, event)
    assert whys(run, "settling")


def test_member_without_heartbeats_is_rejected():
    run = trace(RUN)
    row = [event for event in run.kind(Table, "b0") if event.what == "members"][-1]
    assert whys(changed(run, row, is_=f"{row.is_ or ''} 127.0.0.1@c1:1".strip()), "registry")


def test_wrong_member_list_is_rejected():
    run = trace(RUN)
    event = [event for event in run.kind(Answered, "b0") if event.code == LIST][-1]
    lied = changed(run, event, said=type(event.said)(code=0, ids=("127.0.0.1@c2",)))
    assert any("the broker answers" in why for why in whys(lied, "registry"))


def test_lock_of_another_client_is_rejected():
    run = trace("java-4.9.8/l_delayed_unlock")
    locks = (event for event in run.kind(Answered, "b0") if event.code == "LOCK_BATCH_MQ")
    refused = next(event for event in locks if event.said.granted == ())
    lied = changed(run, refused, said=type(refused.said)(code=0, granted=refused.asked.queues))
    assert any("grants" in why for why in whys(lied, "ordered"))


def test_denial_of_a_free_lock_is_rejected():
    run = trace("java-4.9.8/l_delayed_unlock")
    event = first(run, "b0", Answered, code="LOCK_BATCH_MQ")
    lied = changed(run, event, said=type(event.said)(code=0, granted=()))
    assert any("the broker denies a lock" in why or "the broker's lock has" in why for why in whys(lied, "ordered"))


def test_ordered_call_without_the_lock_is_rejected():
    run = trace("java-4.9.8/l_delayed_unlock")
    for event in run.of["c0"]:
        if isinstance(event, Answer) and event.code == "LOCK_BATCH_MQ" and len(event.said.granted or ()) > 1:
            run = changed(run, event, said=type(event.said)(code=0, granted=()))
    assert "the listener is called" in whys(run, "ordered")


def test_drop_mark_without_a_rebalance_is_rejected():
    run = trace(RUN)
    look = first(run, "c0", Entry, dropped=False)
    found = whys(changed(run, look, dropped=True), "ordered")
    assert found == ["a poll sees other flags of its process queue"]


def test_missing_or_repeated_look_is_rejected():
    run = trace(CONCURRENT)
    look = first(run, "c0", Entry, dropped=False)
    assert any("no poll has seen" in why for why in whys(without(run, look), "trace"))
    looks = run.kind(Entry, "c1")
    later = next(one for one in looks if not one.in_table)
    look = next(one for one in looks if one.entry == later.entry)
    twice = changed(run, later, dropped=look.dropped, locked=look.locked, in_table=look.in_table)
    assert any("has seen the same" in why for why in whys(twice, "trace"))


def test_call_with_an_unpulled_message_is_rejected():
    run = trace(CONCURRENT)
    event = first(run, "c0", Pulled, status="FOUND")
    found = whys(without(run, event), "offsets")
    assert found, found


def test_call_with_an_unsent_message_is_rejected():
    run = trace(CONCURRENT)
    event = first(run, "c0", Begin)
    sent = first(run, "p", Sent, q=event.q, offset=event.offsets[0])
    assert any(
        "the producer has sent no message" in why or "no message was sent" in why
        for why in whys(without(run, sent), "offsets")
    )


def test_offset_beyond_a_running_message_is_rejected():
    run = trace(CONCURRENT)
    event = first(run, "c0", OffsetUpdate, increase_only=True)
    found = whys(changed(run, event, offset=event.offset + 3), "offsets")
    assert any("the listener has not returned from" in why or "but not pulled" in why for why in found)


def test_too_short_listener_call_is_rejected():
    run = trace(CONCURRENT)
    event = first(run, "c0", End)
    assert any("the listener takes 3000 ms" in why for why in whys(changed(run, event, at=event.at - 700), "offsets"))


def test_skipped_request_is_rejected():
    run = trace(RUN)
    event = next(event for event in run.kind(Heard, "b0") if event.code == "HEART_BEAT" and event.at > 60_000)
    assert whys(without(run, event), "requests")


def test_event_at_another_time_is_rejected():
    run = trace(RUN)
    event = run.of["c0"][300]
    lines = [replace(one, at=one.at + 9_000) if one is event else one for one in run.of["c0"]]
    lied = replace(run, of={**run.of, "c0": sorted(lines, key=lambda one: one.at)})
    assert any("before it has a time" in why for why in whys(lied, "trace"))


def test_rejection_shows_states_and_nearest_events():
    run = trace("java-4.9.8/l_delayed_unlock")
    event = first(run, "c0", EntryNew)
    told = held(changed(run, first(run, "c0", Begin), at=event.at)).rejections
    assert any("starts (" in near and "is false" in near for _, one in told for near in one.nearest)
