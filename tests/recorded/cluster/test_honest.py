"""Rare behaviour of real groups is accepted, and similar false recordings are rejected."""

from dataclasses import replace

from rebalance_proofs.recorded.cluster.judge import CHECKS
from rebalance_proofs.recorded.cluster.requests import Calls
from rebalance_proofs.recorded.groups.broker import BrokerStarted
from rebalance_proofs.recorded.groups.driver import BrokerEnded, Delay, Signal
from rebalance_proofs.recorded.groups.member import Allocate, Answer, Ask
from tests.each import each
from tests.recorded.cluster import made
from tests.recorded.cluster.made import BEAT, LOCK, NOTE, UNLOCK, UNTOLD, begun, call, event, joins
from tests.recorded.cluster.traces import first, trace, whys, without

RUN = "java-4.9.8/o_shutdown_ordered"
LIST = "GET_CONSUMER_LIST_BY_GROUP"
Q = "T1:b0:0"
ORDERED = {"mode": "ordered"}
OTHER_LIST = "the broker answers another list"


def _driven(of, *events):
    """The trace with events of the driver, and of others, put among its own."""
    found = dict(of.of)
    for one in events:
        found[one.who] = sorted([*found[one.who], one], key=lambda each: each.at)
    return replace(of, of=found)


def _delay(at, ms):
    return Delay(at=at, who="driver", row=1, of="b0", ms=ms)


def test_lost_answer_with_later_ones_is_accepted():
    """Its connection is ordered, and is closed because another answer did not arrive in time."""
    run = trace(RUN)
    answer = next(one for one in run.kind(Answer, "c0") if one.code == BEAT and one.at > 60_000)
    lost = without(run, answer)
    assert any("never came" in why for why in whys(lost, "requests"))
    late = _driven(lost, _delay(answer.at - 3_000, 1_500), _delay(answer.at - 100, 0))
    assert whys(late, "requests") == []
    before = _driven(lost, _delay(answer.at - 9_000, 1_500), _delay(answer.at - 6_000, 0))
    assert any("never came" in why for why in whys(before, "requests"))


def _lock(who, opaque, times, port, id_, granted):
    said = {"consumerGroup": "G", "clientID": id_, "queues": [Q]}
    return call(who, LOCK, opaque, times, port, said, {"code": 0, "granted": [Q] if granted else []})


def _two_lock(folder, id_):
    lines = begun({"of": "c0", "id": "x", **ORDERED}, {"of": "c1", "id": "x", **ORDERED})
    lines += _lock("c0", 1, (10_000, 10_001, 10_002), 1, "1@x", granted=True)
    lines += [event(10_010, "b0", "table", what="lock", of=f"G {Q}", **{"is": "1@x"}, was=None)]
    return made.trace(folder, [*lines, *_lock("c1", 2, (11_000, 11_001, 11_002), 2, id_, granted=True)])


def test_lock_of_two_processes_with_one_client_id_is_accepted(tmp_path):
    """For the broker they are one client."""
    assert made.whys(_two_lock(tmp_path / "one", "1@x"), "ordered", "c1") == []
    (why,) = made.whys(_two_lock(tmp_path / "two", "1@y"), "ordered", "c1")
    assert why == "the broker grants a lock that another client holds"


def _denied(folder, heard):
    lines = begun({"of": "c0", "id": "x", **ORDERED}, {"of": "c1", "id": "y", **ORDERED})
    lines += _lock("c0", 1, (10_000, 10_001, 10_002), 1, "1@x", granted=True)
    said = {"consumerGroup": "G", "clientID": "1@x", "queues": [Q]}
    lines += call("c0", UNLOCK, 3, (11_000, 11_002, 11_003), 1, said, {"code": 0})
    lines += _lock("c1", 2, (11_000, heard, 11_005), 2, "1@y", granted=False)
    return made.trace(folder, lines)


def test_unlock_during_a_denied_request_is_accepted(tmp_path):
    """It is denied, and the answer is recorded when it is free; a later request is not denied."""
    assert made.whys(_denied(tmp_path / "before", 11_001), "ordered", "c1") == []
    (why,) = made.whys(_denied(tmp_path / "after", 11_004), "ordered", "c1")
    assert why == "the broker denies a lock that is free, or that the consumer holds"


