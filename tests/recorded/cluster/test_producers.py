"""Producers with any names and in any number."""

from tests.recorded.cluster import made
from tests.recorded.cluster.made import begun, event

Q = "T1:b0:0"


def _sent(at, who, offset, key):
    return event(at, who, "sent", q=Q, offset=offset, key=key, tag="A", status="SEND_OK")


def _whys(folder, *sent):
    lines = begun({"of": "c0", "id": "c0"})
    names = {one["who"] for one in sent}
    lines += [event(10, who, "queues", topic="T1", queues=[Q]) for who in sorted(names)]
    run = made.trace(folder, [*lines, *sent])
    return [why for machine in ("trace", "offsets") for why in made.whys(run, machine)]


def test_producer_with_another_name_is_accepted(tmp_path):
    assert _whys(tmp_path / "whole", _sent(20, "sender", 0, "k0"), _sent(30, "sender", 1, "k1")) == []
    holes = _whys(tmp_path / "hole", _sent(20, "sender", 0, "k0"), _sent(30, "sender", 2, "k1"))
    assert holes == ["no message was sent at offset 1 of T1:b0:0"]


def test_two_producers_of_one_queue_are_accepted(tmp_path):
    """The first one to get the broker's answer need not be recorded first."""
    first, second = _sent(20, "p", 1, "k0"), _sent(21, "p2", 0, "k0")
    assert _whys(tmp_path / "whole", first, second, _sent(30, "p", 2, "k1")) == []
    assert _whys(tmp_path / "back", first, second, _sent(30, "p", 0, "k1")) == ["offset 0 was stored after offset 1"]
    assert _whys(tmp_path / "same", first, second, _sent(30, "p2", 1, "k1")) == [
        "two messages were stored at offset 1 of T1:b0:0"
    ]


def test_process_without_a_start_is_rejected(tmp_path):
    lines = [*begun({"of": "c0", "id": "c0"}), event(50, "c9", "gap", ms=1)]
    assert made.whys(made.trace(tmp_path, lines), "trace") == ["the driver never started c9"]


def test_process_that_writes_before_its_start_event_is_accepted(tmp_path):
    """The driver records the start afterwards; its clock is the process's."""
    first = [event(0, "driver", "start-name-server"), event(8_000, "driver", "start-consumer", of="c0", id="c0", ms=20)]
    assert made.whys(made.trace(tmp_path / "soon", [*first, event(7_900, "c0", "gap", ms=1)]), "trace") == []
    assert made.whys(made.trace(tmp_path / "long", [*first, event(5_000, "c0", "gap", ms=1)]), "trace") == [
        "the driver has not started c0 yet"
    ]
