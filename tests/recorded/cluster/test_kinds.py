"""Kinds of legal traces that were rejected, each made small; and the illegal one next to it."""

from dataclasses import replace
from itertools import pairwise

from rebalance_proofs.recorded.cluster import judge
from rebalance_proofs.recorded.cluster.requests import Calls
from rebalance_proofs.recorded.cluster.tally import MONITORS, Tally
from rebalance_proofs.recorded.groups.member import Notified
from tests.each import each
from tests.recorded.cluster import made
from tests.recorded.cluster.made import BEAT, LOCK, NOTE, UNLOCK, UNTOLD, begun, call, event, joins
from tests.recorded.cluster.traces import held, trace

LIST, UPDATE = "GET_CONSUMER_LIST_BY_GROUP", "UPDATE_CONSUMER_OFFSET"
Q = "T1:b0:0"


def _members(at, is_, was):
    return event(at, "b0", "table", what="members", of="G", **{"is": is_}, was=was)


def _beat(opaque, times, port, id_="1@c0", who="c0", version=100):
    said = {"clientID": id_, "groups": [{"group": "G", "subs": {"T1": f"*@{made.EPOCH + version}"}}]}
    return call(who, BEAT, opaque, times, port, said, {"code": 0})


def _comes_back(folder, starts):
    """A member is replaced by another process with its id; at 20 s a third member comes."""
    lines = begun({"of": "c0", "id": "c0"}, {"of": "c0n", "id": "c0"})
    for who, at, port in (("c0", 5_000, 1), ("c0n", starts, 3)):
        lines += [event(at, who, "started", clientId="1@c0"), *_beat(port, (at, at + 1, at + 2), port, "1@c0", who)]
    lines += joins("1@c1", 2, 19_990)
    listed = sorted([(5_010, "1@c0:1"), (starts + 20, "1@c0:3"), (20_000, "1@c1:2")])
    shown = [None, *(" ".join(one for _, one in listed[: place + 1]) for place in range(3))]
    lines += [_members(at, shown[place + 1], shown[place]) for place, (at, _) in enumerate(listed)]
    lines += [event(at + 1, "c0", "notified", **NOTE) for at, _ in listed]
    return made.trace(folder, [*lines, *(event(40_000, who, "persist-all", queues=0) for who in ("c0", "c0n"))])


def test_process_is_not_notified_before_it_exists(tmp_path):
    assert made.whys(_comes_back(tmp_path / "later", 30_000), "registry") == []
    assert made.whys(_comes_back(tmp_path / "before", 6_000), "registry") == [UNTOLD]


def _one_id(folder):
    """Two processes have one id; the second one's connection ends when a third member comes, and nobody is notified."""
    lines = begun({"of": "c0", "id": "x"}, {"of": "c1", "id": "x"})
    lines += [event(5_000, who, "started", clientId="1@x") for who in ("c0", "c1")]
    lines += [*_beat(1, (10_000, 10_001, 10_002), 1, "1@x"), *_beat(7, (10_100, 10_101, 10_102), 2, "1@x", "c1")]
    lines += [_members(10_050, "1@x:1", None), _members(10_150, "1@x:1 1@x:2", "1@x:1")]
    lines += [
        event(10_110, who, "notified", said={"consumerGroup": "G"}, **{"from": "127.0.0.1:9"}) for who in ("c0", "c1")
    ]
    lines += [*joins("1@y", 3, 29_990), _members(30_000, "1@x:1 1@y:3", "1@x:1 1@x:2")]
    return made.trace(folder, [*lines, *(event(60_000, who, "persist-all", queues=0) for who in ("c0", "c1"))])


def test_of_two_processes_with_one_id_the_connected_one_is_notified(tmp_path):
    assert made.whys(_one_id(tmp_path), "registry") == [UNTOLD]
    told = _one_id(tmp_path / "told")
    heard = next(one for one in told.kind(Notified, "c0"))
    of = {**told.of, "c0": [*told.of["c0"][:-1], replace(heard, at=30_010), told.of["c0"][-1]]}
    assert made.whys(replace(told, of=of), "registry") == []


def _port_again(folder, *, closed, who):
    """Another process sends its first heartbeat by the port of an earlier connection."""
    lines = begun({"of": "c0", "id": "c0"}, {"of": "c1", "id": "c1"})
    lines += _beat(1, (10_000, 10_001, 10_002), 1)
    lines += [_members(10_010, "1@c0:1", None), *([_members(40_000, None, "1@c0:1")] if closed else [])]
    again = _beat(7, (50_000, 50_001, 50_002), 1, "1@c1", "c1", 200)
    lines += [one for one in again if who == "c1" or one["who"] == "b0"]
    return made.trace(folder, [*lines, event(99_000, "c0", "persist-all", queues=0)])


