"""Tables of pages followed on recordings: legal changes stay accepted, and illegal ones are rejected."""

from dataclasses import replace
from itertools import pairwise
from types import SimpleNamespace

import pytest

from rebalance_proofs.model.machines.ordered import claims as ordered
from rebalance_proofs.model.machines.ordered.recorded import TABLE as LOCKED
from rebalance_proofs.model.machines.pulls import claims as pulls
from rebalance_proofs.model.machines.registry import claims as registry
from rebalance_proofs.model.machines.registry.recorded import TABLE as REGISTERED
from rebalance_proofs.model.machines.settling import claims as settling
from rebalance_proofs.model.machines.subscriptions import claims as subscriptions
from rebalance_proofs.recorded.cluster.clients import (
    ordered_client,
    pulls_client,
    registry_client,
    settling_client,
    subscriptions_client,
)
from rebalance_proofs.recorded.cluster.follower import search
from rebalance_proofs.recorded.cluster.follower.check import check
from rebalance_proofs.recorded.cluster.requests import Calls
from rebalance_proofs.recorded.cluster.tally import TOO_MANY
from rebalance_proofs.recorded.groups.broker import Answered, BrokerStarting, Heard, Table
from rebalance_proofs.recorded.groups.member import (
    Allocate,
    Answer,
    Ask,
    Entry,
    EntryGone,
    EntryNew,
    Notified,
    Pulled,
    ShutdownBegin,
)
from tests.each import each
from tests.recorded.cluster.traces import changed, trace, without

RUN = "java-4.9.8/x_start_threw"
GROUP = "java-5.3.3/half_open"
FREEZE = "java-4.9.8/freeze"
ORDERED = "java-4.9.8/o_shutdown_ordered"
NOT_EXIST = 24
"""Response code: the broker does not know the subscription of a pull."""
RETURNED, RESTARTED = "java-4.9.8/l_delayed_unlock", "java-5.4.0/broker_killed"
PAGES = (
    (settling.PAGE, settling_client),
    (pulls.PAGE, pulls_client),
    (subscriptions.PAGE, subscriptions_client),
    (ordered.PAGE, ordered_client),
    (registry.PAGE, registry_client),
)
LIST, PULL = "GET_CONSUMER_LIST_BY_GROUP", "PULL_MESSAGE"
LOCK, UNLOCK = "LOCK_BATCH_MQ", "UNLOCK_BATCH_MQ"


def whys(of):
    """Why the pages reject a trace."""
    return [one.why for page in PAGES for one in check(*page, of, Calls(of)).rejected]


def exchanged(of):
    """The trace in which each poll and the event before it, at most 3 ms earlier, have changed places."""
    lines = dict(of.of)
    for who in of.consumers:
        found = [*of.of[who]]
        for place, (one, other) in enumerate(pairwise(of.of[who])):
            if isinstance(other, Entry) and not isinstance(one, Entry) and other.at - one.at <= 3:
                found[place : place + 2] = [replace(other, at=one.at), replace(one, at=other.at)]
        lines[who] = sorted(found, key=lambda event: event.at)
    return replace(of, of=lines)


def shifted(of):
    """The trace with polls of a broker's table that are written 40 ms later."""
    later = {who: [*of.of[who]] for who in of.brokers}
    for who, events in later.items():
        moved = (replace(one, at=one.at + 40) if isinstance(one, Table) else one for one in events)
        later[who] = sorted(moved, key=lambda event: event.at)
    return replace(of, of={**of.of, **later})


def without_polls(of):
    """The trace without every second poll that sees an ordinary process queue."""
    lines = dict(of.of)
    for who in of.consumers:
        plain = [one for one in of.of[who] if isinstance(one, Entry) and not one.dropped][::2]
        lines[who] = [one for one in of.of[who] if not any(one is poll for poll in plain)]
    return replace(of, of=lines)


def renamed(of):
    """The trace with other client ids, in the same order."""
    lines = dict(of.of)
    for who, events in of.of.items():
        lines[who] = [_renamed(one) for one in events]
    return replace(of, of=lines)


def _renamed(event):
    if isinstance(event, Allocate):
        ids = tuple(one.replace("127.0.0.1@", "10.0.0.1@") for one in event.cid_all or ())
        return replace(event, cid=event.cid.replace("127.0.0.1@", "10.0.0.1@"), cid_all=ids)
    if isinstance(event, Table) and event.what in ("members", "lock"):
        is_, was = (text and text.replace("127.0.0.1@", "10.0.0.1@") for text in (event.is_, event.was))
        return replace(event, is_=is_, was=was)
    parts = {name: _renamed_part(getattr(event, name)) for name in ("said", "asked") if hasattr(event, name)}
    return replace(event, **parts)


