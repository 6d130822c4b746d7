"""Offset resets: at consumers that a broker asks (4.9), and in the broker's own table (5.x)."""

import pytest

from tests.recorded.cluster import made
from tests.recorded.cluster.made import EPOCH, begun, event

Q = "T1:b0:0"
MESSAGES = 10
"""Number of messages; one is sent each second from 100 ms on."""
TIME = EPOCH + 2_100
"""Time of the resets: of the message with offset 2. A message may have been stored up to 2 s before its event."""
ASKED = {"q": "T1", "timestamp": str(TIME), "group": "G"}


def _reset(at):
    about = {"code": "INVOKE_BROKER_TO_RESET_OFFSET", "from": "127.0.0.1:7", "opaque": 70}
    return [
        event(at - 1, "driver", "reset", group="G", topic="T1", timestamp=TIME),
        event(at, "b0", "heard", **about, said=ASKED),
        event(at, "b0", "answered", **about, asked=ASKED, said={"code": 0}),
    ]


def _ask(at, code, opaque, thread, **said):
    said = {"q": "T1:0", "consumerGroup": "G", **said}
    return event(at, "c0", "ask", code=code, opaque=opaque, oneway=False, said=said, to="127.0.0.1:1", thread=thread)


def _pull(at, opaque, offset, commits):
    said = {"commitOffset": str(commits), "sysFlag": "3"} if commits else {}
    return _ask(at, "PULL_MESSAGE", opaque, "PullMessageService", queueOffset=str(offset), **said)


def _rebalance(at, opaque, thread, members=("c0",)):
    """The first member owns the queue."""
    ids = [f"127.0.0.1@{one}" for one in members]
    share = {"mqAll": [Q], "cidAll": ids, "result": [Q] if members[0] == "c0" else [], "error": None}
    said = {"consumerGroup": "G"}
    ask = {"oneway": False, "said": said, "to": "127.0.0.1:1", "thread": thread}
    from_ = {"code": "GET_CONSUMER_LIST_BY_GROUP", "opaque": opaque}
    return [
        event(at, "c0", "ask", **from_, **ask),
        event(at, "b0", "answered", **from_, **{"from": "127.0.0.1:9"}, asked=said, said={"code": 0, "ids": ids}),
        event(at, "c0", "answer", **from_, said={"code": 0, "ids": ids}),
        event(at, "c0", "allocate", topic="T1", strategy="AVG", cid="127.0.0.1@c0", **share),
    ]


def _adds(at, opaque, offset, entry, thread="RebalanceService"):
    """A rebalance reads the committed offset, and adds the queue."""
    about = {"code": "QUERY_CONSUMER_OFFSET", "opaque": opaque}
    said, answer = {"q": "T1:0", "consumerGroup": "G"}, {"code": 0, "offset": str(offset)}
    return [
        event(at, "c0", "offset-removed", q=Q),
        _ask(at, "QUERY_CONSUMER_OFFSET", opaque, thread),
        event(at, "b0", "answered", **about, **{"from": "127.0.0.1:9"}, asked=said, said=answer),
        event(at, "c0", "answer", **about, said=answer),
        event(at, "c0", "offset-update", q=Q, offset=offset, increaseOnly=False),
        event(at, "c0", "offset-read", q=Q, type="READ_FROM_STORE", result=offset),
        event(at, "c0", "entry-new", q=Q, entry=entry, locked=True),
    ]


def _consumed(at, opaque, start):
    """All messages from ``start`` on are pulled and consumed, and the offset after them is committed."""
    got = [*range(start, MESSAGES)]
    pulled = {"status": "FOUND", "next": MESSAGES, "min": 0, "max": MESSAGES, "got": got}
    lines = [_pull(at, opaque, start, start)]
    lines.append(event(at + 1, "c0", "pulled", q=Q, **pulled))
    lines.append(_pull(at + 1, opaque + 20, MESSAGES, start))
    for place, offset in enumerate(got):
        begin = at + 2 + 21 * place
        more = {"tag": "A", "reconsumeTimes": 0, "bornAgo": 0, "thread": "t1"}
        lines += [event(begin, "c0", "begin", q=Q, offsets=[offset], keys=[f"k{offset}"], **more)]
        lines += [event(begin + 20, "c0", "end", q=Q, **{"from": offset}, to=offset, result="SUCCESS", thread="t1")]
        lines += [event(begin + 20, "c0", "offset-update", q=Q, offset=offset + 1, increaseOnly=True)]
    return lines