def _passed_on(folder, asked):
    """A lock that its owner gives back, and the next one has, before the answer to the first is noted."""
    lines = begun({"of": "c0", "id": "x", **ORDERED}, {"of": "c1", "id": "y", **ORDERED})
    lists = {"topic": "T1", "strategy": "AVG", "cid": "1@x", "mqAll": [Q], "error": None}
    lines += [event(9_999, "c0", "allocate", **lists, cidAll=["1@x"], result=[Q])]
    lines += _lock("c0", 1, (10_000, 10_001, 10_002), 1, "1@x", granted=True)
    lines += [event(10_003, "c0", "entry-new", q=Q, entry="a", locked=True)]
    lines += [event(10_990, "c0", "allocate", **lists, cidAll=["1@y"], result=[])]
    said = {"consumerGroup": "G", "clientID": "1@x", "queues": [Q]}
    lines += call("c0", UNLOCK, 3, (asked, asked + 2, 11_006), 1, said, {"code": 0})
    return made.trace(folder, [*lines, *_lock("c1", 2, (11_000, 11_003, 11_004), 2, "1@y", granted=True)])


def test_lock_that_is_passed_on_immediately_is_accepted(tmp_path):
    assert made.whys(_passed_on(tmp_path / "before", 11_000), "ordered", "c0") == []
    found = made.whys(_passed_on(tmp_path / "after", 11_003), "ordered", "c0")
    assert found == ["the broker grants another client a lock that the consumer holds"]


def _beat(opaque, times, port, **subs):
    said = {"clientID": "1@c0", "groups": [{"group": "G", "subs": {t: f"*@{made.EPOCH + v}" for t, v in subs.items()}}]}
    return call("c0", BEAT, opaque, times, port, said, {"code": 0})


def _subscribed_row(at, **versions):
    """A poll of the broker's table of the group."""
    row = ", ".join(f"{topic}=*@{made.EPOCH + version}" for topic, version in versions.items())
    return event(at, "b0", "table", what="subs", of="G", **{"is": f"{{{row}}}"}, was=None)


def _unsubscribed(folder, *, says):
    """A member that subscribes to two topics, then to one, then to both anew."""
    lines = begun({"of": "c0", "id": "c0", "sub": "T1,T2"})
    lines += [*_beat(1, (10_000, 10_001, 10_002), 1, T1=100, T2=100), _subscribed_row(10_010, T1=100, T2=100)]
    q = "T2:b0:0"
    both = {"strategy": "AVG", "cid": "1@c0", "mqAll": [q], "cidAll": ["1@c0"], "result": [q], "error": None}
    lines += [event(10_100, "c0", "allocate", topic="T2", **both)]
    lines += [event(10_101, "c0", "entry-new", q=q, entry="a", locked=True, dropped=False)]
    if says:
        lines += [event(20_000, "driver", "unsubscribe", of="c0", line="unsubscribe T2")]
        lines += [event(20_001, "c0", "unsubscribed", topic="T2")]
    gone = {"how": "remove", "dropped": False, "locked": True, "messages": 0, "since_pull": 5}
    lines += [event(30_000, "c0", "entry-gone", q=q, entry="a", **gone)]
    lines += [*_beat(2, (40_000, 40_001, 40_002), 1, T1=100), _subscribed_row(40_010, T1=100)]
    if says:
        lines += [event(50_000, "driver", "subscribe", of="c0", line="subscribe T2 *")]
        lines += [*_beat(3, (50_001, 50_002, 50_003), 1, T1=100, T2=50_000), _subscribed_row(50_010, T1=100, T2=50_000)]
        lines += [event(50_010, "c0", "subscribed", topic="T2")]
    return made.trace(folder, lines)


def test_unsubscribed_and_resubscribed_topic_is_accepted(tmp_path):
    honest, silent = (_unsubscribed(tmp_path / str(says), says=says) for says in (True, False))
    assert made.whys(honest, "pulls") == []
    assert made.whys(honest, "subscriptions") == []
    assert made.whys(silent, "pulls") == ["its entry is removed from the table"]
    (why,) = made.whys(silent, "subscriptions")
    assert why == "its heartbeat has another version, or it does not have the topic"


def _put_off(folder, *, says, again):
    """A pull is answered, then the topic is unsubscribed, and perhaps subscribed again before the next rebalance."""
    q, lines = "T2:b0:0", begun({"of": "c0", "id": "c0", "sub": "T1,T2"})
    lists = {"strategy": "AVG", "cid": "1@c0", "mqAll": [q], "cidAll": ["1@c0"], "result": [q], "error": None}
    lines += [event(10_000, "c0", "allocate", topic="T2", **lists)]
    lines += [event(10_001, "c0", "entry-new", q=q, entry="a", locked=True, dropped=False)]
    pull = {"q": "T2:0", "consumerGroup": "G", "queueOffset": "7", "commitOffset": "0", "sysFlag": "2"}
    lines += call("c0", "PULL_MESSAGE", 1, (10_010, 10_011, 10_012), 1, pull, {"code": 0})
    found = {"status": "FOUND", "next": 8, "min": 0, "max": 8, "got": [7]}
    lines += [event(10_012, "c0", "pulled", q=q, **found)]
    lines += [event(10_015, "c0", "unsubscribed", topic="T2")] * says
    lines += [event(10_900, "c0", "subscribed", topic="T2")] * again
    gone = {"how": "remove", "dropped": False, "locked": True, "messages": 0, "since_pull": 900}
    gone_ = [event(60_000, "c0", "unsubscribed", topic="T2")] if again else []
    return made.trace(folder, [*lines, *gone_, event(60_001, "c0", "entry-gone", q=q, entry="a", **gone)])


