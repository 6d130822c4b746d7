"""What happened without a premise is noticed, and is not when the sign is taken away by which the premise is seen to
have failed; what is kept without one is noticed when it is not."""

from dataclasses import replace
from functools import cache

import pytest

from rebalance_proofs.model.subscriptions import Refusal
from rebalance_proofs.recorded.groups.broker import Answered, Heard, Table
from rebalance_proofs.recorded.groups.driver import BrokerEnded, Delay, Signal, StartBroker, StartConsumer
from rebalance_proofs.recorded.groups.event import BEAT, LIST, PULL, QUERY, Response, Sent, Topic
from rebalance_proofs.recorded.groups.member import (
    Allocate,
    Answer,
    Ask,
    Begin,
    End,
    EntryGone,
    EntryNew,
    Notified,
    OffsetRead,
    OffsetUpdate,
    Persist,
    Pulled,
    Resuming,
    ShutdownBegin,
    Started,
    Suspending,
    Threw,
    Unsubscribed,
)
from rebalance_proofs.report.reality.monitored import MONITORS
from rebalance_proofs.report.reality.told import happenings, helds
from rebalance_proofs.report.reality.view import View
from tests.recorded.cluster.traces import trace
from tests.report.reality.monitors.lies import dropped, every, is_

LOST, PREMISES = "java-5.3.3/lost_requests", "java-5.3.3/premises"
HALF_OPEN, COLLECTED, THROWN = "java-5.3.3/half_open", "java-5.3.3/collected", "java-5.3.3/thrown"
LONG, OLDER = "java-4.9.8/c2_ordered_long", "java-4.9.8/lost_requests"
ORDERED = "java-4.9.8/o_shutdown_ordered"


@cache
def _told_of(kind, name):
    return [*MONITORS[kind](View(trace(name)))]


def _told(kind, whole):
    return [*MONITORS[kind](View(whole))]


def _times(told, claim):
    return sum(one.times for one in happenings(told) if claim in one.claims)


def _held(told, claim):
    found = [one for one in helds(told) if one.claim == claim]
    return sum(one.opportunities for one in found), sum(one.against for one in found)


def _no(who, kind, **values):
    return lambda whole: dropped(whole, who, is_(kind, **values))


def _of_main(event):
    return isinstance(event, Ask) and event.code == LIST and event.thread == "main"


