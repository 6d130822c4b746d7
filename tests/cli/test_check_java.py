"""``rebalance check --java``: a strategy in Java, including the generated test."""

import json
import os
import shlex
import shutil
import signal
import subprocess
from contextlib import suppress
from pathlib import Path
from time import sleep

import pytest
from jsonschema import Draft202012Validator

from rebalance_proofs.report.own.page import schema
from tests.cli.process import started
from tests.javac import compiled

pytestmark = pytest.mark.usefixtures("light")
JUNIT = Path(__file__).parents[1] / "report" / "own" / "junit"
SMALL = ("--queues", "3", "--consumers", "2")


@pytest.fixture
def check(call, java_classes):
    def run(*arguments: str):
        return call("check", "--java", "acme.Deals", "--classpath", java_classes, *arguments)

    return run


def test_java_strategy_is_checked(check):
    called = check("--arg", "1", *SMALL, "--json")
    assert called.status == 0
    document = json.loads(called.out)
    Draft202012Validator(schema()).validate(document)
    assert (document["strategy"]["name"], document["strategy"]["language"]) == ("acme.Deals", "java")
    assert len(document["strategy"]["sha256"]) == 64
    holds = {row["name"]: row["holds"] for row in document["rows"]}
    assert {
        name: holds[name] for name in ("returns", "repeats", "inside", "disjoint", "covers", "balanced")
    } == dict.fromkeys(("returns", "repeats", "inside", "disjoint", "covers", "balanced"), "holds")
    assert holds["contiguous"] == "broken"


def test_broken_guarantee_has_a_command_to_reproduce_it(check, call):
    called = check("--arg", "2", *SMALL, "--json")
    assert called.status == 1
    (covers,) = (row for row in json.loads(called.out)["rows"] if row["name"] == "covers")
    command = shlex.split(covers["smallest"]["reproduce"])
    assert command[:4] == ["rebalance", "check", "--java", "acme.Deals"]
    again = call(*command[1:], "--all")
    assert again.status == 1
    assert "1 consumer, 2 queues: queue 1 has no consumer." in again.out