def _nothing(at):
    """A pull ends without messages, and the next offset is stored."""
    pulled = {"status": "NO_NEW_MSG", "next": MESSAGES, "min": 0, "max": MESSAGES, "got": []}
    update = event(at, "c0", "offset-update", q=Q, offset=MESSAGES, increaseOnly=True)
    return [event(at, "c0", "pulled", q=Q, **pulled), update]


def _committed(at, opaque, value, thread, was=None):
    about = {"code": "UPDATE_CONSUMER_OFFSET", "opaque": opaque}
    said = {"q": "T1:0", "consumerGroup": "G", "commitOffset": str(value)}
    return [
        _ask(at, "UPDATE_CONSUMER_OFFSET", opaque, thread, commitOffset=str(value)),
        event(at + 1, "b0", "answered", **about, **{"from": "127.0.0.1:9"}, asked=said, said={"code": 0}),
        event(at + 2, "b0", "table", what="offset", of="T1@G:0", **{"is": str(value), "was": was}),
    ]


def _before(at):
    """A consumer has consumed all messages, and committed the offset after them."""
    sent = {"tag": "A", "status": "SEND_OK"}
    lines = [*begun({"of": "c0", "id": "c0"})]
    lines += [event(100 + 1_000 * one, "p", "sent", q=Q, offset=one, key=f"k{one}", **sent) for one in range(MESSAGES)]
    lines += [event(9_400, "c0", "starting", options={}), event(9_400, "c0", "patched")]
    lines += [event(9_499, "c0", "started", clientId="127.0.0.1@c0")]
    lines += [*_rebalance(9_500, 80, "RebalanceService"), *_adds(9_501, 81, 0, "e1"), *_consumed(9_510, 1, 0)]
    lines += [*_nothing(13_099), _pull(13_100, 3, MESSAGES, MESSAGES)]
    lines += [event(at - 2_000, "c0", "persist-all", queues=1)]
    return lines + _committed(at - 2_000, 82, MESSAGES, "MQClientFactoryScheduledThread")


def _at_consumer(target=2):
    """The broker asks the consumer, which drops its process queue, waits 10 s and removes it."""
    thread = "NettyClientPublicExecutor_1"
    marks = {"in_table": True, "messages": 0, "lock_age": 1, "pull_age": 1}
    gone = {"dropped": True, "locked": True, "messages": 0, "since_pull": 1}
    return [
        *_before(15_000),
        *_reset(15_000),
        event(15_001, "c0", "reset-told", said=ASKED, **{"from": "127.0.0.1:1"}),
        event(15_040, "c0", "entry", q=Q, entry="e1", dropped=True, locked=True, **marks),
        event(25_002, "c0", "offset-update", q=Q, offset=target, increaseOnly=False),
        event(25_002, "c0", "persist", q=Q),
        *_committed(25_002, 83, target, thread, was=str(MESSAGES)),
        event(25_003, "c0", "offset-removed", q=Q),
        event(25_003, "c0", "entry-gone", q=Q, entry="e1", how="reset", **gone),
        *_rebalance(25_005, 84, thread),
        *_adds(25_006, 85, target, "e2", thread),
        event(25_007, "c0", "reset-done", **{"from": "127.0.0.1:1"}),
        *_consumed(25_010, 2, target),
        event(29_000, "c0", "persist-all", queues=0),
    ]


def _at_broker(target=2):
    """The broker changes its own table, and answers the next pull with the reset offset."""
    gone = {"dropped": True, "locked": True, "messages": 0, "since_pull": 1}
    moved = {"status": "OFFSET_ILLEGAL", "next": target, "min": 0, "max": MESSAGES, "got": []}
    return [
        *_before(15_000),
        *_reset(15_000),
        event(15_030, "b0", "table", what="offset", of="T1@G:0", **{"is": str(target), "was": str(MESSAGES)}),
        *_nothing(15_040),
        _pull(19_041, 4, MESSAGES, MESSAGES),
        event(19_050, "c0", "pulled", q=Q, **moved),
        event(19_051, "c0", "persist", q=Q),
        event(19_051, "c0", "entry-gone", q=Q, entry="e1", how="remove", **gone),
        event(19_051, "c0", "persist", q=Q),
        event(19_052, "c0", "offset-removed", q=Q),
        *_rebalance(19_055, 84, "RebalanceService"),
        *_adds(19_056, 85, target, "e2"),
        *_consumed(19_560, 5, target),
        event(29_000, "c0", "persist-all", queues=0),
    ]