def test_pulls_of_an_unsubscribed_topic_are_delayed(tmp_path):
    """``pullMessage`` finds no subscription and requeues the request, without an event."""
    assert made.whys(_put_off(tmp_path / "so", says=True, again=False), "pulls") == []
    (why,) = made.whys(_put_off(tmp_path / "again", says=True, again=True), "pulls")
    assert "no pull of the queue was sent, although a request waits" in why


def _pulled_again(folder, port):
    """A pull is sent again after 4 s, on the connection of a port; the broker refuses both pulls later."""
    pulls = ((1, 10_010, 20_001, 1), (2, 14_010, 20_002, port))
    return made.trace(folder, [line for line in _pulling(24, *pulls) if line["ev"] not in ("heard", "answer")])


def _pulling(code, *pulls):
    """A new process queue is pulled: (number, time, time of the answer, port) of each pull; ``code``: all answers."""
    q, lines = "T1:b0:0", begun({"of": "c0", "id": "c0"})
    lists = {"strategy": "AVG", "cid": "1@c0", "mqAll": [q], "cidAll": ["1@c0"], "result": [q], "error": None}
    lines += [event(10_000, "c0", "allocate", topic="T1", **lists)]
    lines += [event(10_001, "c0", "entry-new", q=q, entry="a", locked=True, dropped=False)]
    pull = {"q": "T1:0", "consumerGroup": "G", "queueOffset": "7", "commitOffset": "0", "sysFlag": "2"}
    for opaque, at, answered, port in pulls:
        lines += call("c0", "PULL_MESSAGE", opaque, (at, at, answered), port, pull, {"code": code})
    return lines


def test_pull_is_sent_again_when_its_connection_was_closed(tmp_path):
    """``failFast`` fails the requests of a closed connection; on an open one, the client waits for the answer."""
    late = "the pull before (line 3) was refused later, at 20001 ms"
    assert late not in made.whys(_pulled_again(tmp_path / "closed", 2), "offsets")
    assert late in made.whys(_pulled_again(tmp_path / "open", 1), "offsets")


@each("code, why", [(24, []), (19, ["the pull before (line 3) had no result"])])
def test_pull_is_sent_again_when_its_second_answer_refuses_it(tmp_path, code, why):
    """A broker handles a pull that it has held again, and the recorder sees the answer only at the client."""
    lines = _pulling(code, (1, 10_010, 10_500, 1), (2, 12_010, 12_500, 1))
    run = made.trace(tmp_path, [line for line in lines if line["ev"] != "answered"])
    assert [one for one in made.whys(run, "offsets") if "the pull before" in one] == why


@each(
    "age, polled, why",
    [
        (2, True, []),
        (92, True, ["no request of the queue waits"]),
        (2, False, []),
        (92, False, ["no request of the queue waits"]),
    ],
)
def test_pull_that_has_begun_is_sent_after_its_process_queue_is_dropped(tmp_path, age, polled, why):
    """``pullMessage`` checks first whether the process queue is dropped; ``age``: ms since the last check."""
    q, lines = "T1:b0:0", _pulling(0, (1, 10_010, 10_100, 1))
    found = {"status": "FOUND", "next": 8, "min": 0, "max": 8, "got": [7]}
    lines += [event(10_100, "c0", "pulled", q=q, **found)]
    lists = {"strategy": "AVG", "cid": "1@c0", "mqAll": [q], "cidAll": ["1@c1"], "result": [], "error": None}
    lines += [event(10_101, "c0", "allocate", topic="T1", **lists), event(10_101, "c0", "persist", q=q)]
    marks = {"dropped": True, "locked": True, "in_table": True, "messages": 1, "lock_age": 101, "pull_age": age}
    gone = {"how": "remove", "dropped": True, "locked": True, "messages": 1, "since_pull": age + polled}
    lines += [event(10_102, "c0", "entry", q=q, entry="a", **marks)] * polled
    lines += [event(10_102, "c0", "entry-gone", q=q, entry="a", **gone)] * (not polled)
    pull = {"q": "T1:0", "consumerGroup": "G", "queueOffset": "8", "commitOffset": "0", "sysFlag": "2"}
    lines += call("c0", "PULL_MESSAGE", 2, (10_102, 10_103, 20_000), 1, pull, {"code": 19})
    lines += [event(10_103, "c0", "entry-gone", q=q, entry="a", **gone)] * polled
    assert made.whys(made.trace(tmp_path, lines), "pulls") == why


