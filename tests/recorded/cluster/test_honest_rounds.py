"""Rebalances delayed by a denied lock: what wakes the thread, and what does not."""

from tests.recorded.cluster import made
from tests.recorded.cluster.made import LOCK, begun, event

LIST = "GET_CONSUMER_LIST_BY_GROUP"
Q = "T1:b0:0"
NO_ROUND = "no wake-up and no timer explains that a rebalance begins"
RELEASE = "5.1.4"
"""A client of 5.0 to 5.1: it rebalances 500 ms later where a lock was not granted."""


def _ask(at, code, opaque, **said):
    fields = {"opaque": opaque, "oneway": False, "to": "127.0.0.1:1", "thread": "RebalanceService"}
    return event(at, "c0", "ask", code=code, said={"consumerGroup": "G", **said}, **fields)


def _lists(at, opaque, topic):
    """A topic of a round: it asks who is there, and computes its share."""
    ids, queues = ["1@c0"], [f"{topic}:b0:0"]
    shares = {"cid": "1@c0", "mqAll": queues, "cidAll": ids, "result": queues, "error": None}
    return [
        _ask(at, LIST, opaque),
        event(at + 1, "c0", "answer", code=LIST, opaque=opaque, said={"code": 0, "ids": ids}),
        event(at + 2, "c0", "allocate", topic=topic, strategy="AVG", **shares),
    ]


def _round(at, opaque, granted):
    """A round that asks for a lock ``at`` + 15; ``granted`` is None where nobody answers."""
    lines = [*_lists(at, opaque, "%RETRY%G"), *_lists(at + 10, opaque + 1, "T1")]
    lines.append(_ask(at + 15, LOCK, opaque + 2, clientID="1@c0", queues=[Q]))
    if granted is not None:
        said = {"code": 0, "granted": [Q] if granted else []}
        lines.append(event(at + 16, "c0", "answer", code=LOCK, opaque=opaque + 2, said=said))
    return lines


def _run(folder, *later):
    """The thread begins with a round at 10,000 ms, and its timer with one at 30,020 ms; ``later`` come behind them."""
    lines = begun({"of": "c0", "id": "c0", "mode": "ordered"})
    lines += [event(9_000, "c0", "starting", options={}), event(9_990, "c0", "started", clientId="1@c0")]
    lines += _round(10_000, 1, True)
    for one in later:
        lines += one
    return made.whys(made.trace(folder, lines, RELEASE), "settling")


def test_denied_lock_delays_the_rebalance(tmp_path):
    assert _run(tmp_path / "denied", _round(30_020, 11, False), _round(30_537, 21, True)) == []
    assert _run(tmp_path / "granted", _round(30_020, 11, True), _round(30_537, 21, True)) == [NO_ROUND]


def test_unanswered_lock_request_delays_the_rebalance(tmp_path):
    """The client waits a second for the answer, and then delays its rebalance."""
    assert _run(tmp_path / "then", _round(30_020, 11, None), _round(31_540, 21, True)) == []


def test_rebalance_before_the_lock_request_timed_out_is_rejected(tmp_path):
    assert _run(tmp_path / "soon", _round(30_020, 11, None), _round(30_800, 21, True)) == [NO_ROUND]


def test_delayed_rebalance_may_be_due_during_another_one(tmp_path):
    """The thread is woken between the topics of a round, and begins the next round immediately after."""

    def run(folder, granted):
        woken = [event(30_037, "c0", "notified", said={"consumerGroup": "G"}, **{"from": "127.0.0.1:1"})]
        second = _lists(30_040, 21, "%RETRY%G") + _lists(30_600, 22, "T1")
        return _run(folder, _round(30_020, 11, granted), woken, second, _round(30_604, 31, True))

    assert run(tmp_path / "denied", False) == []
    assert run(tmp_path / "granted", True) == [NO_ROUND]