def _whys(folder, lines, machine, release):
    return made.whys(made.trace(folder, lines, release), machine, "c0")


@pytest.mark.parametrize("machine", ["settling", "pulls", "offsets", "transition"])
@pytest.mark.parametrize("target", [1, 2, 4])
def test_reset_at_consumer_is_accepted(machine, target, tmp_path):
    assert _whys(tmp_path, _at_consumer(target), machine, "4.9.8") == []


@pytest.mark.parametrize("machine", ["settling", "pulls", "offsets", "transition"])
def test_reset_at_broker_is_accepted(machine, tmp_path):
    assert _whys(tmp_path, _at_broker(), machine, "5.3.3") == []


def _over(at):
    """The removal of the process queue e1 ends at that time, when its listener returns: e2 is in the table by then."""
    lines = _at_broker()
    gone = next(place for place, one in enumerate(lines) if one["ev"] == "entry-gone")
    late = [{**one, "at": EPOCH + at} for one in lines[gone + 1 : gone + 3]]
    assert [one["ev"] for one in late] == ["persist", "offset-removed"]
    return [*lines[: gone + 1], *lines[gone + 3 :], *late]


@pytest.mark.parametrize("machine", ["settling", "pulls", "offsets", "transition"])
def test_removal_that_ends_after_the_queue_was_added_again_is_accepted(machine, tmp_path):
    """A correction waits for the listener. It then drops the offset of the next process queue."""
    assert _whys(tmp_path, _over(19_300), machine, "5.3.3") == []


def test_removal_does_not_wait_longer_than_for_a_listener(tmp_path):
    assert _whys(tmp_path, _over(23_300), "offsets", "5.3.3")


@pytest.mark.parametrize(("at", "accepted"), [(19_300, True), (19_055, False)])
def test_failed_read_of_a_pull_is_no_effect_of_the_rebalance(at, accepted, tmp_path):
    """A pull reads the offset again and again without a connection, after the queue was added."""
    read = event(at, "c0", "offset-read", q=Q, type="READ_FROM_STORE", result=-2)
    assert (_whys(tmp_path, [*_at_broker(), read], "transition", "5.3.3") == []) is accepted


def _amid(gone):
    """The correction, if it is made, happens while a rebalance divides the topic: it adds the queue again."""
    lines = [one for one in _at_broker() if one["ev"] not in ("allocate", "persist-all") or one["at"] < EPOCH + 19_000]
    share = next(one for one in _at_broker() if one["ev"] == "allocate" and one["at"] > EPOCH + 19_000)
    ids = [one for one in lines if one.get("code") == "GET_CONSUMER_LIST_BY_GROUP" and one["at"] > EPOCH + 19_000]
    rest = [one for one in lines if one not in ids and (gone or one["ev"] not in ("entry-gone", "persist"))]
    return [*rest, *({**one, "at": EPOCH + 19_045} for one in (*ids, share))]


def test_queue_removed_by_another_thread_during_a_rebalance_is_added_again(tmp_path):
    assert _whys(tmp_path / "gone", _amid(gone=True), "transition", "5.3.3") == []
    assert _whys(tmp_path / "kept", _amid(gone=False), "transition", "5.3.3")