def _renamed_part(part):
    """A request or a response with the other ids."""
    if getattr(part, "client_id", None):
        return replace(part, client_id=part.client_id.replace("127.0.0.1@", "10.0.0.1@"))
    if getattr(part, "ids", None):
        return replace(part, ids=tuple(one.replace("127.0.0.1@", "10.0.0.1@") for one in part.ids))
    return part


@each("legal", [exchanged, shifted, without_polls, renamed])
def test_legal_change_is_accepted(legal):
    for run in (RUN, GROUP):
        assert whys(legal(trace(run))) == []


def _connecting(number):
    """The trace with a pull that is written after its process queue was removed; its number is ``opaque + number``.

    Later events show the time of the pull before.
    """
    of = trace("java-4.9.0/broker_killed")
    gone = next(one for one in of.kind(EntryGone, "c0") if one.q == "T1:b0:2")
    pulls_before = (one for one in of.kind(Ask, "c0") if (one.code, one.said.q) == (PULL, gone.q) and one.at < gone.at)
    *_, last, ask = pulls_before
    lines = [_since(one, last) if one.at >= ask.at and getattr(one, "entry", "") == gone.entry else one
             for one in of.of["c0"] if one is not ask]  # fmt: skip
    late = replace(ask, at=gone.at + 1, opaque=ask.opaque + number)
    return replace(of, of={**of.of, "c0": sorted([*lines, late], key=lambda event: event.at)})


def _since(event, pull):
    since = {Entry: "pull_age", EntryGone: "since_pull"}[type(event)]
    return replace(event, **{since: event.at - pull.at})


@pytest.mark.parametrize(("number", "accepted"), [(0, True), (10_000, False)])
def test_pull_that_waits_for_its_connection_was_sent_before(number, accepted):
    """Requests that other threads created later are written first."""
    of = _connecting(number)
    found = check(pulls.PAGE, pulls_client, of, Calls(of))
    assert found.accepted is accepted
    assert accepted or {one.why for one in found.rejected} == {"no request of the queue waits"}


def _events(run, kind, **fields):
    of = trace(run)
    for who in of.consumers:
        for event in of.kind(kind, who):
            if all(getattr(event, name) == value for name, value in fields.items()):
                yield event


def _asks(run, who):
    return [one for one in trace(run).kind(Ask, who) if one.code == LIST and one.thread == "RebalanceService"]


def _early():
    """A rebalance begins 9 s before the timer."""
    of = trace(GROUP)
    pairs = [one for one in pairwise(_asks(GROUP, "c0")) if one[1].at - one[0].at > 15_000]
    event = pairs[-2][1]
    return changed(of, event, at=event.at - 9_000)


def _skipped():
    """The rebalances of a minute are missing."""
    return _lacking("c0", lambda one: 60_000 < one.at < 120_000 and (isinstance(one, Allocate) or _of_list(one)))


def _of_list(event):
    return isinstance(event, (Ask, Answer)) and event.code == LIST


def _lacking(who, lost):
    of = trace(GROUP)
    return replace(of, of={**of.of, who: [one for one in of.of[who] if not lost(one)]})


def _outdated():
    """The last rebalances do not use the last member list."""
    of = trace(GROUP)
    for event in of.kind(Allocate, "c0")[-12:]:
        of = changed(of, next(one for one in of.of["c0"] if one.n == event.n), cid_all=("127.0.0.1@nobody",))
    return of


def _unadded():
    """A queue is removed that was not added."""
    return without(trace(GROUP), next(_events(GROUP, EntryNew)))


def _unasked():
    """A queue is no longer pulled."""
    first = next(_events(GROUP, Ask, code=PULL))
    until = first.at + 5_000
    return _lacking(first.who, lambda one: isinstance(one, Ask) and one.said.q == first.said.q and one.at > until)


def _stolen():
    """A queue leaves the table although the last rebalance has assigned it."""
    of = trace(GROUP)
    new = next(_events(GROUP, EntryNew))
    gone = EntryGone(at=new.at + 5_000, who=new.who, q=new.q, entry=new.entry, how="remove", dropped=True, locked=False,
                     messages=0, since_pull=5)  # fmt: skip
    lines = sorted([*of.of[new.who], gone], key=lambda event: event.at)
    return replace(of, of={**of.of, new.who: lines})


