"""Drivers with seeded faults compared with the model: each fault is found, with its smallest difference."""

import json
import sys
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from rebalance_proofs.model.profiles import GO, NODE, RUST_1_0
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.recorded.jar.conform import PATIENCE
from rebalance_proofs.recorded.jar.shipped import SHIPPED
from rebalance_proofs.recorded.packages import conform
from rebalance_proofs.recorded.packages.__main__ import FILE, RELEASED, entry, updated
from rebalance_proofs.recorded.packages.conform import NULLS, conform_package, shipped_by
from rebalance_proofs.recorded.packages.install import Installed, package
from rebalance_proofs.report import package as told

ALI_ONS = package("ali-ons==3.12.0")
SMALL = 3
FEW = conform.lists()[::40]


def conformed(fault: str, limit: float = 30.0, asked=FEW):
    folder = Path(__file__).parent
    installed = Installed((sys.executable, "fake.py", fault), folder)
    return conform_package(ALI_ONS, installed, bound=SMALL, limit=limit, asked=asked)


@pytest.fixture(autouse=True)
def importable(monkeypatch):
    """The fake driver runs in another folder, and imports this package."""
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[3]))


def test_correct_driver_agrees():
    found = conformed("none")
    assert found.differ == 0
    (averagely,) = found.strategies
    assert (averagely.name, averagely.left_out) == ("AVG", 0)
    assert averagely.calls > 100
    assert [(one.name, one.calls) for one in found.sorts] == [(conform.QUEUES, len(FEW)), (conform.IDS, len(FEW))]
    assert told.verdict(found) == f"Same as the model in all {averagely.calls} calls and {2 * len(FEW)} lists"
    document = told.document(ALI_ONS, found)
    Draft202012Validator(told.schema()).validate(document)
    assert document["agrees"]


def test_whole_queues_are_compared_by_value():
    assert conformed("whole queues").differ == 0


@pytest.mark.parametrize(
    ("fault", "client", "model"),
    [
        ("last queue", "gives []", "gives [0]"),
        ("reversed", "gives [1, 0]", "gives [0, 1]"),
        ("other message", "throws Error: currentCID is blank", "throws Error: currentCID is empty"),
        ("null for empty", "returns null", "gives []"),
        ("foreign queue", "gives [elsewhere:0]", "gives [0]"),
    ],
)
def test_wrong_share_is_found(fault, client, model):
    found = conformed(fault)
    (averagely,) = found.strategies
    assert (averagely.smallest.client, averagely.smallest.model) == (client, model)
    assert not any(one.smallest for one in found.sorts)
    assert told.verdict(found) == "DIFFERS FROM THE MODEL: AVG"
    Draft202012Validator(told.schema()).validate(told.document(ALI_ONS, found))


@pytest.mark.parametrize(
    ("fault", "name", "line"),
    [
        (
            "bytes",
            conform.IDS,
            "cidAll ['\ue000', '😀']: the client sorts ['\ue000', '😀'], the model sorts ['😀', '\ue000']",
        ),
        ("ids as text", conform.QUEUES, "the client sorts [T 'b' 10, T 'b' 2], the model sorts [T 'b' 2, T 'b' 10]"),
        ("no duplicates", conform.QUEUES, "the client sorts [T 'b' 0], the model sorts [T 'b' 0, T 'b' 0]"),
    ],
)
def test_wrong_order_is_found(fault, name, line):
    found = conformed(fault, asked=conform.lists())
    wrong = [one for one in found.results if one.smallest]
    assert [one.name for one in wrong] == [name]
    assert line.replace("\ue000", "\\ue000") in told.line(wrong[0]).replace("\ue000", "\\ue000")
    Draft202012Validator(told.schema()).validate(told.document(ALI_ONS, found))


def test_order_of_sorted_lists_counts():
    asked = [((MessageQueue("T", "b", 0),), ("😀", "Ａ"))]
    assert [one.differ for one in conformed("none", asked=asked).sorts] == [0, 0]
    assert [one.differ for one in conformed("bytes", asked=asked).sorts] == [0, 1]