def _later(at, aim=2, moved=19_050):
    """The queue leaves the consumer and returns, before an illegal offset is corrected: 10 s later, up to Java 5.1."""
    all_ = str(MESSAGES)
    lines = [one for one in _at_broker() if one["at"] < EPOCH + 19_050]
    told = {"status": "OFFSET_ILLEGAL", "next": 2, "min": 0, "max": MESSAGES, "got": []}
    gone = {"how": "remove", "locked": True, "messages": 0, "since_pull": 1}
    notified = {"said": {"consumerGroup": "G"}, "from": "127.0.0.1:1"}
    return [
        *lines,
        event(moved, "c0", "pulled", q=Q, **told),
        event(20_000, "c0", "notified", **notified),
        *_rebalance(20_001, 84, "RebalanceService", members=("b0", "c0")),
        event(20_001, "c0", "persist", q=Q),
        *_committed(20_001, 85, MESSAGES, "RebalanceService", was="2"),
        event(20_002, "c0", "offset-removed", q=Q),
        event(20_002, "c0", "entry-gone", q=Q, entry="e1", dropped=True, **gone),
        event(22_000, "c0", "notified", **notified),
        *_rebalance(22_001, 86, "RebalanceService"),
        *_adds(22_001, 87, MESSAGES, "e2"),
        _pull(22_510, 88, MESSAGES, MESSAGES),
        event(at, "c0", "offset-update", q=Q, offset=aim, increaseOnly=False),
        event(at, "c0", "persist", q=Q),
        *_committed(at, 89, aim, "PullMessageServiceScheduledThread1", was=all_),
        event(at + 3, "c0", "entry-gone", q=Q, entry="e2", dropped=False, **gone),
        event(at + 3, "c0", "persist", q=Q),
        *_committed(at + 3, 91, aim, "PullMessageServiceScheduledThread1", was=str(aim))[:2],
        event(at + 4, "c0", "offset-removed", q=Q),
        event(39_000, "c0", "persist-all", queues=0),
    ]


@pytest.mark.parametrize("machine", ["settling", "pulls", "offsets", "transition"])
def test_late_correction_removes_the_next_process_queue(machine, tmp_path):
    assert _whys(tmp_path, _later(29_051), machine, "5.1.4") == []


@pytest.mark.parametrize(
    ("lines", "release"),
    [(_later(25_000), "5.1.4"), (_later(29_051, aim=3), "5.1.4"), (_later(29_051), "5.3.3")],
    ids=["early", "other offset", "release that corrects at once"],
)
def test_removal_without_a_correction_is_rejected(lines, release, tmp_path):
    assert _whys(tmp_path, lines, "transition", release)


def _leaves_and_returns(at, entry, since_pull):
    """The queue leaves the consumer, and returns 300 ms later."""
    notified = {"said": {"consumerGroup": "G"}, "from": "127.0.0.1:1"}
    gone = {"how": "remove", "dropped": True, "locked": True, "messages": 0, "since_pull": since_pull}
    return [
        event(at, "c0", "notified", **notified),
        *_rebalance(at, 130, "RebalanceService", members=("b0", "c0")),
        event(at, "c0", "persist", q=Q),
        event(at, "c0", "offset-removed", q=Q),
        event(at, "c0", "entry-gone", q=Q, entry="e1", **gone),
        event(at + 1_100, "c0", "notified", **notified),
        *_rebalance(at + 1_100, 131, "RebalanceService"),
        *_adds(at + 1_101, 132, MESSAGES, entry),
    ]


@pytest.mark.parametrize(("since_pull", "accepted"), [(1, True), (1_391, False)])
def test_pull_is_sent_after_a_correction_has_removed_its_process_queue(since_pull, accepted, tmp_path):
    """The correction for an earlier process queue's pull removes the next one, whose pull has just begun."""
    told = {"status": "OFFSET_ILLEGAL", "next": 2, "min": 0, "max": MESSAGES, "got": []}
    gone = {"how": "remove", "dropped": False, "locked": True, "messages": 0, "since_pull": since_pull}
    lines = [
        *(one for one in _before(15_000) if one["at"] < EPOCH + 13_200),
        *_leaves_and_returns(13_300, "e2", 200),
        _pull(15_000, 133, MESSAGES, MESSAGES),
        event(16_390, "c0", "pulled", q=Q, **told),
        *_nothing(16_390),
        event(16_391, "c0", "persist", q=Q),
        event(16_391, "c0", "entry-gone", q=Q, entry="e2", **gone),
        event(16_391, "c0", "persist", q=Q),
        event(16_391, "c0", "offset-removed", q=Q),
        _pull(16_391, 134, MESSAGES, MESSAGES),
        *_rebalance(16_395, 135, "RebalanceService"),
        *_adds(16_396, 136, MESSAGES, "e3"),
        _pull(16_900, 137, MESSAGES, MESSAGES),
        *_nothing(18_000),
        *_nothing(18_001),
        _pull(18_002, 138, MESSAGES, MESSAGES),
        event(29_000, "c0", "persist-all", queues=1),
    ]
    assert (_whys(tmp_path, lines, "pulls", "5.3.3") == []) is accepted


