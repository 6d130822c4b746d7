"""Misbehaviour within a call is reported for that call, and all other calls get their results."""

import os
import re
import time
from pathlib import Path

import pytest

from rebalance_proofs.model.own.call import (
    CHANGED,
    ENDING,
    EXITS,
    FOREIGN_TYPE,
    HANGS,
    MEMORY,
    NOT_A_LIST,
    THROWS,
    Call,
    Gave,
    Refused,
)
from rebalance_proofs.model.own.java.worker import JavaWorker
from rebalance_proofs.model.queues import MessageQueue, one_broker

pytestmark = pytest.mark.usefixtures("light")
MQ_ALL = one_broker(3)
LIMIT = 1.5
MEMORY_MB = 64


def call(behaviour: str) -> Call:
    return Call("GID", behaviour, MQ_ALL, ("a", "b"))


def asked(worker: JavaWorker, calls: list[Call]) -> list[object]:
    """All outcomes, however often the worker stops."""
    found: list[object] = []
    while len(found) < len(calls):
        outcomes = worker.answers(calls[len(found) :])
        assert outcomes
        stopped = len(found) + len(outcomes) < len(calls)
        assert not stopped or outcomes[-1].kind in ENDING
        found += outcomes
    return found


@pytest.fixture(scope="module")
def worker(java_classes):
    with JavaWorker("acme.Behaves", java_classes, limit=LIMIT, memory_mb=MEMORY_MB) as found:
        yield found


REFUSED = {
    "throws": (THROWS, r"throws java.lang.IllegalStateException: no 2 \(Behaves.java:51\)"),
    "throws a checked exception": (THROWS, r"throws java.io.IOException: checked \(Behaves.java:\d+\)"),
    "throws what throws": (THROWS, r"throws acme.Behaves\$1 \(Behaves.java:\d+\)"),
    "throws lines": (THROWS, r"throws java.lang.RuntimeException: one  two \? \(Behaves.java:\d+\)"),
    "throws far too much": (THROWS, r"throws java.lang.RuntimeException: x{372}\.\.\. \(Behaves.java:\d+\)"),
    "throws an error of memory": (MEMORY, r"throws java.lang.OutOfMemoryError: said so \(Behaves.java:\d+\)"),
    "overflows": (THROWS, r"throws java.lang.StackOverflowError \(Behaves.java:\d+\)"),
    "hangs": (HANGS, "has not returned after 1.5 s"),
    "loops": (HANGS, "has not returned after 1.5 s"),
    "exits": (EXITS, "ends its process with status 0"),
    "exits with 3": (EXITS, "ends its process with status 3"),
    "halts": (EXITS, "ends its process with status 4"),
    "exits in a thread": (EXITS, "ends its process with status 5"),
    "eats": (MEMORY, "uses more than 64 MB of memory: java.lang.OutOfMemoryError: Java heap space"),
    "eats and catches": (MEMORY, "uses more than 64 MB of memory: java.lang.OutOfMemoryError: Java heap space"),
    "eats buffers": (MEMORY, "throws java.lang.OutOfMemoryError: .*direct.*"),
    "writes into pipes": (EXITS, "writes into the pipe that carries its results"),
    "writes without end": (EXITS, "writes into the pipe that carries its results"),
    "writes a piece that never ends": (EXITS, "writes into the pipe that carries its results"),
    "writes pieces without end": (HANGS, "has not returned after 1.5 s"),
    "nameless": (FOREIGN_TYPE, "returns a list with a queue without a topic or a brokerName"),
    "texts": (FOREIGN_TYPE, "returns a list with a java.lang.String, which is not a queue"),
    "a list that throws": (THROWS, r"throws java.lang.UnsupportedOperationException: not yet \(Behaves.java:\d+\)"),
    "a list without end": (NOT_A_LIST, "returns a list of more than 100000 queues"),
    "a queue that throws": (THROWS, r"throws java.lang.IllegalStateException: no topic \(Behaves.java:\d+\)"),
    "renames a queue": (CHANGED, "changes the brokerName of the queue at position 1 of mqAll to broker-z"),
    "renumbers a queue": (CHANGED, "changes the queueId of the queue at position 0 of mqAll to 9"),
    "changes a topic": (CHANGED, "changes the topic of the queue at position 0 of mqAll to null"),
    "removes and throws": (THROWS, r"throws java.lang.IllegalStateException \(Behaves.java:\d+\)"),
}


@pytest.mark.parametrize("behaviour", REFUSED)
def test_refusal_concerns_its_call_only(worker, behaviour):
    kind, what = REFUSED[behaviour]
    good = call("c0")
    found = asked(worker, [good, call(behaviour), good])
    assert found[0] == found[2] == Gave(MQ_ALL)
    assert isinstance(found[1], Refused)
    assert found[1].kind == kind
    assert re.fullmatch(what, found[1].what), found[1].what


NOTED = {
    "removes": "changes mqAll: it had 3 queues, and has 2",
    "sorts": "changes mqAll: another object is at position 0",
    "adds an id": "changes cidAll: it had 2 ids, and has 3",
    "changes an id": "changes cidAll: another object is at position 0",
    "removes and throws": "changes mqAll: it had 3 queues, and has 0",
}


@pytest.mark.parametrize("behaviour", NOTED)
def test_changed_argument_list_is_noted_beside_the_result(worker, behaviour):
    found = asked(worker, [call("c0"), call(behaviour), call("c0")])
    assert [one.changed for one in found] == ["", NOTED[behaviour], ""]
    assert isinstance(found[1], Refused if "throws" in behaviour else Gave)
    assert found[0] == found[2] == Gave(MQ_ALL)