def _refusals(run):
    """Refused pulls long after the broker was frozen."""
    answers = (one for one in trace(run).kind(Answered, "b0") if one.code == PULL and one.at > 106_000)
    return [one for one in answers if one.said.code == NOT_EXIST]


def _unrefused():
    """The broker's refusal of a pull is missing, and the consumer pulls again a second later."""
    return without(trace(FREEZE), _refusals(FREEZE)[1])


def _admitted():
    """The broker answers a pull with another offset, although it does not know the group."""
    of, refused = trace(FREEZE), _refusals(FREEZE)[1]
    return changed(of, refused, said=replace(refused.said, code=21))


def _impatient():
    """A refused pull is sent again after half a second."""
    of, refused = trace(FREEZE), _refusals(FREEZE)[1]
    again = next(
        one
        for one in (one for who in of.consumers for one in of.kind(Ask, who))
        if one.code == PULL and one.said.q == refused.asked.q and 900 < one.at - refused.at < 1_100
    )
    return changed(of, again, at=refused.at + 500)


def _unseen():
    """No poll sees a new version of a subscription."""
    rows = [one for one in trace(GROUP).kind(Table, "b0") if one.what == "subs"]
    return without(trace(GROUP), next(one for one, after in pairwise(rows) if after.at - one.at > 10_000))


def _rows_of(run):
    return [one for one in trace(run).kind(Table, "b0") if one.what == "members"]


def _unscanned():
    """No poll sees that a scan has removed the connection of a member that is gone."""
    return without(trace(GROUP), _rows_of(GROUP)[-1])


def _unlisted():
    """No poll sees that a third member has joined."""
    return without(trace(GROUP), _rows_of(GROUP)[2])


def _unnamed():
    """A list of ids lacks a listed member."""
    answers = (one for one in trace(GROUP).kind(Answered, "b0") if one.code == LIST and one.at > 60_000)
    event = next(one for one in answers if len(one.said.ids or ()) > 1)
    return changed(trace(GROUP), event, said=replace(event.said, ids=event.said.ids[1:]))


def _untold():
    """A member is not notified when another one joins."""
    row = _rows_of(GROUP)[1]
    return _lacking("c0", lambda one: isinstance(one, Notified) and abs(one.at - row.at) < 10_000)


def _told():
    """A member is notified, although nothing has changed for a minute."""
    of = trace(GROUP)
    calm = next(one for one, after in pairwise(_rows_of(GROUP)) if after.at - one.at > 60_000).at + 40_000
    return changed(of, of.kind(Notified, "c0")[0], at=calm)


def _still_listed():
    """A member stays listed after it has unregistered."""
    gone = [one for one in _rows_of(ORDERED) if one.was and len(one.was.split()) > len((one.is_ or "").split())]
    return without(trace(ORDERED), gone[0])


@each(
    "illegal",
    [
        _early,
        _skipped,
        _outdated,
        _unadded,
        _unasked,
        _stolen,
        _unrefused,
        _admitted,
        _impatient,
        _unseen,
        _unscanned,
        _unlisted,
        _unnamed,
        _untold,
        _told,
        _still_listed,
    ],
)
def test_illegal_change_is_rejected(illegal):
    assert whys(illegal())


def _rewired(*dropped):
    """The table of the registry without the rows with these reasons."""
    rows = tuple(one for one in REGISTERED.rows if one.why not in dropped)
    assert len(rows) == len(REGISTERED.rows) - len(dropped)
    return replace(REGISTERED, rows=rows)


TABLES = {
    "lists are not compared": (_rewired("the broker answers another list"), _unnamed),
    "polls are not due": (_rewired("no poll has seen the change"), _still_listed),
    "no member needs a notification": (
        _rewired("the member is listed before and after, and was not notified"),
        _untold,
    ),
    "notifications need no cause": (_rewired("nothing has changed in the group"), _told),
}
"""Fault in the table of the registry -> the table, and an illegal recording that it accepts."""


def _with_table(table, of):
    page = SimpleNamespace(**{name: getattr(registry.PAGE, name) for name in ("name", "machine", "examples")})
    page.shown = table
    return check(page, registry_client, of, Calls(of))


