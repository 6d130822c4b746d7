"""Offsets by behaviours: one false offset, entry or message is detected at its event."""

from dataclasses import replace

import pytest

from rebalance_proofs.model.machines.offsets import claims as offsets
from rebalance_proofs.model.machines.offsets.recorded import TABLE
from rebalance_proofs.recorded.cluster.clients import offsets_client
from rebalance_proofs.recorded.cluster.follower.check import check
from rebalance_proofs.recorded.cluster.follower.committed import again, told
from rebalance_proofs.recorded.cluster.judge import CHECKS
from rebalance_proofs.recorded.cluster.requests import Calls
from rebalance_proofs.recorded.cluster.tally import FOLLOWED, MESSAGES
from rebalance_proofs.recorded.groups.broker import Answered, Table
from rebalance_proofs.recorded.groups.event import PULL, QUERY, UPDATE
from rebalance_proofs.recorded.groups.member import (
    Ask,
    Begin,
    End,
    EntryGone,
    EntryNew,
    OffsetUpdate,
    Persist,
    PersistAll,
    Pulled,
)
from tests.recorded.cluster import made
from tests.recorded.cluster.made import begun, event
from tests.recorded.cluster.traces import changed, trace, whys, without

CONCURRENT, ORDERED = "java-4.9.8/j_shutdown", "java-4.9.8/o_shutdown_ordered"
Q = "T1:b0:0"


def _tally(of):
    return CHECKS["offsets"](of, Calls(of))


def _event(of, who, kind, last=False, **fields):
    found = [one for one in of.kind(kind, who) if all(getattr(one, name) == value for name, value in fields.items())]
    return found[-1] if last else found[0]


def _asks(of, who, code, place=-1):
    return [one for one in of.kind(Ask, who) if one.code == code][place]


@pytest.mark.parametrize("scenario", [CONCURRENT, ORDERED])
def test_offset_actions_are_observed(scenario):
    tally = _tally(trace(scenario))
    assert tally.accepted
    needed = {"asks", "adds", "pulls", "passes", "starts", "ends", "others", "sends", "commits", "revokes", "shuts"}
    needed |= {"notes", "fixes"} if scenario == ORDERED else {"records"}
    assert needed <= tally.shown.keys()
    assert 0 < tally.shown[FOLLOWED] < tally.shown[MESSAGES]
    assert sum(tally.by.values()) > tally.events / 3


def test_followed_messages_are_chosen():
    run = trace(CONCURRENT)
    twice = again(run)["GW"]
    for who in run.consumers:
        for life in run.lives(who):
            chosen = told(life, twice).chosen
            for entry in (one for one in life if isinstance(one, EntryNew)):
                got = [
                    offset
                    for one in life
                    if isinstance(one, Pulled) and one.q == entry.q and one.row > entry.row
                    for offset in one.got
                ]
                here = {offset for q, name, offset in chosen if (q, name) == (entry.q, entry.entry)}
                assert not got or got[0] in here
                assert {offset for q, offset in twice if q == entry.q and offset in got} <= {
                    offset for q, _, offset in chosen if q == entry.q
                }
    assert len(twice) == 8


def test_commit_of_another_offset_than_in_memory_is_rejected():
    run = trace(CONCURRENT)
    ask = _asks(run, "c0", UPDATE)
    lied = changed(run, ask, said=replace(ask.said, commit_offset=ask.said.commit_offset + 1))
    assert any(f"it commits {ask.said.commit_offset + 1}" in why for why in whys(lied, "offsets"))


def test_pull_that_skips_a_message_is_rejected():
    run = trace(CONCURRENT)
    ask = _asks(run, "c0", PULL, 40)
    offset = ask.said.queue_offset + 1
    lied = changed(run, ask, said=replace(ask.said, queue_offset=offset))
    assert f"it is pulled from {offset}" in whys(lied, "offsets")


