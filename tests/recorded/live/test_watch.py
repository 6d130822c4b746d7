"""What the driver reads of a growing recording, and whether the group is calm."""

import json
import threading
import time
from types import SimpleNamespace

import pytest

from rebalance_proofs.recorded.live.error import LiveError
from rebalance_proofs.recorded.live.run import await_calm, perform, waits
from rebalance_proofs.recorded.live.scenario import Member, Scenario
from rebalance_proofs.recorded.live.step import Join, Listener, Renewed, Together, Wait
from rebalance_proofs.recorded.live.watch import Watch
from tests.each import each

BEGIN = {"ev": "begin", "q": "T1:b0:0", "keys": ["T1-0"]}
END = {"ev": "end", "q": "T1:b0:0"}
SENT = {"ev": "sent", "q": "T1:b0:0", "offset": 0, "key": "T1-0", "tag": "A", "status": "SEND_OK"}
COMMITTED = {"ev": "table", "what": "offset", "of": "T1@G:0", "is": "1"}


@pytest.fixture
def watch(tmp_path) -> Watch:
    return Watch(tmp_path, {"c0": "G", "d0": "H"})


def write(watch: Watch, who: str, *events: dict) -> Watch:
    with (watch._folder / f"{who}.jsonl").open("a", encoding="utf-8") as file:
        file.writelines(json.dumps({"at": 0, "who": who, **event}) + "\n" for event in events)
    watch.look()
    return watch


def test_incomplete_line_is_awaited(watch, tmp_path):
    whole = json.dumps({"at": 0, "who": "c0", "ev": "started"}) + "\n"
    for text, seen in ((whole + whole[:20], 1), (whole[20:], 2), (whole, 3)):
        with (tmp_path / "c0.jsonl").open("a", encoding="utf-8") as file:
            file.write(text)
        watch.look()
        assert watch.count("c0", "started") == seen


def test_missing_event_is_reported_after_the_timeout(watch):
    with pytest.raises(LiveError, match=r"c0 did not come within 0.1 s"):
        watch.until(lambda: False, 0.1, "c0 did not come")


def test_cut_run_ends_all_waits(watch):
    threading.Timer(0.1, watch.over.set).start()
    with pytest.raises(LiveError, match="was interrupted"):
        watch.sleep(60)


def cluster(watch: Watch, **members: Member) -> SimpleNamespace:
    scenario = Scenario(name="s", about="s", members=members or {"c0": Member()}, steps=(Wait(),), patience=0.3)
    return SimpleNamespace(watch=watch, scenario=scenario, alive=set(members or ["c0"]))


@each(
    "members, events, waiting",
    [
        ({}, [("p", SENT)], ["T1-0"]),
        ({}, [("p", SENT), ("c0", BEGIN)], ["c0"]),
        ({}, [("p", SENT), ("c0", BEGIN), ("c0", END)], []),
        ({}, [("p", SENT), ("b0", COMMITTED)], []),
        ({}, [("p", SENT), ("d0", BEGIN), ("d0", END)], ["T1-0"]),
        ({}, [("p", SENT | {"status": "FLUSH_DISK_TIMEOUT"})], []),
        ({"c0": Member(sub="T1:B||C")}, [("p", SENT)], []),
        ({"c0": Member(sub="T2,T1:B||A")}, [("p", SENT)], ["T1-0"]),
        ({"c0": Member(sub="T2")}, [("p", SENT)], []),
    ],
)
def test_wait_conditions_are_recognised(members, events, waiting, tmp_path):
    folder = tmp_path / str(time.monotonic_ns())
    folder.mkdir()
    watch = Watch(folder, {"c0": "G", "d0": "H"})
    for who, event in events:
        write(watch, who, event)
    assert list(waits(cluster(watch, **members))) == waiting


def test_group_is_calm_without_open_work_and_given_up_without_progress(watch, monkeypatch):
    monkeypatch.setattr("rebalance_proofs.recorded.live.run.QUIET", 0.1)
    write(watch, "p", SENT)
    assert not await_calm(cluster(watch))
    write(watch, "c0", BEGIN, END)
    assert await_calm(cluster(watch))


class Pretended(SimpleNamespace):
    """A cluster that notes what it is told."""

    def __init__(self, watch: Watch) -> None:
        super().__init__(watch=watch, done=[], log=SimpleNamespace(say=lambda *_, **__: None))

    def tell(self, who: str, line: str, *, event: str | None = None) -> None:
        self.done.append((who, line))

    def is_held(self, who: str) -> bool:
        return False

    def start_member(self, who: str, *, hold: bool = False) -> None:
        raise LiveError(f"{who} does not start")


def test_failed_lane_ends_the_others(watch):
    steps = (Together(lanes=((Wait(then=300),), (Listener(of="c0", ms=5), Join(of="c1")))), Listener(of="c0", ms=9))
    pretended = Pretended(watch)
    begun = time.monotonic()
    with pytest.raises(LiveError, match="c1 does not start"):
        perform(pretended, steps)
    assert time.monotonic() - begun < 60
    assert pretended.done == [("c0", "ms 5")]


def test_wait_for_an_old_renewal_ends_at_its_age(watch):
    renewal = {"ev": "ask", "code": "LOCK_BATCH_MQ", "said": {"queues": ["T1:b0:0", "T1:b0:1"]}}
    threading.Timer(0.1, write, (watch, "c0", renewal | {"at": int(time.time() * 1000) + 100})).start()
    begun = time.time()
    perform(Pretended(watch), (Renewed(of="c0", age=0.5),))
    assert 0.5 < time.time() - begun
    assert time.time() - watch.renewed["c0"] >= 0.5