@each("fault", TABLES)
def test_fault_in_the_table_of_the_registry_is_noticed(fault):
    table, illegal = TABLES[fault]
    assert _with_table(table, illegal()).accepted
    assert not _with_table(REGISTERED, illegal()).accepted


@each("lacks", ["puts", "unregisters"])
def test_table_of_the_registry_needs_its_hidden_actions(lacks):
    hidden = tuple(one for one in REGISTERED.hidden if one.way.moves[0][0] != lacks)
    assert len(hidden) == len(REGISTERED.hidden) - 1
    assert not _with_table(replace(REGISTERED, hidden=hidden), trace(ORDERED)).accepted
    assert _with_table(REGISTERED, trace(ORDERED)).accepted


def test_rejection_names_the_false_guard():
    (found,) = check(*PAGES[0], (of := _early()), Calls(of)).rejected
    assert found.why == "no wake-up and no timer explains that a rebalance begins"
    assert any("is false" in near for near in found.nearest)


def test_too_many_states_are_told_as_a_limit_of_the_checker(monkeypatch):
    monkeypatch.setattr(search, "MOST", 1)
    found = check(*PAGES[0], (of := trace(GROUP)), Calls(of)).rejected
    assert TOO_MANY in {one.why for one in found}


def test_wrong_page_is_rejected():
    """A client whose thread waits three times as long does not explain the recorded rebalances."""
    of = trace(GROUP)
    client = settling_client("5.3.3")
    wrong = next(one for one in client.mutants if one.name == "waits-longer")
    assert check(*PAGES[0], of, Calls(of)).accepted
    other = replace(of, encodings={"settling": lambda client: wrong.encoding})
    assert not check(*PAGES[0], other, Calls(other)).accepted


@pytest.mark.slow
@each("page", PAGES)
def test_notification_long_before_its_rebalance_is_rejected(page):
    of = trace("java-4.9.8/o_shutdown_ordered")
    told = of.kind(Notified, "c0")[-1]
    moved = changed(of, told, at=told.at - 12_000)
    assert check(*page, moved, Calls(moved)).accepted == (page is not PAGES[0])


# ---- Locks of ordered queues


def _locks(of, table=LOCKED):
    """Why a table of recorded events rejects the locks of a trace."""
    return {one.why for one in check(replace(ordered.PAGE, shown=table), ordered_client, of, Calls(of)).rejected}


def _delayed():
    """The delayed unlock request of a queue, which is sent 20 s after the removal of its process queue."""
    gone = {q: one.at for one in _events(RETURNED, EntryGone) for q in (one.q,)}
    asks = (one for one in _events(RETURNED, Ask, code=UNLOCK) if len(one.said.queues) == 1)
    return next(one for one in asks if one.at - gone.get(one.said.queues[0], one.at) > 15_000)


def _returned_early():
    """A delayed unlock request is sent 5 s before it is due."""
    return changed(trace(RETURNED), (ask := _delayed()), at=ask.at - 5_000)


def _unreturned():
    """A process queue leaves the table without an unlock request."""
    of = trace(RESTARTED)
    leaves = {who: [one.at for one in of.kind(ShutdownBegin, who)] for who in of.consumers}
    asks = (one for one in _events(RESTARTED, Ask, code=UNLOCK))
    return without(of, next(one for one in asks if not any(at <= one.at for at in leaves[one.who])))


def _unpolled():
    """No poll sees that a lock was granted."""
    rows = [one for one in trace(RETURNED).kind(Table, "b0") if one.what == "lock"]
    return without(trace(RETURNED), rows[0])


def _pulled_at_once():
    """Messages of a new process queue arrive before its first pull is due."""
    of = trace(RESTARTED)
    new = next(one for one in _events(RESTARTED, EntryNew) if of.ordered(one.who))
    pulled = next(one for one in of.kind(Pulled, new.who) if one.q == new.q and one.got)
    return changed(of, pulled, at=new.at + 100)


def _regranted():
    """The broker grants a lock to a client while another client holds it."""
    of = trace(RETURNED)
    denied = (one for one in of.kind(Answered, "b0") if one.code == LOCK and one.said.granted == ())
    answer = next(denied)
    return changed(of, answer, said=replace(answer.said, granted=answer.asked.queues))


def _undated():
    """A poll shows a lock that was renewed half a minute before."""
    look = next(_events(RETURNED, Entry, dropped=False, in_table=True))
    return changed(trace(RETURNED), look, lock_age=look.lock_age + 30_000)