@pytest.mark.parametrize(("ends", "accepted"), [(True, True), (False, False)])
def test_reset_is_lost_with_the_suspended_pull_of_a_member_that_has_ended(ends, accepted, tmp_path):
    """The broker answers the pull although nobody hears it. The owner's next pull is not moved."""
    nothing = {"status": "NO_NEW_MSG", "next": MESSAGES, "min": 0, "max": MESSAGES, "got": []}
    other = [
        event(9_300, "driver", "start-consumer", of="c1", id="c1", group="G", ms=20),
        event(9_400, "c1", "starting", options={}),
        event(9_499, "c1", "started", clientId="127.0.0.1@c1"),
        {**_pull(12_000, 50, MESSAGES, 0), "who": "c1"},
    ]
    other += [] if ends else [event(28_000, "c1", "persist-all", queues=0)]
    other += [event(12_100, "driver", "signal", of="c1", signal="SIGKILL")] if ends else []
    lines = [one for one in _at_broker() if one["at"] < EPOCH + 19_045]
    lines += [event(19_050, "c0", "pulled", q=Q, **nothing), event(29_000, "c0", "persist-all", queues=0)]
    found = _whys(tmp_path, sorted([*lines, *other], key=lambda one: one["at"]), "offsets", "5.3.3")
    assert ("the queue's offset was reset, but the next pull was not moved there" not in found) is accepted


def _ordered(persists):
    """The reset at an ordered consumer, which persists the offset so many times."""
    lines = []
    for one in _at_consumer():
        if one["ev"] == "start-consumer":
            one["mode"] = "ordered"
        elif one["ev"] == "offset-update":
            if lines[-1]["ev"] == "pulled":  # only concurrent consumers store the offset of a pull without messages
                continue
            one["increaseOnly"] = False
        lines.append(one)
        at = one["at"] - EPOCH
        if one["ev"] == "entry-new":
            start, opaque = (0, 90) if one["entry"] == "e1" else (2, 91)
            read = _adds(at, opaque, start, "", "PullMessageService")
            lines += [each for each in read if each["ev"] not in ("offset-removed", "entry-new")]
        elif one["ev"] == "persist":
            lines += [one] * (persists - 1)
    return lines


@pytest.mark.parametrize(
    ("persists", "release", "accepted"),
    [(1, "4.9.8", True), (2, "4.9.8", False), (1, "5.3.3", True), (2, "5.3.3", True), (3, "5.3.3", False)],
)
def test_ordered_consumers_reset_persists_twice_from_5_2_on(persists, release, accepted, tmp_path):
    """Before and after it waits for the listener; once if the listener does not return in time."""
    assert (_whys(tmp_path, _ordered(persists), "offsets", release) == []) is accepted


def _without(lines, ev, **fields):
    gone = [one for one in lines if one["ev"] == ev and all(one[name] == value for name, value in fields.items())]
    assert len(gone) == 1
    return [one for one in lines if one is not gone[0]]


REPLACED = "offset 2 replaces the one in memory, but no reset has asked for it"


@pytest.mark.parametrize(
    ("edit", "machine", "why"),
    [
        (lambda lines: _without(lines, "reset-told"), "offsets", REPLACED),
        (
            lambda lines: _without(lines, "offset-update", offset=2, at=EPOCH + 25_002),
            "offsets",
            "no rebalance removes the entry",
        ),
        (lambda lines: _without(lines, "entry-gone"), "transition", "T1:b0:0 already has the entry e1"),
        (lambda lines: _without(lines, "reset-told"), "pulls", "its entry is dropped"),
        (lambda lines: _without(lines, "reset-told"), "settling", "no rebalance is under way"),
        (lambda lines: _without(lines, "persist"), "transition", "of the offset reset on T1:b0:0: rmOff out"),
    ],
)
def test_reset_without_request_or_effect_is_rejected(edit, machine, why, tmp_path):
    assert any(why in one for one in _whys(tmp_path, edit(_at_consumer()), machine, "4.9.8"))


def test_reset_that_leaves_a_process_queue_is_rejected(tmp_path):
    lines = [one for one in _at_consumer() if one["at"] < EPOCH + 25_000 or one["ev"] in ("reset-done", "persist-all")]
    found = _whys(tmp_path, lines, "transition", "4.9.8")
    assert found == ["the offset reset has left the process queue of T1:b0:0 in the table"]


@pytest.mark.parametrize("target", [0, 8])
def test_consumers_reset_to_another_time_is_rejected(target, tmp_path):
    found = _whys(tmp_path, _at_consumer(target), "offsets", "4.9.8")
    assert f"offset {target} replaces the one in memory, but no reset has asked for it" in found