WRONG = {
    "throws": (
        "agreed/plain/3x4",
        "returns",
        "The call of c0 throws java.lang.IllegalStateException: three is a crowd (Deals.java:31).",
    ),
    "exits": ("agreed/plain/3x4", "returns", "The call of c1 ends its process with status 0."),
    "goes by addresses": ("agreed/plain/1x16", "repeats", "in a repeated call"),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_failure_is_reported_with_its_call(check, wrong):
    group, name, said = WRONG[wrong]
    called = check("--arg", "1", "--arg", wrong, "--group", group, "--all")
    assert called.status == 1
    assert f"  BROKEN         {name}: " in called.out
    assert said in called.out


def ran(file: Path, classes: str) -> dict[str, str]:
    """The tests of a file, and what came of each."""
    shutil.copytree(JUNIT, file.parent, dirs_exist_ok=True)
    compiled(file.parent, file.parent, "-cp", classes)
    call = ["java", "-cp", f"{file.parent}:{classes}", "Run", file.stem]
    said = subprocess.run(call, capture_output=True, encoding="utf-8", check=True).stdout
    return dict(line.split() for line in said.splitlines())


def test_strategy_that_ends_its_process_is_reported_with_its_call(check):
    """Later members of the group are not called any more."""
    called = check("--arg", "1", "--arg", "exits always", "--queues", "2", "--consumers", "3", "--all")
    assert called.status == 1
    assert "  BROKEN         returns: " in called.out
    assert "3 consumers, 1 queue: The call of c0 ends its process with status 3.  [agreed/plain/3x1]" in called.out


def test_written_java_test_fails_until_the_strategy_is_fixed(check, java_classes, tmp_path):
    file = tmp_path / "source" / "DealsTest.java"
    file.parent.mkdir()
    names = "returns,inside,disjoint,covers,sublist,balanced,shares,idle,served,contiguous"
    options = (*SMALL, "--holds", names, "--write-test", str(file))
    assert check("--arg", "2", *options).status == 1
    found = ran(file, java_classes)
    assert found == dict.fromkeys(found, "AssertionError")
    assert {name.rpartition("_")[0] for name in found} == {"covers", "shares", "contiguous"}
    file.write_text(file.read_text(encoding="utf-8").replace('parseInt("2")', 'parseInt("1")'), encoding="utf-8")
    assert [name for name, said in ran(file, java_classes).items() if said != "ok"] == []


def test_java_test_that_would_end_its_jvm_runs_the_command(check, tmp_path):
    file = tmp_path / "ExitsTest.java"
    group = ("--group", "agreed/plain/3x4")
    assert check("--arg", "1", "--arg", "exits", *group, "--write-test", str(file)).status == 1
    assert 'rebalance("check", "--java", "acme.Deals", "--classpath"' in file.read_text(encoding="utf-8")
    assert "strategy.allocate" not in file.read_text(encoding="utf-8")


def jvms(command: int) -> list[int]:
    """What a command has started that is busy: in a call, and not about to read that there is none."""
    found = []
    for entry in Path("/proc").iterdir():
        with suppress(OSError):
            stat = (entry / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()
            if int(stat[1]) == command and int(stat[11]) > 0.5 * os.sysconf("SC_CLK_TCK"):
                found.append(int(entry.name))
    return found


@pytest.mark.parametrize("times", [1, 2])
def test_sigterm_ends_the_jvm_and_removes_its_folder(java_classes, tmp_path, monkeypatch, times):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    mine = ("check", "--java", "acme.Deals", "--classpath", java_classes, "--arg", "1", "--arg", "loops")
    with started(*mine, "--limit", "60") as process:
        while not (found := jvms(process.pid)):
            assert process.poll() is None
            sleep(0.05)
        assert list(tmp_path.iterdir())
        for _ in range(times):
            process.send_signal(signal.SIGTERM)
        _, err = process.communicate()
    assert (process.returncode, err.strip()) == (143, "rebalance: ended by SIGTERM")
    assert list(tmp_path.iterdir()) == []
    for one in found:
        with pytest.raises(ProcessLookupError):
            os.kill(one, 0)


def test_command_in_a_java_test_uses_absolute_class_paths(check, tmp_path, java_classes, monkeypatch, call):
    monkeypatch.chdir(Path(java_classes).parent)
    file = tmp_path / "ExitsTest.java"
    typed = ("check", "--java", "acme.Deals", "--classpath", Path(java_classes).name, "--arg", "1", "--arg", "exits")
    assert call(*typed, "--group", "agreed/plain/3x4", "--write-test", str(file)).status == 1
    assert f'"--classpath", "{java_classes}"' in file.read_text(encoding="utf-8")


BAD_CALLS = {
    ("--java", "acme.Deals"): "--java needs --classpath JARS, the jars and folders that contain the class",
    ("mine.py:f", "--arg", "1"): "--classpath and --arg need --java: they are for strategies in Java",
    ("mine.py:f", "--classpath", "a.jar"): "--classpath and --arg need --java: they are for strategies in Java",
    ("--java", "", "--classpath", "."): "'' is not a class name; write it like com.acme.MyStrategy",
    ("--java", "acme.Deals", "--classpath", "no.jar"): "the classpath entry 'no.jar' does not exist",
}


@pytest.mark.parametrize("typed", BAD_CALLS)
def test_wrong_call_ends_with_one_sentence(call, typed):
    called = call("check", *typed)
    assert (called.status, called.complaint) == (2, f"rebalance: {BAD_CALLS[typed]}")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "acme.Deals has no constructor without arguments; it has Deals(int), Deals(int, String)"),
        (
            ("--arg", "2", *SMALL, "--write-test", "test_deals.py"),
            "'test_deals.py' is not the name of a Java test; write it like MyStrategyTest.java",
        ),
    ],
)
def test_impossible_option_ends_with_one_sentence(check, arguments, said):
    called = check(*arguments)
    assert called.status == 2
    assert called.err.strip().splitlines()[-1] == f"rebalance: {said}"
    assert called.out == ""