@each("who", ["c1", "producer"])
def test_port_belongs_to_one_connection_at_a_time(tmp_path, who):
    assert made.whys(_port_again(tmp_path / "closed", closed=True, who=who), "requests") == []
    if who == "producer":  # which is not recorded: nothing but the members shows that the connection was closed
        found = made.whys(_port_again(tmp_path / "open", closed=False, who=who), "requests")
        assert "the connection 127.0.0.1:1 belongs to 1@c0" in found


def _frozen(folder, sent):
    """A broker writes no line for 70 s; afterwards it handles requests that were sent at these times."""
    lines = [*begun({"of": "c0", "id": "c0"}), *_beat(1, (10_000, 10_001, 10_002), 1)]
    for number, at in enumerate(sent, start=2):
        said = {"q": f"T1:{number}", "consumerGroup": "G", "commitOffset": str(number)}
        ask, _, answered, _ = call("c0", UPDATE, number, (at, 80_000, 80_000), 1, said, {"code": 0})
        lines += [{**ask, "oneway": True}, answered]
    return made.trace(folder, [*lines, event(99_000, "c0", "persist-all", queues=0)])


def test_pause_of_a_broker_is_found_by_several_late_requests(tmp_path):
    both = _frozen(tmp_path / "both", [15_000, 30_000])
    assert dict(both.frozen) == {"b0": [(10_002, 80_000)]}
    assert made.whys(both, "requests") == []
    assert judge.judge(both, "").tallies[0].widened == 1
    assert _frozen(tmp_path / "one", [15_000]).frozen == {}
    assert _frozen(tmp_path / "none", [79_900, 79_950]).frozen == {}


def _beats_late(folder, *, sent):
    """Two heartbeats arrive 6 and 7 s late; between them the broker loses the group, and another member comes."""

    def row(at, is_, was):
        texts = {version: "{T1=*@" + str(made.EPOCH + version) + "}" for version in (50, 100)}
        return event(at, "b0", "table", what="subs", of="G", **{"is": texts.get(is_)}, was=texts.get(was))

    lines = [*begun({"of": "c0", "id": "c0"}), *_beat(1, (10_000, 10_001, 10_002), 1), row(10_010, 100, None)]
    lines += [event(29_000, "driver", "delay", of="b0", ms=6_000), event(80_000, "c0", "persist-all", queues=0)]
    lines += [*_beat(2, (30_000, 36_000, 36_001), 2)[:3], row(38_000, None, 100)]
    lines += [*_beat(3, (38_500, 38_500, 38_501), 4, "1@c1", version=50)[1:3], row(38_510, 50, None)]
    late = _beat(4, (34_000, 41_000, 41_001), 3)
    return made.trace(folder, [*lines, *(late[:3] if sent else []), row(41_010, 100, 50)])


def test_heartbeat_that_timed_out_arrives_later(tmp_path):
    assert made.whys(_beats_late(tmp_path / "sent", sent=True), "subscriptions", "c0, T1") == []
    (why,) = made.whys(_beats_late(tmp_path / "never", sent=False), "subscriptions", "c0, T1")
    assert why == "the broker's table has another row"


def _unheard(folder, asked):
    """A broker restarts at 20 s, and records its first request at 21 s; the client has an answer without one."""
    lines = [*begun({"of": "c0", "id": "c0"}), *_beat(1, (10_000, 10_001, 10_002), 1)]
    lines += [event(15_000, "driver", "broker-ended", of="b0"), event(16_000, "driver", "start-broker", of="b0")]
    lines += [event(20_000, "b0", "broker-starting"), event(20_900, "b0", "broker-started")]
    lines += _beat(3, (20_990, 21_000, 21_001), 2)
    ask, _, _, answer = _beat(2, (asked, asked, asked + 10), 2)
    return made.trace(folder, [*lines, ask, answer, event(99_000, "c0", "persist-all", queues=0)])


def test_request_before_the_first_that_a_restarted_broker_records(tmp_path):
    assert made.whys(_unheard(tmp_path / "before", 20_800), "requests") == []
    assert made.whys(_unheard(tmp_path / "later", 60_000), "requests") == ["no broker answered HEART_BEAT 2"]


def _seen_late(folder, at):
    """A poll has seen an entry that is dropped and unlocked in the table; it is written after the entry's removal."""
    lists = {"topic": "T1", "strategy": "AVG", "cid": "1@x", "mqAll": [Q], "error": None, "cidAll": ["1@x"]}
    said = {"consumerGroup": "G", "clientID": "1@x", "queues": [Q]}
    marks = {"messages": 0, "since_pull": 5}
    lines = begun({"of": "c0", "id": "x", "group": "G", "mode": "ordered"})
    lines += [event(9_999, "c0", "allocate", **lists, result=[Q])]
    lines += call("c0", LOCK, 1, (10_000, 10_001, 10_002), 1, said, {"code": 0, "granted": [Q]})
    lines += [event(10_003, "c0", "entry-new", q=Q, entry="a", locked=True)]
    lines += [event(12_000, "c0", "allocate", **lists, result=[])]
    lines += call("c0", UNLOCK, 2, (12_001, 12_002, 12_003), 1, said, {"code": 0})[:3]
    lines += [event(12_001, "c0", "entry-gone", q=Q, entry="a", how="rebalance", dropped=True, locked=False, **marks)]
    seen = {"dropped": True, "locked": False, "in_table": True, "messages": 0, "pull_age": 1}
    return made.trace(folder, [*lines, event(at, "c0", "entry", q=Q, entry="a", lock_age=at - 10_002, **seen)])


