"""Offsets that are updated: by a listener's thread, and by pulls without messages."""

import pytest

from tests.recorded.cluster import made
from tests.recorded.cluster.made import begun, event

Q, OTHER = "T1:b0:0", "T1:b0:1"


def _pull(at, opaque, offset, q=Q, commits=0):
    said = {"q": f"T1:{q[-1]}", "consumerGroup": "G", "queueOffset": str(offset)}
    said |= {"commitOffset": str(commits), "sysFlag": "3"} if commits else {}
    ask = {"oneway": False, "said": said, "to": "127.0.0.1:1", "thread": "PullMessageService"}
    return event(at, "c0", "ask", code="PULL_MESSAGE", opaque=opaque, **ask)


def _pulled(at, *got, next_, q=Q):
    status = "FOUND" if got else "NO_NEW_MSG"
    return event(at, "c0", "pulled", q=q, status=status, next=next_, min=0, max=next_, got=[*got])


def _entry(at, q, opaque):
    said, answer = {"q": f"T1:{q[-1]}", "consumerGroup": "G"}, {"code": 0, "offset": "0"}
    ask = {"oneway": False, "said": said, "to": "127.0.0.1:1", "thread": "RebalanceService"}
    from_ = {"code": "QUERY_CONSUMER_OFFSET", "opaque": opaque}
    lines = [event(at - 3, "c0", "ask", **from_, **ask)]
    lines += [event(at - 2, "b0", "answered", **from_, **{"from": "127.0.0.1:9"}, asked=said, said=answer)]
    lines += [event(at - 1, "c0", "answer", **from_, said=answer)]
    lines += [event(at, "c0", "offset-update", q=q, offset=0, increaseOnly=False)]
    lines += [event(at, "c0", "offset-read", q=q, type="READ_FROM_STORE", result=0)]
    return [*lines, event(at, "c0", "entry-new", q=q, entry=q, locked=True)]


def _begin(at, offset, q=Q):
    more = {"tag": "A", "reconsumeTimes": 0, "bornAgo": 0, "thread": "t1"}
    return event(at, "c0", "begin", q=q, offsets=[offset], keys=[f"k{offset}"], **more)


def _end(at, offset, q=Q):
    return event(at, "c0", "end", q=q, **{"from": offset}, to=offset, result="SUCCESS")


def _noted(at, offset, q=Q):
    return event(at, "c0", "offset-update", q=q, offset=offset, increaseOnly=True)


def _whys(folder, first, second, last):
    """Two messages; a pull finds nothing while the second waits, and one more when both are done with."""
    lines = [*begun({"of": "c0", "id": "c0"}), *_entry(100, Q, 90), *_entry(104, OTHER, 91)]
    lines += [_pull(110, 1, 0), _pull(111, 2, 0, OTHER), _pulled(120, 0, 1, next_=2), _pulled(120, 0, next_=1, q=OTHER)]
    lines += [_begin(121, 0), _pull(122, 3, 2), _end(141, 0), _noted(142, first)]
    lines += [_begin(143, 1), _pulled(150, next_=2), _pull(151, 4, 2, commits=1), _end(163, 1)]
    lines += [_noted(164, second)] if second is not None else []
    lines += [_begin(165, 0, OTHER), _end(185, 0, OTHER), _noted(186, 1, OTHER)]
    lines += [
        _pulled(20_000, next_=2),
        *([_noted(20_001, last)] if last is not None else []),
        _pull(20_002, 5, 2, commits=2),
    ]
    lines += [event(40_000, "c0", "persist-all", queues=0)]
    return made.whys(made.trace(folder, lines), "offsets", "c0")


def test_pull_with_remaining_messages_corrects_nothing(tmp_path):
    """It has corrected nothing: the update is the listener's, and the last pull's follows it."""
    assert _whys(tmp_path, 1, 2, 2) == []


@pytest.mark.parametrize(
    ("noted", "why"),
    [
        ((1, None, 2), "T1:b0:0: no offset was stored after the listener returned"),
        ((1, 2, None), "the pull before found no message (line 27), but its offset 2 was not stored"),
        ((2, 2, 2), "offset 2 was stored, but the listener has not returned from 1"),
        ((1, 2, 3), "offset 3 was stored, but no listener has returned since"),
    ],
)
def test_impossible_recorded_offset_is_rejected(noted, why, tmp_path):
    assert why in _whys(tmp_path, *noted)


def _restarted(folder, sent):
    """A broker restarts and its first poll shows an offset, which a consumer commits at the time ``sent``."""
    said = {"q": "T1:0", "consumerGroup": "G", "commitOffset": "0"}
    ask = {"oneway": True, "said": said, "to": "127.0.0.1:1", "thread": "MQClientFactoryScheduledThread"}
    lines = [*begun({"of": "c0", "id": "c0"}), *_entry(100, Q, 90)]
    lines += [event(20_000, "b0", "broker-starting"), event(20_900, "b0", "broker-started")]
    lines += [event(20_940, "c0", "persist-all", queues=1)]
    lines += [event(sent, "c0", "ask", code="UPDATE_CONSUMER_OFFSET", opaque=92, **ask)] if sent else []
    lines += [event(21_000, "b0", "table", what="offset", of="T1@G:0", **{"is": "0"}, was=None)]
    return made.whys(made.trace(folder, [*lines, event(40_000, "c0", "persist-all", queues=0)]), "offsets", "c0")