def test_uncommitted_offset_answer_is_rejected():
    run = trace(CONCURRENT)
    answers = [one for one in run.kind(Answered, "b0") if one.code == QUERY and (one.said.offset or 0) > 3]
    answer = answers[-1]
    lied = changed(run, answer, said=replace(answer.said, offset=answer.said.offset - 3))
    assert any("the broker answers" in why or "no rebalance" in why for why in whys(lied, "offsets"))


def test_uncommitted_offset_row_is_rejected():
    run = trace(ORDERED)
    row = _event(run, "b0", Table, last=True, what="offset")
    lied = changed(run, row, is_=str(int(row.is_) + 1000))
    assert any("no consumer has committed it" in why for why in whys(lied, "offsets"))


@pytest.mark.parametrize("scenario", [CONCURRENT, ORDERED])
def test_entry_that_no_rebalance_removed_is_rejected(scenario):
    run = trace(scenario)
    who, going = next((who, one) for who in run.consumers for one in run.kind(Persist, who))
    lied = without(run, going)
    assert any(one.about == f"{who}, {going.q}" for one in _tally(lied).rejected)


def test_recorded_offset_beyond_a_followed_message_is_rejected():
    run = trace(CONCURRENT)
    end = _event(run, "c0", End, result="SUCCESS")
    note = next(one for one in run.kind(OffsetUpdate, "c0") if one.row > end.row and one.increase_only)
    assert whys(changed(run, note, offset=note.offset + 1), "offsets")


def test_pull_from_another_offset_is_rejected():
    run = trace(ORDERED)
    pulled = next(one for one in run.kind(Pulled, "c0") if one.got)
    lied = changed(run, pulled, next=pulled.next + 1, max=pulled.next + 1)
    assert any(f"it is pulled from {pulled.next}" in why for why in whys(lied, "offsets"))


def test_missing_shutdown_commit_is_rejected():
    run = trace(ORDERED)
    gone = _event(run, "c1", EntryGone, last=True, how="clear")
    commits = [one for one in run.kind(Ask, "c1") if one.code == UPDATE and one.said.q == gone.q]
    lied = without(run, commits[-1])
    assert any("no consumer has sent it" in why for why in whys(lied, "offsets"))


def test_commit_of_an_uncalled_store_is_rejected():
    run = trace(ORDERED)
    for one in run.kind(PersistAll, "c0")[:3]:
        run = without(run, next(each for each in run.kind(PersistAll, "c0") if each.at == one.at))
    assert any("was not to be persisted" in why for why in whys(run, "offsets"))


def _lines(*more):
    """A member's queue, and its entry that leaves while a pull of it is under way."""
    said, answer = {"q": "T1:0", "consumerGroup": "G"}, {"code": 0, "offset": "4"}
    query = {"code": QUERY, "opaque": 1}
    commit = {"q": "T1:0", "consumerGroup": "G", "commitOffset": "4"}
    update = {"code": UPDATE, "opaque": 2}
    sent = {"oneway": False, "to": "127.0.0.1:1"}
    pull = {**said, "queueOffset": "4", "commitOffset": "4", "sysFlag": "3"}
    whole = {"topic": "T1", "strategy": "AVG", "cid": "x", "mqAll": [Q], "cidAll": ["x", "y"], "error": None}
    return [
        *begun({"of": "c0", "id": "c0"}),
        event(50, "b0", "table", what="offset", of="T1@G:0", **{"is": "4", "was": None}),
        event(90, "c0", "ask", **query, **sent, said=said, thread="RebalanceService"),
        event(91, "b0", "answered", **query, **{"from": "127.0.0.1:9"}, asked=said, said=answer),
        event(92, "c0", "answer", **query, said=answer),
        event(93, "c0", "offset-update", q=Q, offset=4, increaseOnly=False),
        event(93, "c0", "offset-read", q=Q, type="READ_FROM_STORE", result=4),
        event(94, "c0", "entry-new", q=Q, entry="e", locked=True),
        event(95, "c0", "ask", code=PULL, opaque=3, **sent, said=pull, thread="PullMessageService"),
        event(200, "c0", "allocate", **whole, result=[]),
        event(201, "c0", "persist", q=Q),
        event(202, "c0", "ask", **update, **sent, said=commit, thread="RebalanceService"),
        event(203, "c0", "offset-removed", q=Q),
        event(204, "b0", "answered", **update, **{"from": "127.0.0.1:9"}, asked=commit, said={"code": 0}),
        event(
            *(205, "c0", "entry-gone"),
            **{"q": Q, "entry": "e", "how": "rebalance", "dropped": True, "locked": True, "messages": 0},
            sincePull=110,
        ),
        *more,
    ]


