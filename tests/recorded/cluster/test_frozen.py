"""A broker that was frozen handles requests whose connections the clients have closed meanwhile."""

from tests.recorded.cluster import made
from tests.recorded.cluster.made import BEAT, EPOCH, begun, call, event

BEATS = {"clientID": "127.0.0.1@c0", "groups": [{"group": "G", "subs": {"T1": f"*@{EPOCH + 50}"}}]}
LISTED = f"{{T1=*@{EPOCH + 50}}}"


def _rows(at, port, was=None):
    """Polls that see the member with this port, or none."""
    rows = [("members", port and f"127.0.0.1@c0:{port}", was and f"127.0.0.1@c0:{was}")]
    rows.append(("subs", LISTED if port else None, LISTED if was else None))
    return [event(at, "b0", "table", what=what, of="G", **{"is": is_}, was=before) for what, is_, before in rows]


def _refused(at, opaque, took=1):
    """A pull that is refused at that time, and was sent so many milliseconds before."""
    said = {"q": "T1:0", "consumerGroup": "G", "queueOffset": "0", "sysFlag": "2", "subVersion": str(EPOCH + 50)}
    about = {"code": "PULL_MESSAGE", "opaque": opaque}
    ask = {"oneway": False, "said": said, "to": "127.0.0.1:1", "thread": "PullMessageService"}
    said_no = {"code": 24, "remark": "the consumer's group info not exist"}
    answered = event(at, "b0", "answered", **about, **{"from": "127.0.0.1:4"}, asked=said, said=said_no)
    return [event(at - took, "c0", "ask", **about, **ask), answered]


def _whys(folder, *, frozen, port=None):
    """A heartbeat of the freeze arrives after it, and no poll sees its member; ``port``: what the polls see instead."""
    signals = [(20_000, "SIGSTOP"), (50_000, "SIGCONT")] if frozen else []
    lines = [*begun({"of": "c0", "id": "c0"})]
    lines += [event(at, "driver", "signal", of="b0", signal=name) for at, name in signals]
    lines += [*call("c0", BEAT, 1, (6_000, 6_001, 6_002), 2, BEATS, {"code": 0}), *_rows(6_050, 2)]
    lines += [*_rows(50_010, port, was=2), *call("c0", BEAT, 2, (49_000, 50_020, 50_030), 3, BEATS, {"code": 0})]
    lines += [*_refused(51_000, 3), *_refused(54_500, 4)]
    lines += [*call("c0", BEAT, 5, (60_000, 60_001, 60_002), 4, BEATS, {"code": 0}), *_rows(60_050, 4, was=port)]
    return made.whys(made.trace(folder, lines), "subscriptions", "c0")


def test_heartbeat_of_a_closed_connection_is_forgotten_after_a_thaw(tmp_path):
    assert _whys(tmp_path, frozen=True) == []


def test_heartbeat_that_no_poll_sees_is_rejected_without_a_freeze(tmp_path):
    assert _whys(tmp_path, frozen=False) != []


def test_refusal_of_a_listed_subscription_is_rejected_after_a_thaw(tmp_path):
    assert _whys(tmp_path, frozen=True, port=3) == ["the broker refuses a pull"]


def _refused_at(folder, at, took):
    """The members change between two polls, so that the group's subscriptions are forgotten, and come back."""
    lines = [*begun({"of": "c0", "id": "c0"})]
    lines += [event(20_000, "driver", "signal", of="b0", signal="SIGSTOP")]
    lines += [event(50_000, "driver", "signal", of="b0", signal="SIGCONT")]
    lines += [*call("c0", BEAT, 1, (6_000, 6_001, 6_002), 2, BEATS, {"code": 0}), *_rows(6_050, 2)]
    lines += [*call("c0", BEAT, 2, (49_000, 50_020, 50_030), 3, BEATS, {"code": 0}), *_rows(50_050, 3, was=2)[:1]]
    lines += [*_refused(at, 3, took), *call("c0", BEAT, 5, (80_000, 80_001, 80_002), 3, BEATS, {"code": 0})]
    return made.whys(made.trace(folder, lines), "subscriptions", "c0")


def test_pull_that_was_handled_before_a_heartbeat_may_be_refused_after_it(tmp_path):
    assert _refused_at(tmp_path, 50_031, 20) == []


def test_pull_long_after_a_heartbeat_is_not_refused(tmp_path):
    assert _refused_at(tmp_path, 53_000, 20) != []