@each("frozen, why", [(True, []), (False, ["the strategy was not called for T1 after 2 answers with ids"])])
def test_answer_after_a_pause_calls_no_strategy(tmp_path, frozen, why):
    """The thread has given up by then; without the pause, the answer came in time."""
    lists = {"strategy": "AVG", "cid": "1@c0", "cidAll": ["1@c0"], "error": None}
    lines = [*begun({"of": "c0", "id": "c0"})]
    signals = [(29_000, "SIGSTOP"), (40_000, "SIGCONT")] if frozen else []
    lines += [event(at, "driver", "signal", of="c0", signal=name) for at, name in signals]
    number = 0
    for at in (9_000, 29_000, 60_000):
        for topic in ("T1", "%RETRY%G"):
            number, late = number + 1, (at, topic) == (29_000, "T1")
            asked = at if topic == "T1" else (40_001 if at == 29_000 else at + 10)
            answered = 40_000 if late and frozen else asked + 1
            lines += call(
                "c0", LIST, number, (asked, asked, answered), 1, {"consumerGroup": "G"}, {"code": 0, "ids": ["1@c0"]}
            )
            queues = [f"{topic}:b0:0"]
            share = event(answered, "c0", "allocate", topic=topic, mqAll=queues, result=queues, **lists)
            lines += [] if late else [share]
    lines = [{**one, "thread": "RebalanceService"} if one["ev"] == "ask" else one for one in lines]
    found = made.whys(made.trace(tmp_path, lines), "transition")
    assert [one for one in found if "was not called" in one] == why


def _members(at, is_, was):
    return event(at, "b0", "table", what="members", of="G", **{"is": is_}, was=was)


def _listed(folder, port):
    lines = [*begun({"of": "c0", "id": "c0"}), *_beat(1, (9_980, 9_981, 9_982), 1, T1=100)]
    lines += [_members(10_000, "1@c0:1", None), *joins("1@c1", 7, 20_004), event(20_005, "c0", "notified", **NOTE)]
    lines += _beat(2, (20_005, 20_006, 20_007), port, T1=100) if port != 1 else []
    from_ = {"code": LIST, "opaque": 5, "from": "127.0.0.1:9"}
    none = {"code": 1, "remark": "no consumer for this group, G"}
    lines += [event(20_000, "b0", "answered", **from_, asked={"consumerGroup": "G"}, said=none)]
    lines += [_members(20_010, f"1@c0:{port} 1@c1:7", "1@c0:1")]
    return made.trace(folder, lines)


def test_member_that_left_and_returned_between_looks_is_accepted(tmp_path):
    """Its connection has changed then; with the same connection, no member has left."""
    assert made.whys(_listed(tmp_path / "new", 2), "registry") == []
    assert made.whys(_listed(tmp_path / "same", 1), "registry") == [OTHER_LIST]


def _joined():
    """A member, and another one that joins at 20 s."""
    lines = [*_beat(1, (9_980, 9_981, 9_982), 1, T1=100), *joins("1@c1", 2, 19_990)]
    return [*lines, _members(10_000, "1@c0:1", None), _members(20_000, "1@c0:1 1@c1:2", "1@c0:1")]


def _untold(folder, delay):
    lines = [*begun({"of": "c0", "id": "c0"}), *_joined()]
    lines += [event(delay, "driver", "delay", of="b0", ms=1_500)]
    return made.trace(folder, [*lines, event(40_000, "c0", "persist-all", queues=0)])


def test_lost_notification_with_later_ones_is_accepted(tmp_path):
    """The client may have closed its connection because an answer did not arrive in time."""
    assert made.whys(_untold(tmp_path / "then", 19_000), "registry") == []
    assert made.whys(_untold(tmp_path / "later", 30_000), "registry") == [UNTOLD]


def _unreachable(folder, port):
    """A member's next heartbeat after another one has joined comes over the connection of a port."""
    lines = [*begun({"of": "c0", "id": "c0"}), *_joined(), *_beat(2, (30_000, 30_001, 30_002), port, T1=100)]
    lines += [_members(30_010, f"1@c1:2 1@c0:{port}", "1@c0:1 1@c1:2")] if port != 1 else []
    return made.trace(folder, [*lines, event(40_000, "c0", "persist-all", queues=0)])


def test_notification_over_a_connection_that_the_client_has_left_is_lost(tmp_path):
    assert made.whys(_unreachable(tmp_path / "other", 3), "registry") == []
    assert made.whys(_unreachable(tmp_path / "same", 1), "registry") == [UNTOLD]


def _at_once(folder, *, seen):
    lines = begun({"of": "c0", "id": "c0"})
    lines += _beat(1, (10_000, 10_001, 10_400), 1, T1=100)
    lines += _beat(2, (10_100, 10_101, 10_390), 2, T1=100)
    return made.trace(folder, [*lines, _members(seen, "1@c0:2", None)])


