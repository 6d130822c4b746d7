"""Real consumers that shut down while listeners ran, and the model in the same situation."""

import json
from collections import defaultdict
from pathlib import Path

import pytest

from rebalance_proofs.model.client.pull_from_where import ConsumeFromWhere
from rebalance_proofs.model.machines.offsets.actions import CONCURRENT
from rebalance_proofs.model.offsets.broker import Broker

TRACE = Path(__file__).parent / "traces" / "shut_down-4.9.8.jsonl"
EVENTS = [json.loads(line) for line in TRACE.read_text(encoding="utf-8").splitlines()]
V4_9 = CONCURRENT[0]
QUEUES = sorted({event["q"] for event in EVENTS if event["who"] == "c1" and "q" in event})


def of(who, *kinds):
    return [event for event in EVENTS if event["who"] == who and event["ev"] in kinds]


def interrupted(who):
    return [event for event in of(who, "end") if event["result"] == "INTERRUPTED"]


def last_commits(who):
    return {event["q"]: event["offset"] for event in of(who, "commit")}


@pytest.mark.parametrize(("who", "waited", "calls"), [("c1", 0, 8), ("w1", 10_000, 8), ("o1", 0, 4), ("o2", 5_000, 4)])
def test_interrupted_listeners_commit_half_done_messages(who, waited, calls):
    ended, committed = interrupted(who), last_commits(who)
    assert len(ended) == calls
    assert all(waited <= event["at"] < waited + 50 for event in ended)
    assert all(event["to"] < committed[event["q"]] for event in ended)


def test_longer_wait_is_used_by_waiting_calls():
    begun = [event["at"] for event in of("w1", "begin")]
    # Three rounds of eight threads, of 3 s each.
    assert len(begun) == 24
    assert max(begun) > 8_000
    (offsets,) = {tuple(event["offsets"]) for event in of("w1", "begin")[-1:]}
    assert offsets == (23,)


@pytest.mark.parametrize(("who", "waited", "lasts"), [("o1", 0, 25_000), ("o2", 5_000, 2_000)])
def test_ordered_call_after_the_interrupt_is_not_interrupted(who, waited, lasts):
    begun = [event for event in of(who, "begin") if event["at"] >= waited]
    ended = {(event["q"], event["to"]): event for event in of(who, "end")}
    assert len(begun) >= 4
    for event in begun:
        end = ended[event["q"], event["offsets"][-1]]
        assert end["result"] == "SUCCESS"
        assert end["at"] - event["at"] >= lasts - 10


@pytest.mark.parametrize("queue", QUEUES)
def test_model_records_and_commits_like_the_consumer(queue):
    """Each event of the queue in the model's code: offsets updated when a listener returns, and offsets sent."""
    consumer = V4_9.consumer(Broker(0, 99), ConsumeFromWhere.LAST_OFFSET)
    noted, updates = [], []
    done: dict[str, int] = defaultdict(int)
    for event in of(
        "c1", *("begin", "end", "pulled", "offset-update", "commit", "entry-new", "entry-gone"), "shutdown-begin"
    ):
        kind = event["ev"]
        if event.get("q", queue) != queue:
            continue
        done[kind] += 1
        if kind == "entry-new":
            consumer.asks()
            consumer.adds()
        elif kind == "pulled":
            consumer.pulls(offset=event["next"], found=event["got"])
        elif kind == "begin":
            (message,) = event["offsets"]
            consumer.starts(message=message)
        elif kind == "shutdown-begin":
            consumer.interrupts()
        elif kind == "end":
            consumer.ends(message=event["from"], half=event["result"] == "INTERRUPTED")
            noted.append(consumer.noted[0])
            consumer.records()
        elif kind == "offset-update":
            updates.append(event["offset"])
        elif kind == "commit":
            assert consumer.memory == event["offset"]
        else:
            consumer.shuts()
            consumer.commits()
    assert noted == updates
    assert done["end"] > 20
    assert done["commit"] > 1
    half = set(range(consumer.broker.committed)) - consumer.broker.finished
    assert half == {event["from"] for event in interrupted("c1") if event["q"] == queue}
    assert len(half) == 2