def _going(folder, value):
    """``persistAll`` is called while a rebalance takes the entry away, and a listener's thread notes something."""
    commit = {"q": "T1:0", "consumerGroup": "G", "commitOffset": str(value)}
    ask = {"code": UPDATE, "opaque": 7, "oneway": False, "to": "127.0.0.1:1", "said": commit, "thread": "timer"}
    lines = _lines(event(201, "c0", "persist-all", queues=1), event(202, "c0", "ask", **ask))
    of = made.trace(folder, lines)
    return [one.why for one in _tally(of).rejected if one.about == f"c0, {Q}"]


def test_commit_during_the_removal_of_an_entry_is_accepted(tmp_path):
    """The offset is in memory until the rebalance, which has committed it, removes it."""
    assert _going(tmp_path / "so", 4) == []
    assert any("it commits 3" in why for why in _going(tmp_path / "lie", 3))


def _late(folder, noted, next_=6):
    pulled = event(9_000, "c0", "pulled", q=Q, status="NO_MATCHED_MSG", next=next_, min=0, max=6, got=[])
    note = event(9_000, "c0", "offset-update", q=Q, offset=noted, increaseOnly=True)
    of = made.trace(folder, _lines(pulled, note))
    return [one.why for one in _tally(of).rejected if one.about == f"c0, {Q}"]


def test_empty_pull_of_a_removed_entry_records_its_next_offset(tmp_path):
    """Its next offset is still updated, for a queue that may have another owner by then."""
    assert _late(tmp_path / "so", 6) == []
    (why,) = _late(tmp_path / "lie", 7)
    assert why.startswith("offset 7 is stored in memory")


def _twice(folder, value):
    said = {"q": "T1:0", "consumerGroup": "G", "queueOffset": "6", "commitOffset": str(value), "sysFlag": "3"}
    lines = [one for one in _lines() if one["at"] - made.EPOCH < 200]
    lines += [
        event(100, "c0", "pulled", q=Q, status="NO_MATCHED_MSG", next=6, min=0, max=6, got=[]),
        event(
            *(102, "c0", "ask"),
            **{"code": PULL, "opaque": 4, "oneway": False, "to": "127.0.0.1:1", "said": said, "thread": "t"},
        ),
        event(103, "c0", "offset-update", q=Q, offset=6, increaseOnly=True),
    ]
    return [one.why for one in _tally(made.trace(folder, lines)).rejected if one.about == f"c0, {Q}"]


def test_late_store_event_is_accepted(tmp_path):
    """The event follows the update of the memory."""
    assert _twice(tmp_path / "so", 6) == []
    assert any("it commits 5" in why for why in _twice(tmp_path / "lie", 5))


def test_calls_for_messages_are_checked_in_order():
    run = trace(ORDERED)
    followed = [one for one in run.kind(Begin, "c0") if one.offsets[0] % 16 == 0][1]
    end = next(one for one in run.kind(End, "c0") if (one.q, one.from_) == (followed.q, followed.offsets[0]))
    lied = changed(run, end, at=followed.at - 400)
    assert any("no listener is called" in why or "no call" in why for why in whys(lied, "offsets"))