def test_simultaneous_heartbeats_of_two_connections_are_accepted(tmp_path):
    assert made.whys(_at_once(tmp_path / "then", seen=10_395), "registry", "1@c0") == []
    (why,) = made.whys(_at_once(tmp_path / "before", seen=9_000), "registry", "1@c0")
    assert why == "the broker lists other connections of the member"


def test_rebalance_without_a_broker_is_accepted():
    """It asks no broker, and the next one follows after an interval; not if the broker was running."""
    run = trace("java-4.9.8/j_shutdown")
    rounds = [one for one in run.kind(Ask, "c0") if one.code == LIST]
    at = next(one.at for one in rounds if one.at > 129_000)
    for one in [one for one in run.of["c0"] if at <= one.at < at + 60]:
        if isinstance(one, Allocate) or (isinstance(one, (Ask, Answer)) and one.code == LIST):
            run = without(run, one)
    assert whys(run, "settling") == ["no rebalance is under way"]
    assert whys(_away(run, at - 1_000, at + 1_000), "settling") == []
    assert whys(_away(run, at + 40_000, at + 42_000), "settling")
    ending = _away(run, at + 8_000, at + 9_000)
    assert whys(ending, "settling") == ["no rebalance is under way"]
    told = Signal(at=at - 1_000, who="driver", row=1, of="b0", signal="SIGTERM")
    assert whys(_driven(ending, told), "settling") == []  # it accepts connections, and answers nothing


def _away(run, since, until):
    ended = BrokerEnded(at=since, who="driver", row=1, of="b0")
    return _driven(run, ended, BrokerStarted(at=until, who="b0", row=1))


def test_delay_lasts_until_the_delayed_data_arrived():
    run = _driven(trace(RUN), _delay(10_000, 1_500), _delay(20_000, 0))
    assert [run.delayed("b0", at, at) for at in (9_999, 10_000, 21_500, 21_501)] == [False, True, True, False]
    assert not run.delayed("b1", 10_000, 20_000)
    assert _driven(trace(RUN), _delay(10_000, 5)).delayed("b0", run.end, run.end)
    assert first(run, "driver", Delay, ms=0).at == 20_000


def _gone(folder, port):
    """A member whose connection ends without a heartbeat by another one: its last request came by that port."""
    lines = [*begun({"of": "c0", "id": "c0"}), *_beat(1, (10_000, 10_001, 10_002), 1, T1=100)]
    lines += [_members(10_010, "1@c0:1", None)]
    offset = {"q": "T1:0", "consumerGroup": "G", "commitOffset": "7"}
    _, _, answered, _ = call("c0", "UPDATE_CONSUMER_OFFSET", 9, (20_000, 20_001, 20_001), port, offset, {"code": 0})
    ask = {"oneway": True, "said": offset, "to": "127.0.0.1:1", "thread": "main"}
    lines += [event(20_000, "c0", "ask", code="UPDATE_CONSUMER_OFFSET", opaque=9, **ask), answered]
    lines += [_members(20_500, None, "1@c0:1"), event(90_000, "c0", "persist-all", queues=0)]
    lines += _beat(3, (60_000, 60_001, 60_002), 1, T1=100) if port == 1 else []
    return made.trace(folder, lines)


def test_connection_without_a_later_heartbeat_is_accepted(tmp_path):
    """The client uses another connection by then; the end of a connection in use is not observed."""
    assert made.whys(_gone(tmp_path / "other", 2), "registry", "1@c0") == []
    (why,) = made.whys(_gone(tmp_path / "same", 1), "registry", "1@c0")
    assert why == "the broker no longer lists a connection, and no event shows that it has ended"


def _refused(folder, seen):
    """A pull that is refused as the broker does not know the group: the next look at its table is at that time."""
    lines = [*begun({"of": "c0", "id": "c0"}), *_beat(1, (10_000, 10_001, 10_002), 1, T1=100)]
    row = "{T1=*@" + str(made.EPOCH + 100) + "}"
    lines += [event(10_010, "b0", "table", what="subs", of="G", **{"is": row}, was=None)]
    said = {"q": "T1:0", "consumerGroup": "G", "queueOffset": "1", "subVersion": str(made.EPOCH + 100)}
    ask = {"oneway": False, "said": said, "to": "127.0.0.1:1", "thread": "PullMessageService"}
    lines += [event(20_000, "c0", "ask", code="PULL_MESSAGE", opaque=9, **ask)]
    from_ = {"code": "PULL_MESSAGE", "opaque": 9, "from": "127.0.0.1:1"}
    lines += [event(20_001, "b0", "answered", **from_, asked=said, said={"code": 24, "remark": "not exist"})]
    lines += [event(seen, "b0", "table", what="subs", of="G", **{"is": None}, was=row)]
    return made.trace(folder, lines)