@pytest.mark.parametrize("target", [0, 8])
def test_brokers_reset_to_another_time_is_rejected(target, tmp_path):
    found = _whys(tmp_path, _at_broker(target), "offsets", "5.3.3")
    assert f"T1@G:0 is {target}, but no consumer has committed it" in found


def test_set_back_without_a_reset_is_rejected(tmp_path):
    """Neither the broker's table goes back, nor is a pull moved."""
    lines = [one for one in _at_broker() if one.get("code") != "INVOKE_BROKER_TO_RESET_OFFSET"]
    assert "T1@G:0 is 2, but no consumer has committed it" in _whys(tmp_path / "row", lines, "offsets", "5.3.3")
    lines = [one for one in lines if one["ev"] != "table" or one["is"] != "2"]
    assert "the pull is moved to 2, but no reset has asked for it" in _whys(tmp_path, lines, "offsets", "5.3.3")


def test_correction_that_wakes_no_rebalance_is_rejected(tmp_path):
    lines = [one for one in _at_broker() if one["at"] < EPOCH + 19_055 or one["ev"] == "persist-all"]
    assert "the thread should have begun a rebalance before" in _whys(tmp_path, lines, "settling", "5.3.3")


def test_reset_that_moves_no_pull_is_rejected(tmp_path):
    """The broker answers the first pull after the reset with the reset offset."""
    lines = [one for one in _at_broker() if one["at"] < EPOCH + 19_045]
    nothing = {"status": "NO_NEW_MSG", "next": MESSAGES, "min": 0, "max": MESSAGES, "got": []}
    lines += [event(19_050, "c0", "pulled", q=Q, **nothing)]
    lines += [event(29_000, "c0", "persist-all", queues=0)]
    assert "the queue's offset was reset, but the next pull was not moved there" in _whys(
        tmp_path, lines, "offsets", "5.3.3"
    )


@pytest.mark.parametrize(("at", "moved"), [(50, False), (150, True)])
def test_reset_concerns_only_queues_that_exist(at, moved, tmp_path):
    """The queue is known from 100 ms on: it can be new, and then an earlier reset of its topic has not changed it."""
    lines = [*_before(15_000), event(29_000, "c0", "persist-all", queues=0), *_reset(at)]
    whys = _whys(tmp_path, sorted(lines, key=lambda one: one["at"]), "offsets", "5.3.3")
    assert ("the queue's offset was reset, but the next pull was not moved there" in whys) is moved


def _with_long_call(lines, end):
    """The listener's first call with the last message takes from before the reset until ``end``."""
    last, done = MESSAGES - 1, str(MESSAGES)
    begin = next(one for one in lines if one["ev"] == "begin" and one["offsets"] == [last])
    gone = [one for one in lines if one["ev"] == "end" and one["from"] == last][:1]
    gone += [one for one in lines if one["ev"] == "offset-update" and one["offset"] == MESSAGES][:3]
    found = [one for one in lines if not any(one is each for each in gone)]
    begin["thread"] = "t2"
    for one in found:
        early = one["at"] < EPOCH + 19_500
        for said in (one.get("said"), one.get("asked")):
            if early and isinstance(said, dict) and said.get("commitOffset") == done:
                said["commitOffset"] = str(last)
        if early and one["ev"] == "table":
            one.update({key: str(last) for key in ("is", "was") if one[key] == done})
    found += [event(9_690, "c0", "listener-time", ms=9_900), event(15_500, "c0", "listener-time", ms=20)]
    more = {"to": last, "result": "SUCCESS", "thread": "t2"}
    return [*found, event(end, "c0", "end", q=Q, **{"from": last}, **more)]


def test_call_that_began_before_a_reset_may_return_after_it(tmp_path):
    """Its message is pulled again, and waits; the older call stores no offset."""
    lines = _with_long_call(_at_broker(), 19_650)
    assert _whys(tmp_path, lines, "offsets", "5.3.3") == []


def test_second_call_without_a_begin_is_rejected(tmp_path):
    lines = _with_long_call(_at_broker(), 19_650)
    begins = [one for one in lines if one["ev"] == "begin" and one["offsets"] == [MESSAGES - 1]]
    lines = [one for one in lines if one is not begins[-1]]
    assert _whys(tmp_path, lines, "offsets", "5.3.3") != []