def _shut(folder, commits, noted):
    """A listener returns from offset 1, and its consumer shuts down: it commits an offset 172 ms after the start."""
    said = {"q": "T1:0", "consumerGroup": "G", "queueOffset": "6", "commitOffset": "4", "sysFlag": "3"}
    commit = {"q": "T1:0", "consumerGroup": "G", "commitOffset": str(commits)}
    sent = {"oneway": False, "to": "127.0.0.1:1", "thread": "main"}
    call = {"tag": "A", "reconsumeTimes": 0, "bornAgo": 0, "thread": "t1"}
    lines = [one for one in _lines() if one["at"] - made.EPOCH < 200]
    lines += [
        event(100, "c0", "pulled", q=Q, status="FOUND", next=6, min=0, max=6, got=[4, 5]),
        event(101, "c0", "ask", code=PULL, opaque=4, said=said, **sent),
        event(110, "c0", "begin", q=Q, offsets=[4], keys=["k4"], **call),
        event(130, "c0", "end", q=Q, **{"from": 4}, to=4, result="SUCCESS", thread="t1"),
        event(noted, "c0", "offset-update", q=Q, offset=5, increaseOnly=True),
        event(170, "c0", "shutdown-begin"),
        event(171, "c0", "persist-all", queues=1),
        event(172, "c0", "ask", code=UPDATE, opaque=7, said=commit, **sent),
        event(
            *(190, "c0", "entry-gone"),
            **{"q": Q, "entry": "e", "how": "clear", "dropped": True, "locked": True, "messages": 1},
            sincePull=90,
        ),
        event(195, "c0", "shutdown-end"),
    ]
    return [one.why for one in _tally(made.trace(folder, lines)).rejected if one.about == f"c0, {Q}"]


@pytest.mark.parametrize(
    ("noted", "commits", "why"),
    [
        (131, 5, None),
        (131, 4, "it commits 4, but the offset in memory differs"),
        (180, 4, None),
        (180, 3, "it commits 3, but the offset in memory differs"),
    ],
)
def test_shutdown_commits_the_offset_in_memory_at_that_time(noted, commits, why, tmp_path):
    """A listener can return between the commit and the removal of the process queue."""
    assert _shut(tmp_path, commits, noted) == ([] if why is None else [why])


def _called(folder, at):
    """A listener is called with a message after a poll has shown, at 200 ms, that its process queue is dropped."""
    said = {"q": "T1:0", "consumerGroup": "G", "queueOffset": "5", "commitOffset": "4", "sysFlag": "3"}
    call = {"tag": "A", "reconsumeTimes": 0, "bornAgo": 0, "thread": "t1"}
    ask = {"code": PULL, "opaque": 4, "oneway": False, "to": "127.0.0.1:1", "said": said, "thread": "t"}
    flags = {"dropped": True, "locked": True, "inTable": True, "messages": 1, "lockAge": 100, "pullAge": 100}
    lines = [one for one in _lines() if one["at"] - made.EPOCH < 200]
    lines += [
        event(100, "c0", "pulled", q=Q, status="FOUND", next=5, min=0, max=5, got=[4]),
        event(101, "c0", "ask", **ask),
        event(200, "c0", "entry", q=Q, entry="e", **flags),
        event(at, "c0", "begin", q=Q, offsets=[4], keys=["k4"], **call),
    ]
    return [one.why for one in _tally(made.trace(folder, lines)).rejected if one.about == f"c0, {Q}"]


def test_listener_is_called_just_after_its_process_queue_is_dropped(tmp_path):
    """Its thread has checked the process queue before."""
    assert _called(tmp_path / "so", 210) == []
    assert _called(tmp_path / "lie", 3_000) == ["the listener is called with 4"]


def _asked(folder, answered):
    """A commit of c1 arrives at 8,002 ms; c0 asks at 8,001 ms, and the broker answers the offset before."""
    said, answer = {"q": "T1:0", "consumerGroup": "G"}, {"code": 0, "offset": "4"}
    query = {"code": QUERY, "opaque": 8}
    commit = {"q": "T1:0", "consumerGroup": "G", "commitOffset": "6"}
    update = {"code": UPDATE, "opaque": 2}
    sent = {"oneway": False, "to": "127.0.0.1:1", "thread": "RebalanceService"}
    lines = [
        event(3, "driver", "start-consumer", ms=20, of="c1", id="c1"),
        event(8_000, "c1", "ask", **update, **sent, said=commit),
        event(8_001, "c0", "ask", **query, **sent, said=said),
        event(8_002, "b0", "answered", **update, **{"from": "127.0.0.1:7"}, asked=commit, said={"code": 0}),
        event(answered, "b0", "answered", **query, **{"from": "127.0.0.1:9"}, asked=said, said=answer),
        event(answered, "c0", "answer", **query, said=answer),
        event(answered, "c0", "offset-update", q=Q, offset=4, increaseOnly=False),
        event(answered, "c0", "offset-read", q=Q, type="READ_FROM_STORE", result=4),
        event(answered, "c0", "entry-new", q=Q, entry="f", locked=True),
    ]
    return [one.why for one in _tally(made.trace(folder, _lines(*lines))).rejected if one.about == f"c0, {Q}"]


