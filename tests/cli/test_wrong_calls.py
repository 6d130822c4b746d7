"""Wrong calls that need a special environment: no Java, a closed port, help (others: bad_calls)."""

import socket
from pathlib import Path

import pytest

from rebalance_proofs.cli.commands import COMMANDS


def test_unreachable_master_is_named(call):
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        port = closed.getsockname()[1]
    called = call("verify", "--master", f"spark://127.0.0.1:{port}")
    assert called.status == 2
    assert f"no Spark master answers at spark://127.0.0.1:{port}" in called.complaint


@pytest.mark.parametrize("command", ["verify", "enumerate"])
def test_missing_java_prints_install_advice(call, command, monkeypatch):
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("JAVA_HOME", raising=False)
    called = call(command)
    assert called.status == 2
    assert "install Java 17" in called.complaint


@pytest.mark.parametrize("command", [("prove",), ("enumerate",), ("verify",), ("conform",)])
def test_unwritable_output_is_found_before_any_work(call, command, tmp_path: Path):
    file = tmp_path / "file"
    file.write_text("in the way", encoding="utf-8")
    called = call(*command, "--output", str(file / "below"))
    assert called.status == 2
    assert str(file) in called.complaint
    assert not called.out


@pytest.mark.parametrize("command", COMMANDS)
def test_repeated_option_is_refused(call, command):
    called = call(command, "--help", "--help")
    assert (called.status, called.out) == (2, "")
    assert called.complaint.endswith("--help is given 2 times; give it once")


def test_debug_prints_the_stack_trace(call):
    called = call("--debug", "prove", "nothing")
    assert called.status == 2
    assert "Traceback" in called.err


@pytest.mark.parametrize("command", ["list", "prove", "enumerate", "verify", "conform"])
def test_every_help_shows_an_example(call, command):
    called = call(command, "--help")
    assert called.status == 0
    assert f"rebalance {command}" in called.out.split("Examples:")[1]


def test_missing_command_prints_the_help(call):
    called = call()
    assert called.status == 2
    assert "Commands for operators of consumer groups:" in called.out
    assert not called.err


@pytest.mark.parametrize("command", ["prove", "enumerate", "verify", "conform"])
def test_every_help_explains_the_exit_status(call, command):
    assert "Exit status: 0 everything is as expected" in " ".join(call(command, "--help").out.split())


@pytest.mark.parametrize("command", ["list", "prove", "enumerate"])
def test_help_of_claim_commands_explains_wildcards(call, command):
    assert "* matches any text without a dot" in " ".join(call(command, "--help").out.split())