LIES = {
    _returned_early: "it returns the lock",
    _unreturned: "its entry leaves the table",
    _unpolled: "no poll has seen the lock's holder",
    _pulled_at_once: "its messages were pulled too early",
    _regranted: "the broker grants another client a lock that the consumer holds",
    _undated: "a poll sees another time of its lock",
}


@each(("illegal", "why"), LIES.items())
def test_illegal_lock_is_rejected(illegal, why):
    assert why in _locks(illegal())


@each("answered", [True, False])
def test_result_of_a_former_process_queues_pull_is_accepted(answered):
    """It arrives 100 ms after the queue has returned. It is rejected if that pull was ``answered`` before."""
    of = trace(RESTARTED)
    for new in _events(RESTARTED, EntryNew):
        asked = [one for one in of.kind(Ask, new.who) if one.code == PULL and one.said.q == new.q and one.row < new.row]
        results = [one for one in of.kind(Pulled, new.who) if one.q == new.q]
        late = [one for one in results if asked and asked[-1].row < one.row < new.row]
        full = next((one for one in results if one.got and one.row > new.row), None)
        if asked and full and of.ordered(new.who):
            break
    more = replace(full, at=new.at + 100)
    lines = [one for one in of.of[new.who] if answered or not any(one is each for each in late)]
    if answered and not late:
        lines.append(replace(full, at=new.at - 1, row=new.row))
    lines = sorted([*lines, more], key=lambda one: one.at)
    numbered = [replace(one, row=row) for row, one in enumerate(lines, start=1)]
    found = _locks(replace(of, of={**of.of, new.who: numbered}))
    assert ("its messages were pulled too early" in found) is answered


def _without_rows(*events, **fields):
    """The table without its rows about these events."""
    rows = (one for one in LOCKED.rows if one.event not in events or not fields.items() <= one.fields.items())
    return replace(LOCKED, rows=tuple(rows))


ACCEPTS_LESS = {
    "locks survive a broker's restart": (_without_rows("broker-starting"), "java-4.9.8/premises"),
    "a shutdown returns no locks": (replace(LOCKED, hidden=()), "java-4.9.8/o_shutdown_ordered"),
    "renewals do not reach the consumer": (_without_rows("answer", code=LOCK), "java-4.9.8/o_shutdown_ordered"),
    "unlock requests are not handled": (_without_rows("answered", code=UNLOCK), RETURNED),
    "listeners do not return": (_without_rows("end"), RETURNED),
    "messages do not arrive": (_without_rows("pulled"), RUN),
}
ACCEPTS_MORE = {
    "polls of locks show nothing": (_without_rows("table", "unchanged"), _unpolled),
    "ages of locks show nothing": (
        replace(LOCKED, rows=tuple(one for one in LOCKED.rows if one.why != LIES[_undated])),
        _undated,
    ),
}


@each(("table", "run"), ACCEPTS_LESS.values())
def test_table_that_lacks_an_action_rejects_a_recording(table, run):
    assert _locks(trace(run)) == set()
    assert _locks(trace(run), table)


@each(("table", "illegal"), ACCEPTS_MORE.values())
def test_table_that_ignores_an_event_accepts_a_lie(table, illegal):
    assert _locks(illegal())
    assert _locks(illegal(), table) == set()


def _without_requests(since, length):
    """The recording without the broker's lines about requests in that time."""
    of = trace(RESTARTED)
    lines = [
        one for one in of.of["b0"] if not (isinstance(one, (Heard, Answered)) and since <= one.at < since + length)
    ]
    return replace(of, of={**of.of, "b0": lines})


def test_lock_requests_of_a_broker_that_has_just_started_may_lack_events():
    started = trace(RESTARTED).kind(BrokerStarting, "b0")[-1].at
    grants = [one for one in _events_of("b0", Answered, code=LOCK) if one.at > started and one.said.granted]
    first = grants[0].at - started + 1
    assert _locks(_without_requests(started, first)) == set()
    later = next(one for one in grants if one.at > grants[0].at + 20_000)
    assert _locks(_without_requests(later.at - 100, 101)) != set()


def _events_of(who, kind, **fields):
    """Events of one process of the recording with a restarted broker."""
    events = trace(RESTARTED).kind(kind, who)
    return (one for one in events if all(getattr(one, name) == value for name, value in fields.items()))