HAPPENED = {
    "pulls.java_v5_3_3.has-request.without-store": (LOST, _no("c0", Threw, where="store")),
    "pulls.java_v5_3_3.has-request.without-hook": (LOST, _no("c0", Threw, where="hook", error=False)),
    "pulls.java_v5_3_3.has-request.without-error": (LOST, _no("c0", Threw, where="hook", error=True)),
    "pulls.java_v5_3_3.has-request.without-interrupt": (LOST, _no("c1", Threw, where="interrupt")),
    "pulls.java_v5_3_3.lets-go.without-running": (LOST, _no("c0", Suspending)),
    "pulls.java_v4_9_to_5_1.has-request.without-callback": (OLDER, _no("c1", Threw, where="callback")),
    "pulls.java_v4_9_to_5_1.healed.without-error": (OLDER, _no("c0", Threw, where="hook", error=True)),
    "settling.java_v5_2_to_v5_3.alone.without-resume": (LOST, lambda whole: dropped(whole, "c0", _of_main)),
    "settling.java_v5_2_to_v5_3.apart.without-resume": (THROWN, _no("c1", Resuming)),
    "settling.java_v5_2_to_v5_3.settles.without-timer": (
        LOST,
        lambda whole: every(whole, "driver", is_(StartConsumer, of="e0"), lambda one: replace(one, props=None)),
    ),
    "subscriptions.java_v5_0_to_v5_3.first-pull.without-soon": (LOST, lambda whole: dropped(whole, "c2", _refused_one)),
    "registry.java_v4_9_to_v5_3.at-once.without-close": (HALF_OPEN, _no("driver", Delay)),
    "registry.java_v4_9_to_v5_3.once.without-close": (HALF_OPEN, _no("driver", Delay)),
    "registry.java_v4_9_to_v5_3.told.without-close": (
        HALF_OPEN,
        lambda whole: dropped(whole, "b0", lambda one: is_(Table, what="members")(one) and one.at > 190_000),
    ),
    "ordered.java_v5_2.exclusive.without-twin": (
        PREMISES,
        lambda whole: every(whole, "w1", is_(Started), lambda one: replace(one, client_id="another")),
    ),
    "ordered.java_v5_2.exclusive.without-unsubscribed": (PREMISES, _no("u0", Unsubscribed)),
    "ordered.java_v5_2.exclusive.without-shutdown": (PREMISES, _no("u1", ShutdownBegin)),
    "ordered.java_v5_2.exact.shutdown": (PREMISES, _no("u1", ShutdownBegin)),
    "ordered.java_v5_2.exclusive.without-restart": (
        PREMISES,
        lambda whole: dropped(whole, "driver", lambda one: isinstance(one, BrokerEnded | Signal)),
    ),
    "registry.java_v4_9_to_v5_3.listed.without-restart": (PREMISES, lambda whole: dropped(whole, "b0", _starts)),
    "subscriptions.java_v4_9_to_v5_3.answered.without-room": (PREMISES, lambda whole: dropped(whole, "n1", _asks)),
    "subscriptions.java_v4_9_to_v5_3.never-answered": (PREMISES, lambda whole: dropped(whole, "n1", _asks)),
    "offsets.java_v4_9-orderly.one-batch.without-turn": (
        "java-4.9.8/lost_locks",
        lambda whole: _without(whole, OffsetUpdate),
    ),
    "settling.java_v4_9_to_v5_1.as-long": (
        "java-4.9.8/premises",
        lambda whole: _all(whole, is_(Allocate), lambda one: replace(one, at=one.at - 4_000)),
    ),
    "subscriptions.java_v4_9_to_v5_3.as-long": (
        "java-5.3.3/concurrent",
        lambda whole: _all(whole, is_(EntryNew), lambda one: replace(one, at=one.at + 1_000)),
    ),
    "subscriptions.java_v4_9_to_v5_3.answered-as-late": (
        "java-5.3.3/concurrent",
        lambda whole: dropped(whole, "c2", is_(EntryNew)),
    ),
    "ordered.java_v5_2.kept-so-long": (
        "java-5.3.3/relock",
        lambda whole: _all(whole, is_(EntryGone), lambda one: replace(one, at=one.at + 4_000)),
    ),
}
"""Claim -> a recording in which it happened, and the sign taken away."""


def _without(whole, kind):
    """No process has events of that kind."""
    return replace(whole, of={who: [one for one in its if not isinstance(one, kind)] for who, its in whole.of.items()})


def _all(whole, which, edit):
    """Those events of all processes are edited."""
    return replace(whole, of={who: [edit(one) if which(one) else one for one in its] for who, its in whole.of.items()})


def _starts(event):
    return type(event).__name__ == "BrokerStarting" and event.at > 100_000


def _asks(event):
    return isinstance(event, Ask)


def _refused_one(event):
    return isinstance(event, Ask) and event.code == PULL


@pytest.mark.parametrize("claim", HAPPENED)
def test_violation_without_premise_is_found_only_with_its_sign(claim):
    name, takes_away = HAPPENED[claim]
    kind = claim.partition(".")[0]
    assert _times(_told_of(kind, name), claim) > 0
    assert _times(_told(kind, takes_away(trace(name))), claim) == 0


def _earlier(who, ms):
    """All calls of a member's listener so many ms earlier."""
    return lambda whole: every(
        whole, who, lambda one: isinstance(one, Begin | End), lambda one: replace(one, at=one.at - ms)
    )