@pytest.mark.parametrize(("sent", "accepted"), [(20_950, True), (None, False), (21_010, False)])
def test_offset_that_is_committed_between_restart_and_first_poll(sent, accepted, tmp_path):
    """The table is polled every 50 ms, so a commit can arrive before the first poll of a restarted broker."""
    assert _restarted(tmp_path, sent) == ([] if accepted else ["0 was never committed before the broker's restart"])


def _twice(folder, *threads):
    """A queue is removed and added again while its listener runs; another thread gets the message, too."""
    gone = {"how": "rebalance", "dropped": True, "locked": True, "messages": 1, "since_pull": 1}
    lines = [*begun({"of": "c0", "id": "c0"}), *_entry(100, Q, 90), _pull(110, 1, 0), _pulled(120, 0, next_=1)]
    lines += [_begin(121, 0), event(124, "c0", "entry-gone", q=Q, entry=Q, **gone), *_entry(128, Q, 91)]
    lines += [_pull(129, 2, 0), _pulled(130, 0, next_=1), {**_begin(131, 0), "thread": "t2"}]
    for at, thread in zip((141, 151), threads, strict=True):
        lines += [{**_end(at, 0), **({"thread": thread} if thread else {})}]
    return made.whys(made.trace(folder, [*lines, event(9_000, "c0", "persist-all", queues=0)]), "offsets")


def test_two_threads_with_one_message_are_distinguished(tmp_path):
    early = "the listener takes 20 ms, but returned after 10 ms"
    assert early not in _twice(tmp_path / "each", "t1", "t2")
    assert early in _twice(tmp_path / "exchanged", "t2", "t1")
    assert early in _twice(tmp_path / "unknown", None, None)


def _late(folder, first, second):
    """A removed queue's listener returns, then that of its next process queue, which has the message, too."""
    gone = {"how": "rebalance", "dropped": True, "locked": True, "messages": 1, "since_pull": 1}
    lines = [*begun({"of": "c0", "id": "c0"}), *_entry(100, Q, 90), _pull(110, 1, 0), _pulled(120, 0, next_=1)]
    share = {"topic": "T1", "strategy": "AVG", "cid": "c0", "mqAll": [Q], "cidAll": ["c0"], "error": None}
    lines += [event(at, "c0", "allocate", **share, result=mine) for at, mine in ((99, [Q]), (123, []), (126, [Q]))]
    lines += [{**_begin(121, 0), "thread": "old"}, event(124, "c0", "persist", q=Q)]
    lines += [event(124, "c0", "offset-removed", q=Q), event(124, "c0", "entry-gone", q=Q, entry=Q, **gone)]
    lines += [*_entry(128, Q, 91), _pull(129, 2, 0), _pulled(130, 0, next_=1), {**_begin(131, 0), "thread": "new"}]
    lines += [{**_end(141, 0), "thread": first}, {**_end(5_000, 0), "thread": second}, _noted(5_001, 1)]
    return made.whys(made.trace(folder, [*lines, event(9_000, "c0", "persist-all", queues=0)]), "offsets")


def test_return_of_the_former_process_queues_listener_stores_no_offset(tmp_path):
    kept = "the listener returned from 0 at 141 ms, but no offset was stored"
    assert kept not in _late(tmp_path / "each", "old", "new")
    assert kept in _late(tmp_path / "exchanged", "new", "old")


def _persisted(folder, *commits):
    """Two ``persistAll`` calls, before and after a listener's offset 1 is stored, whose commits are sent later."""
    lines = [*begun({"of": "c0", "id": "c0"}), *_entry(100, Q, 90)]
    lines += [_pull(110, 1, 0), _pulled(120, 0, next_=1), _begin(9_980, 0), _pull(122, 3, 1), _end(10_000, 0)]
    lines += [event(10_005, "c0", "persist-all", queues=1), _noted(10_010, 1)]
    lines += [event(10_015, "c0", "persist-all", queues=1)]
    for number, offset in enumerate(commits):
        said = {"q": "T1:0", "consumerGroup": "G", "commitOffset": str(offset)}
        ask = {"oneway": False, "said": said, "to": "127.0.0.1:1", "thread": "NettyClientSelector_1"}
        lines += [event(10_020 + number, "c0", "ask", code="UPDATE_CONSUMER_OFFSET", opaque=92 + number, **ask)]
    return made.whys(made.trace(folder, [*lines, event(40_000, "c0", "persist-all", queues=0)]), "offsets", "c0")


def test_commits_wait_for_their_connection_and_keep_their_order(tmp_path):
    assert _persisted(tmp_path / "both", 0, 1) == []
    assert _persisted(tmp_path / "same", 1, 1) == []
    assert _persisted(tmp_path / "back", 1, 0) == ["it commits 0, but the offset in memory differs"]