def test_refused_pull_before_the_next_look_is_accepted(tmp_path):
    """A member that left the broker's table is missing in the next scan, not in one long after."""
    assert made.whys(_refused(tmp_path / "next", 20_060), "subscriptions", "c0, T1") == []
    (why,) = made.whys(_refused(tmp_path / "long", 26_000), "subscriptions", "c0, T1")
    assert why == "the broker refuses a pull"


def _answered_late(folder, asked):
    """A list of ids that is answered a second after a member has come, and does not have it."""
    lines = [*begun({"of": "c0", "id": "c0"}), *_joined(), event(20_001, "c0", "notified", **NOTE)]
    group, answer = {"consumerGroup": "G"}, {"code": 0, "ids": ["1@c0"]}
    _, _, answered, got = call("c0", LIST, 7, (asked, asked, 21_000), 1, group, answer)
    ask = {"oneway": False, "said": group, "to": "127.0.0.1:1", "thread": "RebalanceService"}
    return made.trace(folder, [*lines, event(asked, "c0", "ask", code=LIST, opaque=7, **ask), answered, got])


def test_list_made_before_its_recorded_answer_is_accepted(tmp_path):
    """The broker's thread was suspended in between; the list has every member from before the request."""
    assert made.whys(_answered_late(tmp_path / "before", 19_980), "registry") == []
    assert made.whys(_answered_late(tmp_path / "after", 20_500), "registry") == [OTHER_LIST]


def test_topic_without_an_available_broker_is_accepted():
    """A broker about to exit accepts no connection: no request of the topic's rebalance is observed."""
    run = trace("java-4.9.8/j_shutdown")
    shares = [one for one in run.kind(Allocate, "c0") if one.topic == "T1"][3:6]
    lists = [one for share in shares for one in run.of["c0"] if share.row - 2 <= one.row < share.row]
    for gone in (*shares, *lists):
        run = without(run, next(one for one in run.of["c0"] if (one.at, one.n) == (gone.at, gone.n)))
    at = shares[1].at
    assert any(why.startswith("the strategy was not called for T1") for why in whys(run, "transition"))
    told = Signal(at=at - 500, who="driver", row=1, of="b0", signal="SIGTERM")
    ended = BrokerEnded(at=at + 8_000, who="driver", row=1, of="b0")
    away = _driven(run, told, ended, BrokerStarted(at=at + 9_000, who="b0", row=1))
    assert not any(why.startswith("the strategy was not called") for why in whys(away, "transition"))


def _all_gone(folder, port):
    """Between two looks both members' connections end, and one of them comes back: by that port."""
    lines = [*begun({"of": "c0", "id": "c0"}), *_beat(1, (10_000, 10_001, 10_002), 1, T1=100)]
    first, second = ("{T1=*@" + str(made.EPOCH + version) + "}" for version in (100, 200))
    other = {"clientID": "1@c1", "groups": [{"group": "G", "subs": {"T1": f"*@{made.EPOCH + 200}"}}]}
    lines += [_members(10_010, "1@c0:1", None), event(10_010, "b0", "table", what="subs", of="G", is_=first, was=None)]
    lines += call("c1", BEAT, 2, (20_000, 20_001, 20_002), 2, other, {"code": 0})[1:3]
    lines += [_members(20_010, "1@c0:1 1@c1:2", "1@c0:1")]
    lines += [event(20_010, "b0", "table", what="subs", of="G", is_=second, was=first)]
    lines += _beat(3, (40_000, 40_001, 40_002), port, T1=100)
    lines += [_members(40_010, f"1@c0:{port}", "1@c0:1 1@c1:2")]
    lines += [event(40_010, "b0", "table", what="subs", of="G", is_=first, was=second)]
    return made.trace(folder, [{key.rstrip("_"): value for key, value in one.items()} for one in lines])


def test_group_that_was_empty_between_looks_is_accepted(tmp_path):
    """The broker forgets it, and then accepts an older version; not if a connection has stayed."""
    assert made.whys(_all_gone(tmp_path / "gone", 3), "subscriptions", "c0, T1") == []
    (why,) = made.whys(_all_gone(tmp_path / "stays", 1), "subscriptions", "c0, T1")
    assert why == "the broker's table has another row"


