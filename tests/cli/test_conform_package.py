"""``rebalance conform --package``: the printed results, with a driver written for tests in place of a real package."""

import json
import sys
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from rebalance_proofs.cli import package as command
from rebalance_proofs.recorded.jar import shipped
from rebalance_proofs.recorded.packages import conform
from rebalance_proofs.recorded.packages.install import Installed
from rebalance_proofs.report import package as told
from rebalance_proofs.report import steps as told_steps

ROOT = Path(__file__).parents[2]


@pytest.fixture
def driver(monkeypatch):
    """Return a function that makes a driver with a fault the one of each package, with few calls and lists."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    few, some = conform.lists()[::40], [one for one in shipped.SHIPPED if one.strategy == "AVG"]
    monkeypatch.setattr(conform, "lists", lambda: few)
    monkeypatch.setattr(conform, "SHIPPED", some)
    monkeypatch.setitem(conform.conform_package.__kwdefaults__, "bound", 3)

    def use(fault: str) -> None:
        found = Installed((sys.executable, "fake.py", fault), ROOT / "tests" / "recorded" / "packages")
        monkeypatch.setattr(command, "installed", lambda package, begins: found)

    return use


def test_package_that_agrees_is_accepted(call, driver):
    driver("none")
    called = call("conform", "--package", "node==3.12.0")
    assert (called.status, called.err) == (0, "")
    lines = called.out.splitlines()
    assert lines[0] == "ali-ons 3.12.0 compared with the model node (ali-ons 3.12.0 (npm))"
    assert lines[1].startswith("ok  AVG: ")
    assert [line.partition(":")[0] for line in lines[2:4]] == ["ok  order of queues", "ok  order of client ids"]
    assert lines[4] == "not compared: null lists and null elements"
    assert lines[5].startswith("Same as the model in all ")


def test_package_that_differs_exits_with_status_1(call, driver):
    driver("bytes")
    called = call("conform", "--package", "ali-ons==3.12.0", "--json")
    assert called.status == 1
    document = json.loads(called.out)
    Draft202012Validator(told.schema()).validate(document)
    assert (document["client"], document["version"], document["agrees"]) == ("node", "3.12.0", False)
    assert "DIFFERS FROM THE MODEL: order of client ids" in called.err


@pytest.fixture
def steps_driver(monkeypatch):
    """Return a function that makes a driver of steps with a fault the one of each package."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT))

    def use(fault: str) -> None:
        found = Installed((sys.executable, "fake_steps.py", fault), ROOT / "tests" / "recorded" / "packages")
        monkeypatch.setattr(command, "installed", lambda package, begins: found)

    return use


def test_grpc_client_that_agrees_is_accepted(call, steps_driver):
    steps_driver("none")
    called = call("conform", "--package", "rocketmq-client-nodejs==1.0.8", "--steps", "2")
    assert (called.status, called.err) == (0, "")
    lines = called.out.splitlines()
    assert lines[:2] == [
        "rocketmq-client-nodejs 1.0.8 compared with the model receiving.node",
        "ok  assignment step: 97 sequences of 2 steps, all agree",
    ]
    assert lines[2].startswith("Same as the model in all 97 sequences of 2 steps (")


def test_grpc_client_that_differs_exits_with_status_1(call, steps_driver):
    steps_driver("two loops")
    called = call("conform", "--package", "rocketmq-client-nodejs==1.0.8", "--steps", "2", "--json")
    assert called.status == 1
    document = json.loads(called.out)
    Draft202012Validator(told_steps.schema()).validate(document)
    assert (document["model"], document["sequences"], document["agrees"]) == ("node", 97, False)
    answers = ({"step": "answer", "topic": "T", "queues": [1]}, {"step": "answer", "topic": "U", "queues": [0]})
    assert document["smallest"]["steps"] == [*answers]
    assert (
        "the smallest: answer T [1], answer U [0]: the client has T 1 with 2 loops, U 0 with 1 loop, the model has "
        "T 1 with 1 loop, U 0 with 1 loop\n"
    ) in called.err


def test_other_internals_are_refused(call, steps_driver):
    steps_driver("internals")
    called = call("conform", "--package", "rocketmq-client-nodejs==1.0.8")
    assert called.status == 2
    assert called.err == (
        "rebalance: --package rocketmq-client-nodejs==1.0.8 cannot be compared: its PushConsumer has no method scan\n"
    )


WRONG = {
    ("--package", "ali-ons"): "--package 'ali-ons' has no version: name one, such as ali-ons==3.12.0",
    ("--package", "foo==1"): "--package 'foo==1' is not a known client: name one of ",
    ("--package", ""): "--package '' is not a known client: name one of ",
    ("--package", "java==x"): "--package 'java==x' has no valid version: name one, such as rocketmq-client==5.5.0",
    ("--package", "rocketmq-python-client==5.0.6"): (
        "--package rocketmq-python-client==5.0.6 is not modelled: name one of 5.0.9, 5.1.1, 5.1.2"
    ),
    ("--package", "go==2.1.2", "--steps", "2"): "--steps needs --package with a gRPC client; github.com",
    ("--steps", "2"): "--steps needs --package with a gRPC client",
    ("--package", "go==2.1.2", "--java"): "--package does not go with --java; leave these out",
    (
        "--package",
        "go==2.1.2",
        "--classpath",
        "x",
        "--client",
        "5.3",
    ): "--package does not go with --classpath or --client",
}


@pytest.mark.parametrize("typed", WRONG)
def test_wrong_call_is_one_sentence(call, typed):
    called = call("conform", *typed)
    assert (called.status, called.out) == (2, "")
    assert called.err.startswith(f"rebalance: {WRONG[typed]}")
    assert called.err.count("\n") == 1


@pytest.mark.parametrize(("words", "tool"), [("go==2.1.2", "go"), ("java==5.5.0", "Maven (the command mvn)")])
def test_missing_tool_is_one_sentence(call, monkeypatch, tmp_path, words, tool):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("REBALANCE_CACHE", str(tmp_path / "cache"))
    called = call("conform", "--package", words)
    assert called.status == 2
    assert f" needs {'the command ' if tool == 'go' else ''}{tool}" in called.err
    assert called.err.count("\n") == 1


def test_java_package_without_java_names_the_package(call, monkeypatch, tmp_path):
    monkeypatch.setattr(command, "released", lambda *_, **__: str(tmp_path))
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "none"))
    (tmp_path / "rocketmq-client.jar").touch()
    called = call("conform", "--package", "java==5.5.0")
    assert called.status == 2
    assert "--package rocketmq-client==5.5.0 needs Java, which was not found under JAVA_HOME" in called.err
