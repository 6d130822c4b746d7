"""The gRPC clients' assignment step: the model, and its comparison with released packages."""

import os
import sys
from itertools import product
from pathlib import Path

import pytest

from rebalance_proofs.model.own.named import StrategyError
from rebalance_proofs.model.receiving.sdks import (
    GoPushConsumer,
    NodePushConsumer,
    PushConsumer,
    PythonPushConsumerV5_0,
    PythonPushConsumerV5_1_1,
    PythonPushConsumerV5_1_2,
    RustPushConsumer,
)
from rebalance_proofs.recorded.packages import steps
from rebalance_proofs.recorded.packages.__main__ import SDKS
from rebalance_proofs.recorded.packages.install import Installed, installed, package, present
from tests.each import each

FIRST, MORE, OTHER = ("answer", "T", [0]), ("answer", "T", [0, 1]), ("answer", "U", [0])
QUICK = [words for words in SDKS if package(words).kind.client in ("grpc-python", "grpc-node")]
SLOW = [words for words in SDKS if words not in QUICK]
SLOW_STEPS = 5
REQUIRED = "REBALANCE_PACKAGES"
"""Environment variable with the languages whose packages must be installed: ``python node``."""


def loops(made, *taken):
    """The queues with their receive loops, and the number of other loops, after these steps."""
    return steps.modelled(made, taken)[-1]


def usable(words):
    """Return the package installed by ``make packages``; skip the test if it is not."""
    one = package(words)
    found = present(one)
    if found is None:
        why = f"{one} is not installed: run `make packages`"
        language = one.kind.client.partition("-")[2]
        (pytest.fail if language in os.environ.get(REQUIRED, "").split() else pytest.skip)(why)
    return one, found


def test_python_begins_another_loop_with_each_new_topic():
    assert loops(PythonPushConsumerV5_1_1, FIRST, OTHER) == [[["T", 0, 2], ["U", 0, 1]], 0]
    assert loops(PythonPushConsumerV5_1_2, FIRST, OTHER) == [[["T", 0, 1], ["U", 0, 1]], 0]
    assert loops(PushConsumer, FIRST, OTHER) == [[["T", 0, 1], ["U", 0, 1]], 0]


def test_first_python_client_replaces_process_queues_at_each_scan():
    assert loops(PythonPushConsumerV5_0, FIRST, MORE, MORE, MORE) == [[["T", 0, 4], ["T", 1, 1]], 2]
    assert loops(PythonPushConsumerV5_1_1, FIRST, MORE, MORE, MORE) == [[["T", 0, 2], ["T", 1, 1]], 0]


def test_rust_ends_loops_of_other_topics():
    assert loops(RustPushConsumer, FIRST, OTHER) == [[["U", 0, 1]], 0]


def test_failed_query_drops_process_queues_in_go_only():
    assert loops(GoPushConsumer, FIRST, ("fail", "T")) == [[], 1]
    assert loops(PushConsumer, FIRST, ("fail", "T")) == [[["T", 0, 1]], 0]


def test_loop_of_a_dropped_process_queue_goes_on_in_go():
    assert loops(GoPushConsumer, FIRST, ("answer", "T", []), FIRST) == [[["T", 0, 1]], 1]
    assert loops(PushConsumer, FIRST, ("answer", "T", []), FIRST) == [[["T", 0, 1]], 0]


def test_stuck_loop_is_not_replaced_in_java_and_go():
    """The time since the cache was full overflows, if it never was."""
    stuck = (FIRST, ("expire", "T", 0), FIRST)
    assert loops(PushConsumer, *stuck) == loops(GoPushConsumer, *stuck) == [[["T", 0, 0]], 0]
    assert loops(NodePushConsumer, *stuck) == [[["T", 0, 1]], 0]


def test_late_answer_is_one_and_begins_a_loop_in_node():
    late = (("shutdown",), FIRST, MORE)
    assert loops(NodePushConsumer, *late) == [[["T", 0, 1]], 0]
    assert loops(PushConsumer, *late) == [[["T", 0, 0]], 0]
    assert loops(RustPushConsumer, *late) == [[], 0]