def test_answer_may_be_older_than_a_commit_that_arrives_beside_it(tmp_path):
    assert _asked(tmp_path / "so", 8_003) == []
    assert _asked(tmp_path / "lie", 11_000) == ["the broker answers 4, but no consumer has committed it"]


def test_ordinary_changes_are_no_extended_limits():
    """Messages arrive all the time, and an answer is compared with the offset of its time."""
    assert _tally(trace(ORDERED)).widened == 0


# ---- The table without some of its rows


def _followed(of, table=TABLE):
    """Why the queues and messages of a trace are rejected by a table."""
    page = replace(offsets.PAGE, shown=table)
    return [one.why for one in check(page, offsets_client, of, Calls(of)).rejected]


def _without_rows(*events, about=None, **fields):
    """The table without its rows about these events."""
    gone = (
        one
        for one in TABLE.rows
        if one.event in events and fields.items() <= one.fields.items() and about in (None, one.about)
    )
    left = [*gone]
    return replace(TABLE, rows=tuple(one for one in TABLE.rows if not any(one is each for each in left)))


def _fixing_less():
    """The table in which no first pull of an ordered consumer reads the committed offset."""
    rows = (one for one in TABLE.rows if not any(name == "fixes" for way in one.ways for name, _ in way.moves))
    return replace(TABLE, rows=tuple(rows))


ACCEPTS_LESS = {
    "no process queue is added": (_without_rows("entry-new"), "but the offset in memory differs"),
    "pulls have no results": (_without_rows("pulled"), "it is pulled from"),
    "no listener is called": (_without_rows("begin"), "no listener is called with"),
    "no offset is stored": (_without_rows("offset-update", about="queue"), "but the offset in memory differs"),
    "removals drop no offset": (_without_rows("persist"), "its offset is dropped"),
    "first pulls read no offset": (_fixing_less(), "it is pulled from"),
}


@pytest.mark.parametrize("lacks", ACCEPTS_LESS)
def test_table_that_lacks_an_action_rejects_a_recording(lacks):
    table, why = ACCEPTS_LESS[lacks]
    assert any(why in one for one in _followed(trace(ORDERED), table))


def _pulls_less():
    run = trace(ORDERED)
    ask = _asks(run, "c0", PULL, 40)
    return changed(run, ask, said=replace(ask.said, queue_offset=ask.said.queue_offset - 1))


def _row_is_more():
    run = trace(ORDERED)
    row = _event(run, "b0", Table, last=True, what="offset")
    return changed(run, row, is_=str(int(row.is_) + 1000))


def _commits_without_a_store():
    run = trace(ORDERED)
    for one in run.kind(PersistAll, "c0")[:3]:
        run = without(run, next(each for each in run.kind(PersistAll, "c0") if each.at == one.at))
    return run


ACCEPTS_MORE = {
    "requests show no pulled offset": (_without_rows("ask", code=PULL), _pulls_less),
    "polls show no committed offset": (_without_rows("table"), _row_is_more),
    "requests show no commit": (_without_rows("ask", code=UPDATE), _commits_without_a_store),
}


@pytest.mark.parametrize("ignores", ACCEPTS_MORE)
def test_table_that_ignores_an_event_accepts_a_lie(ignores):
    table, lie = ACCEPTS_MORE[ignores]
    assert _followed(lie())
    assert _followed(lie(), table) == []