def _pulls_after(whole, who, where, **values):
    """No pull of the queue follows what was thrown there."""
    (thrown,) = [one for one in whole.kind(Threw, who) if one.where == where and is_(Threw, **values)(one)]
    return dropped(whole, who, lambda one: is_(Ask, code=PULL)(one) and one.said.q == thrown.q and one.at > thrown.at)


def _pulled_suspended(whole):
    """A pull is begun 10 s after the consumer was suspended."""
    begun = whole.kind(Suspending, "c0")[0].at
    later = next(one for one in whole.of["c0"] if is_(Ask, code=PULL)(one) and one.at > begun)
    return replace(whole, of={**whole.of, "c0": [*whole.of["c0"], replace(later, at=begun + 10_000)]})


def _unread(whole):
    """What is sent of one queue is given to nobody, from 30 s to 60 s."""
    gone = {one.key for one in whole.produced(Sent) if one.q == "T2:b0:0" and 30_000 < one.at < 60_000}
    begun = [one for one in whole.kind(Begin, "y0") if {*one.keys} & gone]
    froms = {one.offsets[0] for one in begun}
    both = dropped(whole, "y0", lambda one: any(one is each for each in begun))
    return dropped(both, "y0", lambda one: is_(End, q="T2:b0:0")(one) and one.from_ in froms)


def _refused(whole):
    """The broker refuses one of the pulls that have their expression with them."""
    ask = next(one for one in whole.of["c0"] if is_(Ask, code=PULL)(one) and one.at > 60_000)
    heard = next(one for one in whole.kind(Heard, "b0") if one.said.client_id == "127.0.0.1@c0")
    answer = Answered(
        at=ask.at + 1, who="b0", row=0, code=PULL, from_=heard.from_, opaque=ask.opaque, asked=ask.said,
        said=Response(code=Refusal.SUBSCRIPTION_NOT_LATEST.value),
    )  # fmt: skip
    return replace(whole, of={**whole.of, "b0": [*whole.of["b0"], answer]})


KEPT = {
    "offsets.java_v5+java_v4_9.mixed": (
        "java-5.3.3/mixed_late",
        lambda whole: _all(whole, is_(End), lambda one: replace(one, at=one.at + 20_000)),
    ),
    "offsets.java_v5_2-orderly+java_v4_9-orderly.mixed": (
        "java-5.3.3/zoo",
        lambda whole: every(whole, "x0", is_(OffsetRead), lambda one: replace(one, result=one.result + 1_000)),
    ),
    "pulls.java_v5_3_3.has-request.without-callback": (LOST, lambda whole: _pulls_after(whole, "c1", "callback")),
    "pulls.java_v5_3_3.healed.without-error": (LOST, lambda whole: _pulls_after(whole, "c0", "hook", error=True)),
    "pulls.java_v5_3_3.rests": (LOST, _pulled_suspended),
    "registry.java_v4_9_to_v5_3.agree": (
        LOST,
        lambda whole: every(whole, "b1", is_(Table, what="members", of="GE"), lambda one: replace(one, is_=None)),
    ),
    "registry.java_v4_9_to_v5_3.routed": (
        LOST,
        lambda whole: every(whole, "c1", is_(Allocate, topic="T1"), lambda one: replace(one, mq_all=one.mq_all[:4])),
    ),
    "registry.java_v4_9_to_v5_3.told-late": (COLLECTED, _no("c0", Notified)),
    "subscriptions.java_v4_9_to_v5_3.posted": (COLLECTED, _refused),
    "ordered.java_v5_2.exclusive": (PREMISES, _earlier("x1", 4_000)),
    "ordered.java_v5_2.exclusive.renewed": (PREMISES, _earlier("x1", 4_000)),
    "ordered.java_v5_2.exclusive.renewed-alike": (PREMISES, _earlier("x1", 4_000)),
    "subscriptions.java_v4_9_to_v5_3.own-tags.newest": (PREMISES, _unread),
}
"""Claim that holds, of which a recording has chances -> and a lie by which it does not hold there."""