def _shut_down(folder, committed):
    """A shutdown reads the offset 1, interrupted listeners store 2 and 3 in the same millisecond, and it commits."""
    lines = [*begun({"of": "c0", "id": "c0"}), *_entry(100, Q, 90), _pull(110, 1, 0), _pulled(120, 0, 1, 2, next_=3)]
    lines += [{**_begin(9_980, each), "thread": f"t{each}"} for each in range(3)] + [_pull(122, 3, 3)]
    lines += [{**_end(10_000, 0), "thread": "t0"}, _noted(10_000, 1)]
    lines += [event(10_010, "c0", "shutdown-begin"), event(10_011, "c0", "persist-all", queues=1)]
    for each in (1, 2):
        lines += [{**_end(10_011, each), "thread": f"t{each}", "interrupted": True}, _noted(10_011, each + 1)]
    said = {"q": "T1:0", "consumerGroup": "G", "commitOffset": str(committed)}
    ask = {"oneway": True, "said": said, "to": "127.0.0.1:1", "thread": "NettyClientSelector_1"}
    lines += [event(10_011, "c0", "ask", code="UPDATE_CONSUMER_OFFSET", opaque=92, **ask)]
    gone = {"how": "clear", "dropped": True, "locked": True, "messages": 0, "since_pull": 1}
    lines += [event(10_030, "c0", "entry-gone", q=Q, entry=Q, **gone), event(10_031, "c0", "shutdown-end")]
    return made.whys(made.trace(folder, lines), "offsets", "c0")


def test_shutdown_commits_what_it_has_read(tmp_path):
    assert _shut_down(tmp_path / "read", 1) == []
    assert _shut_down(tmp_path / "last", 3) == []
    assert _shut_down(tmp_path / "never", 0) == ["it commits 0, but the offset in memory differs"]


def _asked(at, opaque, code, thread, said, answer):
    """A request that is asked, heard, and answered 1 ms later."""
    ask = {"oneway": False, "said": said, "to": "127.0.0.1:1", "thread": thread}
    from_ = {"code": code, "opaque": opaque, "from": "127.0.0.1:9"}
    lines = [event(at, "c0", "ask", code=code, opaque=opaque, **ask), event(at, "b0", "heard", **from_, said=said)]
    lines += [event(at + 1, "b0", "answered", **from_, asked=said, said=answer)]
    return [*lines, event(at + 1, "c0", "answer", code=code, opaque=opaque, said=answer)]


def _resumed(folder, read):
    """``resume()`` rebalances on its caller's thread, and the rebalance thread at the same time: both add the queue.

    ``read``: the offset that the second one stores in memory.
    """
    lines = [*begun({"of": "c0", "id": "c0", "mode": "ordered"})]
    lines += [event(9_000, "c0", "suspending"), event(10_000, "c0", "resuming")]
    lists = {"strategy": "AVG", "cid": "1@c0", "mqAll": [Q], "cidAll": ["1@c0"], "result": [Q], "error": None}
    lock = {"consumerGroup": "G", "clientID": "1@c0", "queues": [Q]}
    query = {"q": "T1:0", "consumerGroup": "G"}
    for number, (thread, at) in enumerate((("main", 10_001), ("RebalanceService", 10_003))):
        ids = {"code": 0, "ids": ["1@c0"]}
        lines += [*_asked(at, 10 * number, "GET_CONSUMER_LIST_BY_GROUP", thread, {"consumerGroup": "G"}, ids)]
        lines += [event(at + 1, "c0", "allocate", topic="T1", **lists)]
    for number, (thread, at) in enumerate((("main", 10_005), ("RebalanceService", 10_010))):
        granted, offset = {"code": 0, "granted": [Q]}, {"code": 0, "offset": "0"}
        lines += _asked(at, 10 * number + 1, "LOCK_BATCH_MQ", thread, lock, granted)
        lines += [event(at + 1, "c0", "offset-removed", q=Q)]
        lines += _asked(at + 1, 10 * number + 2, "QUERY_CONSUMER_OFFSET", thread, query, offset)
        stored = read if number else 0
        lines += [event(at + 2, "c0", "offset-update", q=Q, offset=stored, increaseOnly=False)]
        lines += [event(at + 2, "c0", "offset-read", q=Q, type="READ_FROM_STORE", result=stored)]
        lines += [event(at + 3, "c0", "entry-new", q=Q, entry="e", locked=True)] if not number else []
    lines += [event(10_020, "c0", "resumed"), event(14_000, "c0", "persist-all", queues=1)]
    run = made.trace(folder, lines)
    return {machine: made.whys(run, machine) for machine in ("transition", "ordered", "offsets")}


def test_two_rebalances_add_one_queue(tmp_path):
    assert not any(_resumed(tmp_path / "same", 0).values())
    assert _resumed(tmp_path / "other", 5)["transition"] == ["the broker answered 0"]