@each("made", [PushConsumer, GoPushConsumer, NodePushConsumer, PythonPushConsumerV5_0, RustPushConsumer])
def test_sequences_are_all_whose_steps_have_an_effect(made):
    found = [taken for taken, _ in steps.sequences(made, 4)]
    every = list(product(steps.ALL, repeat=4))
    assert found == [one for one in every if all(steps.Replay(made, one[:n]).takes(one[n]) for n in range(4))]
    assert len(found) == steps.number(4) == 7_285
    assert (steps.number(5), steps.number(6)) == (59_586, 481_329)


@each("made", [PushConsumer, GoPushConsumer, NodePushConsumer])
def test_step_without_effect_changes_nothing(made):
    for taken in product(steps.ALL, repeat=3):
        replay = steps.Replay(made, taken[:2])
        before = replay.shown()
        if not replay.takes(taken[2]):
            replay.take(taken[2])
            assert replay.shown() == before


@pytest.mark.parametrize("words", QUICK)
def test_released_package_equals_the_model(words):
    one, found = usable(words)
    result = steps.compare_steps(one, found, 3)
    assert result.compared == steps.number(3)
    assert not result.smallest, result.smallest


@pytest.mark.slow
@pytest.mark.parametrize("words", SLOW)
def test_package_of_a_compiled_language_equals_the_model(words):
    one = package(words)
    try:
        found = installed(one)
    except StrategyError as error:
        pytest.skip(str(error))
    result = steps.compare_steps(one, found, SLOW_STEPS)
    assert result.compared == steps.number(SLOW_STEPS)
    assert not result.smallest, result.smallest


def test_other_model_is_noticed(monkeypatch):
    """A model of another version differs from the package, which begins a second loop at each new assignment."""
    one, found = usable("rocketmq-python-client==5.1.1")
    monkeypatch.setitem(one.kind.models, "5.1.1", PythonPushConsumerV5_1_2)
    result = steps.compare_steps(one, found, 2)
    assert result.smallest.steps == (FIRST, MORE)
    assert (result.smallest.client[0][0], result.smallest.model[0][0]) == (["T", 0, 2], ["T", 0, 1])


def fake(fault):
    return Installed((sys.executable, "fake_steps.py", fault), Path(__file__).parent)


def test_smallest_difference_has_the_fewest_steps():
    one = package("rocketmq-client-nodejs==1.0.8")
    result = steps.compare_steps(one, fake("two loops"), 3)
    assert result.differ > 1
    assert result.smallest.steps == (("answer", "T", [1]), ("answer", "U", [0]))
    assert steps.compare_steps(one, fake("none"), 2).smallest is None


def test_sequences_are_compared_in_batches(monkeypatch):
    monkeypatch.setattr(steps, "BATCH", 30)
    one = package("rocketmq-client-nodejs==1.0.8")
    assert steps.compare_steps(one, fake("none"), 2) == steps.Sequences(2, 97, 0, None)
    with pytest.raises(StrategyError, match="ended without an answer"):
        steps.compare_steps(one, fake("ends"), 2)


@each(
    ("fault", "why"),
    [
        ("internals", "cannot be compared: its PushConsumer has no method scan"),
        ("ends", "cannot be compared: it ended without an answer"),
        ("garbage", "cannot be compared: its driver prints 'npm WARN deprecated'"),
    ],
)
def test_driver_that_ends_is_reported(fault, why):
    with pytest.raises(StrategyError, match=why):
        steps.compare_steps(package("rocketmq-client-nodejs==1.0.8"), fake(fault), 2)


def test_missing_package_is_skipped_with_a_sentence(monkeypatch, tmp_path):
    monkeypatch.setenv("REBALANCE_CACHE", str(tmp_path))
    monkeypatch.delenv(REQUIRED, raising=False)
    with pytest.raises(pytest.skip.Exception, match="is not installed: run `make packages`"):
        usable(QUICK[0])
    monkeypatch.setenv(REQUIRED, "python")
    with pytest.raises(pytest.fail.Exception, match="is not installed: run `make packages`"):
        usable(QUICK[0])
