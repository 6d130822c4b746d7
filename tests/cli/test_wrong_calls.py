"""Wrong calls: one sentence on stderr that says what to do, exit status 2, nothing else."""

import socket
from pathlib import Path

import pytest


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("prove", "allocation.avg.disjiont"), "the nearest is 'allocation.avg.disjoint'"),
        (("prove", "nothing.*"), "unknown claim or name 'nothing.*'"),
        (("prove", "transition.java_v5_2.listener"), "the nearest is 'transition.java_v5_2.listener.push-orderly'"),
        (("list", "transition.*"), "(`rebalance list 'transition.**'` shows all)"),
        (("list", "allocation.circle.cover"), "'allocation.circle.covers'"),
        (("enumerate", "--queues", "0"), "the bound on queues has to be between 1 and 512, not 0"),
        (("enumerate", "--consumers", "-3"), "the bound on consumers has to be between 1 and 512, not -3"),
        (("verify", "--consumers", "1000000"), "the bound on consumers has to be between 1 and 512"),
        (("enumerate", "--queues", "many"), "'many' is not a valid integer"),
        (("verify", "--quick", "--thorough"), "--quick and --thorough exclude each other"),
        (("prove", "--jobs", "0"), "0 is not in the range"),
        (("prove", "--timeout", "-1"), "-1.0 is not in the range"),
        (("prove", "--timeout", "nan"), "'nan' is no number of seconds"),
        (("prove", "--timeout", "inf"), "inf is not in the range"),
        (("verify", "--master", ""), "'' names no master; without --master, Spark runs on this machine"),
        (("enumerate", "--master", "a\x1b[31m"), "\\x1b[31m"),
        (("conform", "--vectors", "no/\x1b[31m"), "no/\\u001b[31m"),
        (("prove", "--solver", "yices"), "'yices' is not one of"),
        (("prove", "--stability", "-1"), "-1 is not in the range"),
        (("prove", "--no-such-option"), "No such option"),
        (("no-such-command",), "No such command 'no-such-command'"),
        (("enumerate", "--parquet"), "name one with --output"),
        (("enumerate", "--master", "somewhere"), "'somewhere' is no Spark master URL"),
        (("conform", "--vectors", ""), "'' names no folder; without --vectors, the project's own are taken"),
        (("conform", "--vectors", " "), "' ' names no folder"),
        (("verify", "--vectors", ""), "'' names no folder"),
        (("verify", "--vectors", "no/such/directory"), "no/such/directory"),
        (("verify", "--vectors", "mine", "--no-vectors"), "--vectors and --no-vectors exclude each other"),
        (("conform", "--vectors", "no/such/directory"), "no/such/directory"),
    ],
)
def test_one_sentence_and_status_2(call, arguments, said):
    called = call(*arguments)
    assert called.status == 2
    assert said in called.complaint
    assert not called.out


def test_an_unreachable_master_is_named(call):
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        port = closed.getsockname()[1]
    called = call("verify", "--master", f"spark://127.0.0.1:{port}")
    assert called.status == 2
    assert f"no Spark master answers at spark://127.0.0.1:{port}" in called.complaint


@pytest.mark.parametrize("command", ["verify", "enumerate"])
def test_without_java_it_says_what_to_install(call, command, monkeypatch):
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("JAVA_HOME", raising=False)
    called = call(command)
    assert called.status == 2
    assert "install Java 17" in called.complaint


@pytest.mark.parametrize("command", [("prove",), ("enumerate",), ("verify",), ("conform",)])
def test_an_unwritable_output_is_found_before_any_work(call, command, tmp_path: Path):
    file = tmp_path / "file"
    file.write_text("in the way")
    called = call(*command, "--output", str(file / "below"))
    assert called.status == 2
    assert str(file) in called.complaint
    assert not called.out


def test_debug_shows_the_stack_trace(call):
    called = call("--debug", "prove", "nothing")
    assert called.status == 2
    assert "Traceback" in called.err


@pytest.mark.parametrize("command", ["list", "prove", "enumerate", "verify", "conform"])
def test_every_help_shows_an_example(call, command):
    called = call(command, "--help")
    assert called.status == 0
    assert f"rebalance {command}" in called.out.split("Example:")[1]


def test_without_a_command_it_shows_the_help(call):
    called = call()
    assert called.status == 2
    assert "Commands:" in called.out
    assert not called.err


@pytest.mark.parametrize("command", ["prove", "enumerate", "verify", "conform"])
def test_every_help_says_what_the_exit_status_means(call, command):
    assert "Exit status: 0 all as expected" in " ".join(call(command, "--help").out.split())


@pytest.mark.parametrize("command", ["list", "prove", "enumerate"])
def test_help_of_commands_that_take_claims_says_what_wildcards_mean(call, command):
    assert "* stands for any text without a dot" in " ".join(call(command, "--help").out.split())
