"""Heartbeats V2 without subscriptions: up to 5.3.1 they still list them, and the broker ignores them."""

from tests.recorded.cluster import made
from tests.recorded.cluster.made import BEAT, begun, call, event

BOTH, ONE = {"T1": 100, "T2": 100}, {"T1": 100}


def _beat(who, opaque, at, port, versions):
    """A heartbeat at that time, with these topics and versions."""
    subs = {topic: f"*@{made.EPOCH + version}" for topic, version in versions.items()}
    said = {"clientID": f"1@{who}", "groups": [{"group": "G", "subs": subs}]}
    return call(who, BEAT, opaque, (at, at + 1, at + 2), port, said, {"code": 0})


def _row(at, is_, was):
    texts = [said and "{" + ", ".join(f"{t}=*@{made.EPOCH + v}" for t, v in said.items()) + "}" for said in (is_, was)]
    return event(at, "b0", "table", what="subs", of="G", **{"is": texts[0]}, was=texts[1])


def _joined(v2="true", props=None):
    """Two members, of which only ``c0`` subscribes to T2; ``c1`` sends a heartbeat at 40 s, ``c0`` one at 50 s."""
    how = {"props": props} if props else {"set_useHeartbeatV2": v2}
    lines = begun(*({"of": who, "id": who, **how} for who in ("c0", "c1")))
    lines += [*_beat("c1", 1, 10_000, 2, ONE), _row(10_010, ONE, None)]
    lines += [*_beat("c0", 2, 20_000, 1, BOTH), _row(20_010, BOTH, ONE)]
    return [*lines, *_beat("c1", 3, 40_000, 2, ONE), *_beat("c0", 4, 50_000, 1, BOTH)]


def _told(at):
    """Both members are told at that time that the group has changed."""
    return [event(at, who, "notified", said={"consumerGroup": "G"}, **{"from": "127.0.0.1:1"}) for who in ("c0", "c1")]


def _whys(folder, lines, release):
    return made.whys(made.trace(folder, lines, release), "subscriptions", "c0, T2")


def test_v2_heartbeats_with_subscriptions_are_ignored_up_to_5_3_1(tmp_path):
    """The broker's table still has T2 at 40 s."""
    assert _whys(tmp_path / "listed", _joined(), "5.1.4") == []
    assert _whys(tmp_path / "also", _joined(), "5.3.1") == []
    assert _whys(tmp_path / "property", _joined(props={"com.rocketmq.heartbeat.v2": "True"}), "5.1.4") == []


def test_v2_heartbeats_with_subscriptions_count_from_5_3_2_on(tmp_path):
    """From 5.3.2 on a heartbeat with subscriptions counts, as one that is not V2: T2 would be gone from the table, and
    the group told of it.
    """
    for name, lines, release in (("counts", _joined(), "5.3.2"), ("plain", _joined(v2="false"), "5.1.4")):
        (why,) = _whys(tmp_path / name, lines, release)
        assert why.endswith("changes the topics, but no consumer is notified")
        (why,) = _whys(tmp_path / f"{name}-told", [*lines, *_told(40_004), *_told(50_004)], release)
        assert why.startswith("no poll has seen")


def test_broker_without_v2_reads_every_heartbeat(tmp_path):
    """It reads every heartbeat."""
    old = [event(1, "b0", "release", rocketmq="V4_9_8", java="17"), *_joined()]
    seen = [_row(40_010, ONE, BOTH), _row(50_010, BOTH, ONE)]
    told = [*_told(40_004), *_told(50_004)]
    assert _whys(tmp_path / "gone", [*old, *seen, *told], "5.1.4") == []
    (why,) = _whys(tmp_path / "untold", [*old, *seen], "5.1.4")
    assert why.endswith("changes the topics, but no consumer is notified")
    (why,) = _whys(tmp_path / "kept", [*old, *told], "5.1.4")
    assert why.startswith("no poll has seen")