def _within_a_millisecond(folder, *, gone_first):
    """A process queue of an unsubscribed topic leaves the table, and its queue is locked again, in one millisecond."""
    lists = {"topic": "T1", "strategy": "AVG", "cid": "1@x", "mqAll": [Q], "error": None, "cidAll": ["1@x"]}
    gone = {"how": "remove", "dropped": True, "locked": True, "messages": 0, "since_pull": 125_000}
    lines = begun({"of": "c0", "id": "x", **ORDERED})
    lines += [event(9_999, "c0", "allocate", **lists, result=[Q])]
    lines += _lock("c0", 1, (10_000, 10_001, 10_002), 1, "1@x", granted=True)
    lines += [event(10_003, "c0", "entry-new", q=Q, entry="a", locked=True)]
    lines += [event(10_010, "b0", "table", what="lock", of=f"G {Q}", **{"is": "1@x"}, was=None)]
    lines += [event(139_000, "c0", "unsubscribed", topic="T1")]
    leaves = event(140_000, "c0", "entry-gone", q=Q, entry="a", **gone)
    locks = _lock("c0", 2, (140_000, 140_000, 140_000), 1, "1@x", granted=True)
    lines += [leaves, *locks] if gone_first else [*locks, leaves]
    lines += [event(140_000, "c0", "entry-new", q=Q, entry="b", locked=True)]
    return made.trace(folder, lines)


def test_order_within_one_millisecond_is_found(tmp_path):
    """A request precedes its answer: earlier events of its process precede both."""
    assert made.whys(_within_a_millisecond(tmp_path / "first", gone_first=True), "ordered") == []
    (why,) = made.whys(_within_a_millisecond(tmp_path / "then", gone_first=False), "ordered")
    assert why == "its lock was not granted to a rebalance"


def _seen_first(folder, entry, at):
    """A look sees an entry in the table before it is written that it came."""
    lists = {"topic": "T1", "strategy": "AVG", "cid": "1@x", "mqAll": [Q], "error": None, "cidAll": ["1@x"]}
    marks = {"dropped": False, "locked": True, "in_table": True, "messages": 0, "lock_age": 1, "pull_age": 1}
    lines = begun({"of": "c0", "id": "x", **ORDERED})
    lines += [event(9_999, "c0", "allocate", **lists, result=[Q])]
    lines += _lock("c0", 1, (10_000, 10_001, 10_002), 1, "1@x", granted=True)
    lines += [event(10_003, "c0", "entry", q=Q, entry=entry, **marks)]
    return made.trace(folder, [*lines, event(at, "c0", "entry-new", q=Q, entry="a", locked=True)])


def test_entry_observed_before_its_event_is_accepted(tmp_path):
    assert made.whys(_seen_first(tmp_path / "so", "a", 10_004), "ordered", "c0") == []
    for number, lie in enumerate((("b", 10_004), ("a", 13_000))):
        (why,) = made.whys(_seen_first(tmp_path / str(number), *lie), "ordered", "c0")
        assert why == "a poll sees other flags of its process queue"


def test_answers_of_two_brokers_with_one_number_are_distinguished(tmp_path):
    """The answers of two brokers are distinguished by more than their number: the first is to a rebalance."""
    lines = begun({"of": "c0", "id": "x", **ORDERED})
    lines += [{**one, "who": "b1", "of": "b1"} if one["who"] == "b0" else one for one in begun()[1:]]
    lines += [event(0, "driver", "start-broker", of="b1")]
    lines += _lock("c0", 1, (10_000, 10_001, 10_002), 1, "1@x", granted=True)
    other = {"consumerGroup": "G", "clientID": "1@x", "queues": ["T1:b1:0"]}
    at_b1 = call("c0", LOCK, 3, (11_000, 11_001, 11_002), 1, other, {"code": 0, "granted": ["T1:b1:0"]})
    lines += [{**one, "to": "127.0.0.1:2"} if one["ev"] == "ask" else one for one in at_b1[:1]]
    lines += [{**one, "who": "b1"} for one in at_b1[1:3]] + at_b1[3:]
    run = made.trace(tmp_path, lines)
    assert made.whys(run, "ordered") == []
    assert {one.ask.opaque: one.broker for one in Calls(run).all["c0"]} == {1: "b0", 3: "b1"}


def _unheard(folder, *, closes):
    """A lock that is granted within 0.7 s, and of which the client does not hear; its connection may end then."""
    lines = begun({"of": "c0", "id": "x", **ORDERED})
    lines += _beat(1, (10_000, 10_001, 10_002), 1, T1=100)
    lines += [_members(10_010, "1@c0:1", None)]
    lines += _lock("c0", 2, (40_000, 40_100, 40_700), 1, "1@c0", granted=True)[:-1]
    lines += [_members(41_200, None, "1@c0:1")] if closes else []
    return made.trace(folder, [*lines, event(99_000, "c0", "persist-all", queues=0)])


def test_answer_at_the_time_limit_is_accepted(tmp_path):
    """A client that times out closes the connection; if it stays open, the answer was in time."""
    assert made.whys(_unheard(tmp_path / "closed", closes=True), "requests") == []
    assert made.whys(_unheard(tmp_path / "open", closes=False), "requests") == [
        "the answer to LOCK_BATCH_MQ 2 never came"
    ]