@pytest.mark.parametrize("claim", KEPT)
def test_kept_claim_is_counted_and_a_false_recording_is_detected(claim):
    name, lie = KEPT[claim]
    kind = claim.partition(".")[0]
    chances, against = _held(_told_of(kind, name), claim)
    assert chances > 0
    assert against == 0
    assert _held(_told(kind, lie(trace(name))), claim)[1] > 0


def _with(whole, who, *events):
    """The recording with these events, too, by time."""
    lines = sorted([*whole.of[who], *events], key=lambda one: one.at)
    return replace(whole, of={**whole.of, who: lines})


def test_pull_of_an_entry_removed_during_the_offset_query_is_found():
    claim, whole = "pulls.java_v4_9_to_5_1.dies.without-query", trace(LONG)
    assert _times(_told_of("pulls", LONG), claim) == 0
    query = next(one for one in whole.of["c0"] if is_(Ask, code=QUERY, thread="PullMessageService")(one))
    gone = replace(whole.kind(EntryGone, "c0")[0], q=query.said.q, at=query.at)
    assert _times(_told("pulls", _with(whole, "c0", gone)), claim) == 1


def test_repair_of_an_illegal_offset_of_5_1_after_its_entry_is_removed_is_found():
    """Up to 5.1 a repair stores the offset ten seconds later."""
    claim, whole = "pulls.java_v4_9_to_5_1.repairs-while-held", trace(LONG)
    told = whole.kind(Pulled, "c0")[5]
    own = [one for one in whole.kind(EntryNew, "c0") if one.q == told.q and one.at < told.at][-1]
    moved = replace(whole.kind(EntryGone, "c0")[0], q=told.q, at=told.at + 2_000, entry=own.entry)
    written = OffsetUpdate(at=told.at + 10_000, who="c0", row=0, q=told.q, offset=told.next, increase_only=False)
    between = dropped(whole, "c0", lambda one: getattr(one, "q", "") == told.q and one.at >= told.at)
    made = _with(between, "c0", replace(told, status="OFFSET_ILLEGAL"), moved, written)
    assert _times(_told("pulls", made), claim) == 1
    assert _times(_told("pulls", _with(between, "c0", replace(told, status="OFFSET_ILLEGAL"), moved)), claim) == 0


@pytest.mark.parametrize(("late", "variant"), [(False, ""), (True, ".without-late-answer")])
def test_repair_of_an_illegal_offset_that_removes_another_entry_is_found(late, variant):
    """An offset is told to be illegal, its entry leaves and comes back, and then the new one is taken."""
    whole = trace(LOST)
    told = next(one for one in whole.kind(Pulled, "c0") if one.at > 120_000)
    illegal = replace(told, status="OFFSET_ILLEGAL")
    own = [one for one in whole.kind(EntryNew, "c0") if one.q == told.q and one.at < told.at][-1]
    moved = replace(whole.kind(EntryGone, "c0")[0], q=told.q, at=told.at + (-1 if late else 500), entry=own.entry)
    again = replace(own, at=told.at + 4_000, entry="another")
    taken = replace(moved, at=told.at + 10_000, entry="another", how="remove")
    written = Persist(at=told.at + 1_000, who="c0", row=0, q=told.q)
    between = dropped(whole, "c0", lambda one: getattr(one, "q", "") == told.q and one.at >= told.at)
    made = _with(between, "c0", illegal, moved, again, taken, written)
    for name in ("hits-own-entry", "repairs-while-held"):
        claim = f"pulls.java_v5_3_3.{name}{variant}"
        assert _times(_told("pulls", made), claim) + _held(_told("pulls", made), claim)[1] > 0
        only = _with(between, "c0", illegal)
        assert _times(_told("pulls", only), claim) + _held(_told("pulls", only), claim)[1] == 0