def test_null_is_an_empty_list_as_in_the_client(worker):
    assert asked(worker, [call("null"), call("c0")]) == [Gave((), null=True), Gave(MQ_ALL)]


GAVE = {
    "a null queue": (MQ_ALL[0], None),
    "twice": (MQ_ALL[0], MQ_ALL[0]),
    "an equal one": (MQ_ALL[1],),
    "a foreign one": (MQ_ALL[1], MessageQueue("Ω", "\ud800", -7)),
    "reads": MQ_ALL,
    "interrupts itself": MQ_ALL,
    "starts threads": MQ_ALL,
    "starts a process": MQ_ALL,
    "compares by identity": (),
    "names its group": (MessageQueue("GID", "a,b", 3),),
}


@pytest.mark.parametrize("behaviour", GAVE)
def test_returned_list_is_passed_on_unchanged(worker, behaviour):
    assert asked(worker, [call("c0"), call(behaviour), call("c1")]) == [
        Gave(MQ_ALL),
        Gave(GAVE[behaviour]),
        Gave(MQ_ALL),
    ]


PRINTED = {
    "prints": Gave(MQ_ALL, ("one", "two", "three")),
    "prints a lot": Gave(MQ_ALL, ("x" * 200,) * 3),
    "prints and hangs": Refused(HANGS, "has not returned after 1.5 s", ("before",)),
    "prints and exits": Refused(EXITS, "ends its process with status 1", ("before",)),
}


@pytest.mark.parametrize("behaviour", PRINTED)
def test_output_is_reported_with_its_call(worker, behaviour, capfd):
    assert asked(worker, [call("c0"), call(behaviour), call("c1")]) == [Gave(MQ_ALL), PRINTED[behaviour], Gave(MQ_ALL)]
    assert capfd.readouterr() == ("", "")


def test_interrupted_strategy_thread_can_be_called_again(worker):
    for _ in range(20):
        assert asked(worker, [call("is interrupted later")]) == [Gave(MQ_ALL)]
    assert asked(worker, [call("c0")]) == [Gave(MQ_ALL)]


def test_strategy_that_closes_standard_output_can_be_called_again(java_classes):
    with JavaWorker("acme.Behaves", java_classes) as worker:
        assert worker.answers([call("closes"), call("c0")]) == [Gave(MQ_ALL), Gave(MQ_ALL)]


def test_calls_around_one_that_ends_the_child_are_answered_in_order(worker):
    queues = [one_broker(number) for number in range(1, 30)]
    ids = ("a", "b")
    calls = [Call("GID", "c", queues[number % 29], ids) for number in range(9000)]
    calls[6000] = call("halts")
    found = asked(worker, calls)
    assert found.pop(6000) == Refused(EXITS, "ends its process with status 4")
    calls.pop(6000)
    assert found == [Gave(one.mq_all) for one in calls]


def test_equal_queues_at_two_positions_are_two_queues(worker):
    twice = (*MQ_ALL, MQ_ALL[0])
    assert worker.answers([Call("GID", "c", twice, ("c",))]) == [Gave(twice)]


def test_unusual_names_are_transmitted_unchanged(worker):
    queues = (MessageQueue("", "\ud83d\ude00", 2**31 - 1), MessageQueue("\x00\n", "\udc00", -(2**31)))
    ids = ("", "ü" * 1000)
    assert worker.answers([Call("", "c", queues, ids), Call("g", "c", (), ())]) == [Gave(queues), Gave(())]
    named = Call("g\u0000", "names its group", queues, ids)
    assert worker.answers([named]) == [Gave((MessageQueue("g\u0000", ",".join(ids), 2),))]


@pytest.mark.parametrize(("behaviour", "what"), [("starts threads", "threads"), ("starts a process", "processes")])
def test_strategy_that_leaves_many_threads_or_processes_is_ended(worker, behaviour, what):
    found = worker.answers([call(behaviour)] * 1000)
    assert set(found[:-1]) == {Gave(MQ_ALL)}
    assert found[-1] == Refused(EXITS, f"leaves more than 64 {what} running")
    assert len(found) < 1000


def test_empty_batch_has_no_outcomes(worker):
    assert worker.answers([]) == []


def test_time_limit_is_per_call(java_classes):
    with JavaWorker("acme.Behaves", java_classes, limit=2.0) as worker:
        start = time.monotonic()
        assert worker.answers([call("naps")] * 25) == [Gave(MQ_ALL)] * 25
        assert time.monotonic() - start > 2.0


def running(pid: int) -> bool:
    try:
        return (Path("/proc") / str(pid) / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are looked up in /proc")
def test_ended_worker_leaves_no_process(java_classes):
    with JavaWorker("acme.Behaves", java_classes) as worker:
        worker.answers([call("starts a process"), call("starts threads")])
        session = worker._child._process.pid
        mine = [int(pid) for pid in os.listdir("/proc") if pid.isdecimal() and _session(int(pid)) == session]
        assert len(mine) == 2
    end = time.monotonic() + 5
    while any(map(running, mine)) and time.monotonic() < end:
        time.sleep(0.01)
    assert not any(map(running, mine))


def _session(pid: int) -> int | None:
    try:
        return os.getsid(pid)
    except OSError:
        return None