def _corrected(folder, status):
    """A process queue is removed while its listener runs. Its lock is returned after the queue is added again."""
    gone = {"how": "remove", "dropped": True, "locked": True, "messages": 1, "since_pull": 1}
    share = {"strategy": "AVG", "cid": "1@x", "mqAll": [Q], "cidAll": ["1@x"], "result": [Q], "error": None}
    said = {"consumerGroup": "G", "clientID": "1@x", "queues": [Q]}
    got = {"q": Q, "status": "FOUND", "min": 0, "max": 9}
    call_ = {"q": Q, "tag": "A", "reconsumeTimes": 0, "bornAgo": 0, "thread": "t"}
    lines = [*begun({"of": "c0", "id": "x", **ORDERED}), event(9_000, "c0", "allocate", topic="T1", **share)]
    lines += _lock("c0", 1, (10_000, 10_001, 10_002), 1, "1@x", granted=True)
    lines += [event(10_010, "c0", "entry-new", q=Q, entry="e1", locked=True)]
    lines += [event(10_800, "c0", "pulled", **got, next=5, got=[4])]
    lines += [event(10_801, "c0", "begin", **call_, offsets=[4], keys=["k4"])]
    lines += [event(11_000, "c0", "pulled", **{**got, "status": status}, next=5, got=[])]
    lines += [event(11_001, "c0", "persist", q=Q), event(11_001, "c0", "entry-gone", q=Q, entry="e1", **gone)]
    lines += [event(11_001, "c0", "persist", q=Q), event(11_010, "c0", "allocate", topic="T1", **share)]
    lines += _lock("c0", 2, (11_020, 11_021, 11_022), 1, "1@x", granted=True)
    lines += [
        event(11_030, "c0", "offset-removed", q=Q),
        event(11_031, "c0", "entry-new", q=Q, entry="e2", locked=True),
    ]
    lines += [event(11_099, "c0", "end", q=Q, **{"from": 4}, to=4, result="SUCCESS", thread="t")]
    lines += [event(11_100, "c0", "persist", q=Q), event(11_100, "c0", "offset-removed", q=Q)]
    lines += call("c0", UNLOCK, 3, (11_101, 11_102, 11_103), 1, said, {"code": 0})
    lines += [event(13_000, "c0", "pulled", **got, next=6, got=[5])]
    lines += [event(13_001, "c0", "begin", **call_, offsets=[5], keys=["k5"])]
    return made.whys(made.trace(folder, lines, "5.3.3"), "ordered")


def test_unlock_by_the_former_process_queues_removal_is_accepted(tmp_path):
    """The correction of an illegal offset waits for the listener. The next process queue then runs without the lock."""
    assert _corrected(tmp_path / "illegal", "OFFSET_ILLEGAL") == []
    assert _corrected(tmp_path / "other", "NO_NEW_MSG") == ["its entry leaves the table"]


def test_connections_that_newer_ones_replaced_before_a_poll_count_once(tmp_path):
    """Each could end before or after each other one, so that the possible orders would be too many to search."""
    lines = begun({"of": "c0", "id": "c0"})
    for port in range(1, 11):
        at = 10_000 + 4 * port
        lines += _beat(port, (at, at + 1, at + 2), port, T1=100)
    of = made.trace(tmp_path, [*lines, _members(10_045, "1@c0:10", None)])
    found = CHECKS["registry"](of, Calls(of))
    assert found.accepted
    assert found.most_states < 100


def _unregistered(folder, port):
    """A member that shuts down, whose unregistration comes by that port, before a heartbeat without groups."""
    lines = [*begun({"of": "c0", "id": "c0"}), *_beat(1, (10_000, 10_001, 10_002), 1, T1=100)]
    lines += [_members(10_010, "1@c0:1", None), event(19_999, "c0", "shutdown-begin")]
    bye = {"clientID": "1@c0", "consumerGroup": "G"}
    lines += call("c0", "UNREGISTER_CLIENT", 2, (20_000, 20_001, 20_004), port, bye, {"code": 0})
    lines += call("c0", BEAT, 3, (20_001, 20_002, 20_003), port, {"clientID": "1@c0", "groups": []}, {"code": 0})
    listed = {"code": LIST, "opaque": 5, "from": "127.0.0.1:9", "asked": {"consumerGroup": "G"}}
    lines += [event(20_100, "b0", "answered", **listed, said={"code": 0, "ids": ["1@c0"]})]
    return made.trace(folder, [*lines, _members(21_000, None, "1@c0:1")])


def test_unregistration_by_a_connection_without_the_group_has_no_effect(tmp_path):
    """The broker removes only the connection of the request, and a heartbeat without the group registers none."""
    assert made.whys(_unregistered(tmp_path / "other", 2), "registry", "1@c0") == []
    assert made.whys(_unregistered(tmp_path / "same", 1), "registry", "1@c0") == [OTHER_LIST]