@pytest.mark.parametrize(
    ("fault", "client"),
    [
        ("hangs", "has not returned after 2 s"),
        ("dies", "ends its process with status 7: out of luck"),
        ("garbage", "writes into the pipe that carries its results"),
    ],
)
def test_driver_that_fails_is_found_and_replaced(fault, client):
    found = conformed(fault, limit=2.0 if fault == "hangs" else 30.0)
    (averagely,) = found.strategies
    assert averagely.smallest.client == client
    assert averagely.calls == 3 * PATIENCE  # each process answers two calls
    assert averagely.left_out > 0
    assert f"{averagely.left_out:,} skipped" in told.line(averagely)
    assert [one.smallest.client for one in found.sorts] == [client, client]


def test_missing_strategy_is_a_difference():
    (averagely,) = conformed("absent").strategies
    assert (averagely.calls, averagely.differ) == (0, 1)
    assert (averagely.smallest.client, averagely.smallest.model) == ("has no such strategy", "ships it")


def test_constructor_that_throws_is_a_difference():
    (averagely,) = conformed("constructor").strategies
    assert (averagely.smallest.client, averagely.smallest.model) == ("throws Error: no", "constructs it")


def test_sort_orders_that_cannot_be_called_are_named():
    folder = Path(__file__).parent
    installed = Installed((sys.executable, "fake.py", "none"), folder, unsorted="no such field")
    found = conform_package(ALI_ONS, installed, bound=1)
    assert found.sorts == ()
    assert found.not_compared == (NULLS, "order of queues and order of client ids: no such field")
    assert "not compared: order of queues and order of client ids: no such field" in told.notes(ALI_ONS, found)
    document = told.document(ALI_ONS, found)
    Draft202012Validator(told.schema()).validate(document)
    assert entry(ALI_ONS, found)["compared"]["sorts"] == 0


def test_lists_tell_orders_apart():
    """Some list is sorted differently by UTF-16 units and bytes, by numbers and texts, with and without duplicates."""
    for profile in (GO, RUST_1_0):
        assert any(NODE.sort_client_ids(ids) != profile.sort_client_ids(ids) for _, ids in conform.lists())
        assert any(NODE.sort_queues(queues) != profile.sort_queues(queues) for queues, _ in conform.lists())
    assert any(len({*queues}) < len(queues) for queues, _ in conform.lists())
    assert any(len({*ids}) < len(ids) for _, ids in conform.lists())
    pairs = [queues for queues, _ in conform.lists() if len(queues) == 2]
    assert (MessageQueue("T", "b", 10), MessageQueue("T", "b", 2)) in pairs


@pytest.mark.parametrize("words", RELEASED)
def test_every_strategy_of_the_model_is_compared(words):
    one = package(words)
    some = shipped_by(one.kind.client, one.kind.profile)
    assert {shipped.strategy for shipped in some} == {of.rocketmq_name for of in one.kind.profile.strategies}
    assert all(shipped in SHIPPED for shipped in some[: len(SHIPPED) - 4])


def test_results_of_other_packages_stay_in_the_file():
    go, node = (entry(package(words), conformed("none", asked=FEW[:1])) for words in ("go==v2.1.2", "ali-ons==3.12.0"))
    other = node | {"differ": 5}
    assert updated([node, go], [other]) == [go, other]
    assert updated([], [node, go]) == [go, node]


def test_results_file_has_the_released_packages():
    found = json.loads(FILE.read_text(encoding="utf-8"))
    assert found["format"] == 1
    named = [f"{one['name']}=={one['version']}" for one in found["packages"]]
    assert {*RELEASED} < {*named} == {*RELEASED, "rocketmq-client-rust==1.0.0"}
    for one in found["packages"]:
        assert one["differ"] == 0
        assert one["compared"]["sorts"] == 2 * len(conform.lists())
        kind = package(f"{one['name']}=={one['version']}").kind
        assert one["compared"]["strategies"] == len(shipped_by(kind.client, kind.profile))
        assert one["known_differences"] == [*kind.differs]