def test_failed_rebalance_delays_settling():
    claim, whole = "settling.java_v5_2_to_v5_3.settles.fails", trace(LOST)
    change = next(at for at, row in View(whole).lists("b0", "G") if at > 90_000 and len(row) == 2)

    def blind(until):
        """Lists are not answered for 15 s, and up to then no queues are divided."""
        return lambda one: (
            (is_(Answer, code=LIST)(one) and change <= one.at < change + 15_000)
            or (isinstance(one, Allocate) and change <= one.at < until)
        )

    assert _held(_told_of("settling", LOST), claim) == (0, 0)
    assert _held(_told("settling", dropped(whole, "c0", blind(change + 15_000))), claim)[1] == 0
    assert _held(_told("settling", dropped(whole, "c0", blind(change + 15_000))), claim)[0] > 0
    assert _held(_told("settling", dropped(whole, "c0", blind(whole.end))), claim)[1] > 0


def test_broker_with_notifications_disabled_notifies_nobody():
    claim = "registry.java_v4_9_to_v5_3.told.without-notifications"
    off = every(trace(LONG), "driver", is_(StartBroker),
                lambda one: replace(one, settings={"notifyConsumerIdsChangedEnable": "false"}))  # fmt: skip
    assert _times(_told("registry", off), claim) == 0
    assert _times(_told("registry", dropped(off, "c0", is_(Notified))), claim) > 0


def test_reset_whose_offset_the_next_rebalance_does_not_read_is_found():
    claim, whole = "offsets.java_v4_9.reset-heard", trace("java-4.9.8/reset")
    assert _times(_told_of("offsets", "java-4.9.8/reset"), claim) == 0
    other = every(whole, "c0", is_(OffsetRead), lambda one: replace(one, result=one.result + 1))
    assert _times(_told("offsets", other), claim) > 0


def test_member_of_a_vanished_host_that_is_listed_up_to_the_bound_is_found():
    claim, whole = "registry.java_v4_9_to_v5_3.as-long", trace(HALF_OPEN)
    assert _times(_told_of("registry", HALF_OPEN), claim) == 0
    killed = max(one.at for one in whole.kind(Signal, "driver") if one.signal == "SIGKILL")
    early = dropped(whole, "b0", lambda one: is_(Heard, code=BEAT)(one) and killed - 30_000 < one.at <= killed)
    assert _times(_told("registry", early), claim) > 0


def test_outdated_route_is_found_when_its_age_reaches_the_poll_interval():
    claim, whole = "registry.java_v4_9_to_v5_3.route-as-long", trace(THROWN)
    assert _times(_told_of("registry", THROWN), claim) == 0
    made = next(one for one in whole.kind(Topic, "p") if one.queues == 6)
    before = [one for one in whole.kind(Allocate, "c0") if one.topic == "T1" and one.at < made.at][-1]
    late = replace(before, at=made.at + 29_000)
    assert _times(_told("registry", _with(whole, "c0", late)), claim) == 1


def test_lock_of_a_delayed_unlock_stays_after_the_shutdown():
    claim, whole = "ordered.java_v4_9.given-back.without-pending", trace(ORDERED)
    assert _times(_told_of("ordered", ORDERED), claim) == 0
    begun = whole.kind(ShutdownBegin, "c1")[0].at
    stays = dropped(whole, "b0", lambda one: is_(Table, what="lock")(one) and one.at > begun)
    assert _times(_told("ordered", stays), claim) == 0
    left = next(one for one in reversed(whole.kind(EntryNew, "c1")) if one.at < begun)
    gone = replace(
        whole.kind(EntryGone, "c1")[0], q=left.q, entry=left.entry, at=begun - 5_000, messages=1, how="rebalance"
    )
    others = dropped(stays, "c1", lambda one: isinstance(one, EntryGone) and one.entry == left.entry)
    assert _times(_told("ordered", _with(others, "c1", gone)), claim) == 1