def test_poll_that_is_written_after_the_removal_is_accepted(tmp_path):
    assert made.whys(_seen_late(tmp_path / "soon", 12_040), "ordered") == []
    assert made.whys(_seen_late(tmp_path / "late", 20_000), "ordered") == [
        "a poll sees other flags of its process queue"
    ]


def _started(folder, broker):
    """A consumer has a lock at b0 while a broker starts, and renews the lock later."""
    lines = begun({"of": "c0", "id": "x", "group": "G", "mode": "ordered"})
    lines += [event(1, "driver", "start-broker", of="b1")]
    said = {"consumerGroup": "G", "clientID": "1@x", "queues": [Q]}
    granted = {"code": 0, "granted": [Q]}
    lines += [event(5_000, "c0", "started", clientId="1@x")]
    lines += call("c0", LOCK, 1, (10_000, 10_001, 10_002), 1, said, granted)
    lines += [event(10_010, "b0", "table", what="lock", of=f"G {Q}", **{"is": "1@x"}, was=None)]
    lines += [event(20_000, broker, "broker-starting")]
    for number, at in enumerate((30_000, 36_000), start=2):
        lines += call("c0", LOCK, number, (at, at + 1, at + 2), 1, said, granted)
    return made.trace(folder, [*lines, event(40_000, "c0", "persist-all", queues=0)])


def test_only_the_broker_that_starts_has_lost_its_locks(tmp_path):
    """A broker can join later."""
    assert made.whys(_started(tmp_path / "other", "b1"), "ordered", "c0") == []
    (why,) = made.whys(_started(tmp_path / "own", "b0"), "ordered", "c0")
    assert why == "no poll has seen the lock's holder"


def _third(folder, holder):
    """c1 returns a lock that it does not hold any more: c2 has it, as the broker's table shows."""
    ordered = {"group": "G", "mode": "ordered"}
    lines = begun(*({"of": one, "id": one, **ordered} for one in ("c0", "c1", "c2")))

    def said(id_):
        return {"consumerGroup": "G", "clientID": f"1@{id_}", "queues": [Q]}

    lines += [event(at, "c0", "started", clientId="1@c0") for at in (5_000, 60_000)]
    lines += call("c1", LOCK, 1, (10_000, 10_001, 10_002), 1, said("c1"), {"code": 0, "granted": [Q]})
    lines += call("c1", UNLOCK, 2, (15_000, 15_001, 15_002), 1, said("c1"), {"code": 0})[1:3]
    lines += call("c2", LOCK, 3, (20_000, 20_001, 20_002), 2, said("c2"), {"code": 0, "granted": [Q]})
    lines += call("c1", UNLOCK, 4, (25_000, 25_001, 25_002), 1, said("c1"), {"code": 0})[1:3]
    seen = [None, "1@c1", None, "1@c2", *holder]
    for at, (was, is_) in zip((10_010, 15_010, 20_010, 25_010), pairwise(seen), strict=False):
        lines += [event(at, "b0", "table", what="lock", of=f"G {Q}", **{"is": is_}, was=was)]
    lines += call("c2", LOCK, 5, (40_000, 40_001, 40_002), 2, said("c2"), {"code": 0, "granted": [Q]})
    return made.trace(folder, lines)


def test_lock_is_returned_by_its_holder_only(tmp_path):
    assert made.whys(_third(tmp_path / "kept", []), "ordered", "c0") == []
    assert made.whys(_third(tmp_path / "lost", [None]), "ordered", "c0") == ["the broker's lock has another holder"]


def test_exception_while_judging_is_a_rejection(monkeypatch):
    def fails(of, calls):
        raise LookupError("T9:b0:0")

    monkeypatch.setattr(judge, "CHECKS", {"fails": fails, "holds": lambda of, calls: Tally("holds", MONITORS)})
    verdict = held(trace("java-4.9.8/x_start_threw"))
    assert not verdict.accepted
    ((machine, rejection),) = verdict.rejections
    assert machine == "fails"
    assert rejection.why == "an event of the trace has an impossible value: T9:b0:0"


def test_calls_know_the_connection_of_each_request(tmp_path):
    run = _port_again(tmp_path, closed=True, who="c1")
    assert {one.who: Calls(run).owner(one) for one in run.of["b0"] if hasattr(one, "from_")} == {"b0": "c1"}
