"""``rebalance record`` with a simulated Java and with existing recordings."""

import gzip
import hashlib
import importlib
import json
import os
import re
import shutil
import signal
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest
from jsonschema import Draft202012Validator

from rebalance_proofs.recorded.cache import CACHE
from rebalance_proofs.recorded.groups.driver import (
    Artifact,
    Calm,
    Failed,
    Partition,
    Reset,
    RunEnd,
    Signal,
    StartBroker,
    Topics,
)
from rebalance_proofs.recorded.groups.run import FOLDER, Run, of_kind
from rebalance_proofs.recorded.grpc.check import SHIPPED
from rebalance_proofs.recorded.grpc.scenarios import SCENARIOS
from rebalance_proofs.recorded.live.artifacts import PARTS
from rebalance_proofs.recorded.live.draw import draw
from rebalance_proofs.recorded.live.jvms import Jvms
from rebalance_proofs.recorded.live.read import load, names
from rebalance_proofs.report.live.told import schema
from tests.cli.process import left, started
from tests.recorded.live.fakes import jars, java_home

record = importlib.import_module("rebalance_proofs.cli.record")
SCENARIO = """
about = "All that a driver does."
send = { rate = 50 }
patience = 1
steps = [
  { do = "join", of = "c0", then = 0.1 },
  { do = "ready", of = "c1" },
  { do = "join", of = ["c1", "c2"] },
  { do = "listener", of = "c0", ms = 5 },
  { do = "subscribe", of = "c0", topic = "T2" },
  { do = "unsubscribe", of = "c0", topic = "T2" },
  { do = "suspend", of = "c0", for = 0.05 },
  { do = "suspend", of = "c0" },
  { do = "unsuspend", of = "c0" },
  { do = "throw", of = "c0", where = "hook", times = 2 },
  { do = "queues", topic = "T1", to = 16 },
  { do = "delay", ms = 10, for = 0.05 },
  { do = "stop", of = "c1", for = 0.05 },
  { do = "start-broker", of = "b1" },
  { do = "freeze-broker", for = 0.05 },
  { do = "freeze-broker" },
  { do = "thaw-broker" },
  { do = "partition", for = 0.05 },
  { do = "reset", group = "G", topic = "T1", to = "first" },
  { do = "together", lanes = [[{ do = "kill", of = "c1" }], [{ do = "shutdown", of = "c2", linger = 0.05 }]] },
  { do = "kill-broker" },
  { do = "start-broker" },
  { do = "wait", then = 0.1 },
]
topics = { T1 = 8, T2 = 1 }
brokers = 2
[members]
c0 = {}
c1 = {}
c2 = {}
"""
LONG = """
about = "It takes long."
steps = [{ do = "join", of = "c0", then = 300 }]
[members]
c0 = {}
"""


@pytest.fixture
def pretended(tmp_path, monkeypatch) -> Path:
    """A folder with a scenario and a distribution; ``java`` is a stand-in, and a run is calm soon."""
    monkeypatch.setenv("JAVA_HOME", str(java_home(tmp_path / "java")))
    monkeypatch.setenv("TMPDIR", str(tmp_path / "tmp"))
    monkeypatch.setattr("rebalance_proofs.recorded.live.run.QUIET", 0.3)
    (tmp_path / "tmp").mkdir()
    jars(tmp_path / "lib")
    (tmp_path / "mine.toml").write_text(SCENARIO, encoding="utf-8")
    return tmp_path


def words(folder: Path, *more: str) -> list[str]:
    return [
        "record",
        "--scenario",
        str(folder / "mine.toml"),
        "--classpath",
        str(folder / "lib"),
        "--output",
        str(folder / "out"),
        *more,
    ]


def test_scenario_is_performed_recorded_and_reported(pretended, call):
    called = call(*words(pretended))
    assert called.status == 0, called.err
    assert "Messages that no listener received: none" in called.out
    assert called.out.rstrip().endswith("Every problem has a known cause")
    folder = pretended / "out" / "java-5.3.3" / "mine"
    run = Run(folder)
    assert {path.name for path in folder.iterdir()} == {
        *(f"{who}.jsonl.gz" for who in ("driver", "p", "b0", "b1", "c0", "c1", "c2")),
        "logs",
        "scenario.toml",
    }
    assert load(folder / "scenario.toml").steps == load(pretended / "mine.toml").steps
    driven = list(run.events("driver"))
    assert [type(event) for event in driven[-2:]] == [Calm, RunEnd]
    assert {(event.of, event.signal) for event in of_kind(driven, Signal)} == {
        ("c1", "SIGSTOP"),
        ("c1", "SIGCONT"),
        ("c1", "SIGKILL"),
        ("b0", "SIGKILL"),
        ("b0", "SIGSTOP"),
        ("b0", "SIGCONT"),
    }
    assert [event.held for event in of_kind(driven, Partition)] == [True, False]
    assert [(event.group, event.topic, event.timestamp) for event in of_kind(driven, Reset)] == [("G", "T1", 0)]
    began = [event.of for event in of_kind(driven, StartBroker)]
    assert began == ["b0", "b1", "b0"]  # b1 starts later, and then gets the topics
    later = next(event.at for event in of_kind(driven, StartBroker) if event.of == "b1")
    assert [event.spec for event in of_kind(driven, Topics) if event.at >= later] == ["T1:16", "T2:1"]
    assert not list((pretended / "tmp").iterdir())


def test_record_json_matches_its_schema_and_a_second_run_needs_overwrite(pretended, call):
    first = call(*words(pretended, "--json"))
    answer = json.loads(first.out)
    Draft202012Validator(schema()).validate(answer)
    assert (answer["runs"][0]["scenario"], answer["runs"][0]["calm"], answer["unexplained"]) == ("mine", True, 0)
    assert "already exists" in call(*words(pretended)).complaint
    assert call(*words(pretended, "--overwrite")).status == 0


def test_recording_goes_to_a_folder_below_the_working_directory_by_default(pretended, call, monkeypatch):
    monkeypatch.chdir(pretended)
    asked = words(pretended)
    del asked[asked.index("--output") :]
    called = call(*asked)
    assert called.status == 0, called.err
    run = Run(pretended / "runs" / "record" / "java-5.3.3" / "mine")
    assert {"b0", "c0", "p"} <= {event.who for event in run.events()}


def test_recording_of_a_release_names_its_jars_and_their_digests(pretended, call, monkeypatch):
    cache = pretended / "cache"
    monkeypatch.setenv(CACHE, str(cache))
    jars(cache / "5.3.3")
    for part in PARTS:
        (cache / "5.3.3" / f"rocketmq-{part}-5.3.3.jar").write_bytes((cache / "5.3.3" / "rocketmq.jar").read_bytes())
    plain = words(pretended)
    at = plain.index("--classpath")
    called = call(*plain[:at], "--release", "5.3.3", "--member-release", "c1=5.3.3", *plain[at + 2 :], "--json")
    assert called.status == 0, called.err
    answer = json.loads(called.out)
    Draft202012Validator(schema()).validate(answer)
    digest = hashlib.sha256((cache / "5.3.3" / "rocketmq.jar").read_bytes()).hexdigest()
    client, *servers = [f"rocketmq-{part}-5.3.3.jar" for part in PARTS]
    assert answer["runs"][0]["jars"] == [
        *({"name": name, "sha256": digest, "of": None} for name in (client, *servers)),
        {"name": client, "sha256": digest, "of": "c1"},
    ]
    assert "mine (RocketMQ 5.3.3, released jars): " in called.err
    driven = list(Run(pretended / "out" / "java-5.3.3" / "mine").events("driver"))
    assert [event.of for event in of_kind(driven, Artifact)] == [None, None, None, "c1"]
    call(*plain, "--overwrite")
    assert not of_kind(Run(pretended / "out" / "java-5.3.3" / "mine").events("driver"), Artifact)


def test_unread_messages_are_unexplained_and_end_the_wait(pretended, call, monkeypatch):
    monkeypatch.setenv("FAKE_READS", "nobody")
    called = call(*words(pretended))
    assert called.status == 1
    assert "NOT CALM" in called.out
    assert "UNEXPLAINED" in called.out.splitlines()[-1]


def test_never_option_turns_a_known_cause_into_a_failure(call):
    folder = str(FOLDER / "java-5.3.3" / "concurrent")
    assert call("record", "--read", folder).status == 0
    called = call("record", "--read", folder, "--never", "twice", "--never", "overlap")
    assert called.status == 1
    assert "--never twice: observed" in called.out
    assert "--never overlap" not in called.out


def test_process_that_fails_to_start_is_reported_with_its_output(pretended, call, monkeypatch):
    monkeypatch.setenv("FAKE_BROKER", "fails")
    called = call(*words(pretended))
    assert called.status == 2
    assert (
        "b0 ended with status 1 before its event 'broker-started': java.lang.IllegalStateException: no room"
        in called.err
    )
    driven = list(Run(pretended / "out" / "java-5.3.3" / "mine").events("driver"))
    assert of_kind(driven, Failed)
    assert not list((pretended / "tmp").iterdir())


@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGTERM, 143), (signal.SIGKILL, -9)], ids=["in order", "at once"]
)
def test_ended_recording_leaves_no_process(pretended, number, status):
    (pretended / "mine.toml").write_text(LONG, encoding="utf-8")
    with started(*words(pretended)) as process:
        for line in process.stdout:
            if "start-consumer" in line:
                break
        process.send_signal(number)
        process.communicate()
        assert process.returncode == status
    every = [Path(f"/proc/{pid}") for pid in os.listdir("/proc") if pid.isdecimal()]
    assert not [pid for pid in every if str(pretended) in _command(pid)]
    if number is not signal.SIGKILL:
        assert not left(process.pid)
        driven = list(Run(pretended / "out" / "java-5.3.3" / "mine").events("driver"))
        assert isinstance(driven[-1], RunEnd)
        assert of_kind(driven, Failed)


def _command(process: Path) -> str:
    try:
        return (process / "cmdline").read_text(encoding="utf-8")
    except OSError:
        return ""


def test_scenarios_are_listed(call):
    called = call("record")
    assert called.status == 0
    assert all(name in called.out for name in names())
    assert {one["name"] for one in json.loads(call("record", "--json").out)["scenarios"]} == {*names(), *SCENARIOS}


@pytest.mark.parametrize(
    ("more", "why"),
    {
        (
            "join_leave",
        ): "name RocketMQ's jars with --release VERSION, such as 5.5.0, or with --classpath: download a binary",
        ("join_leave", "--release", "5.5"): "--release '5.5' is not a release: name one such as 5.5.0 or 4.9.8",
        ("join_leave", "--release", "3.2.6"): "--release: version '3.2.6' is not covered; name a Java client version",
        ("join_leave", "--classpath", "{all}", "--member-release", "c1=6.0.0"): "--member-release: version '6.0.0' is",
        ("join_leave", "--release", "5.5.0", "--classpath", "x"): "--release and --classpath both name RocketMQ's jars",
        ("join_leave", "--release", "5.5.0", "--member-release", "c1"): "'c1' is not NAME=VERSION, such as c1=4.9.8",
        ("join_leave", "--release", "5.5.0", "--member-release", "c9=5.4.0"): "there are c0, c1, c2",
        ("join_leave", "--classpath", "/nowhere/*"): "names jars in '/nowhere', which is not a folder",
        ("join_leave", "--classpath", "@/nowhere"): "cannot read --classpath @/nowhere: No such file or directory",
        ("join_leave", "--classpath", "{empty}"): "--classpath does not contain DefaultMQPushConsumer",
        ("join_leave", "--classpath", "{client}"): "--classpath does not contain NamesrvStartup",
        (
            "join_leave",
            "--classpath",
            "{client}",
            "--broker-classpath",
            "{client}",
        ): "--broker-classpath does not contain Namesrv",
        ("join_leave", "--classpath", "{no_jar}"): "is neither a folder nor a jar",
        ("jion",): "unknown scenario 'jion'",
        ("--seed", "3"): "--seed needs --random N",
        ("--random", "0"): "0 is not in the range 1<=x<=1000",
        ("--scenario", "/nowhere"): "cannot read '/nowhere'",
        ("--read", "/nowhere"): "cannot read a recording from /nowhere",
        ("--read", "{empty}"): "is not a recording",
        ("join_leave", "join_leave", "--classpath", "{all}"): "two scenarios are called 'join_leave'",
        ("--never", "lost"): "'lost' is not one of",
    }.items(),
)
def test_invalid_record_calls_print_one_sentence(pretended, call, more, why):
    (pretended / "empty").mkdir()
    (pretended / "text").write_text("no jar", encoding="utf-8")
    places = {
        "empty": str(pretended / "empty"),
        "client": jars(pretended / "client", "org.apache.rocketmq.client.consumer.DefaultMQPushConsumer"),
        "no_jar": str(pretended / "text"),
        "all": str(pretended / "lib" / "*"),
    }
    called = call("record", *(word.format(**places) for word in more))
    assert called.status == 2
    assert why in called.complaint


def test_record_without_java_is_refused(pretended, call, monkeypatch):
    monkeypatch.setenv("JAVA_HOME", str(pretended / "none"))
    assert "record needs Java, which was not found under JAVA_HOME" in call(*words(pretended)).complaint


@pytest.mark.parametrize(
    ("version", "said"),
    [("1.7.0_80", "record needs Java 8 or newer, but "), ("1.8.0_402", "does not contain DefaultMQPushConsumer")],
)
def test_record_needs_java_8_and_a_client(version, said, pretended, call, monkeypatch):
    monkeypatch.setenv("JAVA_HOME", str(pretended))
    (pretended / "bin").mkdir()
    (pretended / "bin" / "java").write_text(f"#!/bin/sh\necho 'java version \"{version}\"' >&2\n", encoding="utf-8")
    (pretended / "bin" / "java").chmod(0o755)
    for jar in (pretended / "lib").iterdir():
        ZipFile(jar, "w").close()
    assert said in call(*words(pretended)).complaint


def test_requested_number_of_random_scenarios_is_generated(call, monkeypatch):
    numbers = []

    def drawn(seed, number):
        numbers.append((seed, number))
        return draw(seed, number)

    monkeypatch.setattr(record, "draw", drawn)
    assert "name RocketMQ's jars with --release" in call("record", "--random", "3", "--seed", "7").complaint
    assert numbers == [(7, 1), (7, 2), (7, 3)]


def test_releases_come_from_the_cache_and_a_member_can_have_its_own(pretended, call, monkeypatch):
    monkeypatch.setenv(CACHE, str(pretended / "cache"))
    used = {}
    start = Jvms.start

    def begun(jvms, who, main, arguments, distribution, megabytes, props):
        used[who] = Path(distribution.typed.split(os.pathsep)[0]).parent.name
        start(jvms, who, main, arguments, distribution, megabytes, props)

    monkeypatch.setattr(Jvms, "start", begun)
    for version in ("5.5.0", "5.4.0", "4.9.8"):
        jars(pretended / "cache" / version)
        for part in PARTS:
            (pretended / "cache" / version / f"rocketmq-{part}-{version}.jar").write_bytes(_empty_jar())
    more = ("--release", "5.5.0", "--broker-release", "5.4.0", "--member-release", "c1=4.9.8")
    called = call("record", "--scenario", str(pretended / "mine.toml"), "--output", str(pretended / "out"), *more)
    assert called.status == 0, called.err
    assert used == {
        "ns": "5.4.0",
        "b0": "5.4.0",
        "b1": "5.4.0",
        "p": "5.5.0",
        "c0": "5.5.0",
        "c1": "4.9.8",
        "c2": "5.5.0",
    }


def _empty_jar() -> bytes:
    content = BytesIO()
    ZipFile(content, "w").close()
    return content.getvalue()


def test_foreign_folder_is_not_replaced(pretended, call):
    other = pretended / "out" / "java-5.3.3" / "mine"
    other.mkdir(parents=True)
    (other / "letter").write_text("dear", encoding="utf-8")
    assert "is not a recording, so it stays" in call(*words(pretended, "--overwrite")).complaint
    assert (other / "letter").read_text(encoding="utf-8") == "dear"


def test_failing_scenario_is_shrunk(pretended, call, monkeypatch):
    monkeypatch.setenv("FAKE_READS", "nobody")
    called = call(*words(pretended, "--shrink", "1"))
    assert called.status == 1
    assert "mine: fails with " in called.out.splitlines()[-1]
    folder = pretended / "out" / "java-5.3.3"
    assert {path.name for path in folder.iterdir()} == {"mine", "mine_shrunk"}
    assert len(load(folder / "mine_shrunk" / "scenario.toml").steps) < len(
        load(folder / "mine" / "scenario.toml").steps
    )


GRPC = SHIPPED / "grpc_two_topics"


def test_recording_with_grpc_members_is_read(call):
    called = call("record", "--read", str(GRPC))
    assert called.status == 0
    assert "p1 (gRPC Python 5.1.1): " in called.out
    assert called.out.rstrip().endswith("Every step is the model's")
    answer = json.loads(call("record", "--read", str(GRPC), "--json").out)
    Draft202012Validator(schema()).validate(answer)
    (run,) = answer["runs"]
    assert {"who": "p1", "queue": "T1:b0:-1", "loops": 3, "requests": 3} in run["loops"]
    assert run["releases"] == {"p0": "5.1.1", "p1": "5.1.1", "p2": "5.1.2", "j0": "5.2.0", "x": "5.5.0"}


def test_several_receive_loops_name_the_known_fault(call):
    said = call("record", "--read", str(GRPC)).out
    known = " (known fault: receiving.python_v5_1_1.one-loop)"
    loops = re.findall(r"receive loops: (\d+), concurrent requests: \d+(.*)", said)
    assert {(number == "1", more) for number, more in loops} == {(True, ""), (False, known)}


def test_damaged_recording_with_grpc_members_is_refused(tmp_path, call):
    shutil.copytree(GRPC, tmp_path / "damaged")
    (tmp_path / "damaged" / "p.jsonl.gz").unlink()
    called = call("record", "--read", str(tmp_path / "damaged"))
    assert (called.status, called.out) == (2, "")
    assert "p has no events, but the driver started it" in called.complaint


def test_step_that_the_model_excludes_fails_the_command(tmp_path, call):
    shutil.copytree(GRPC, tmp_path / "altered")
    path = tmp_path / "altered" / "driver.jsonl.gz"
    text = gzip.decompress(path.read_bytes()).decode()
    path.write_bytes(gzip.compress(text.replace('"version": "5.1.1"', '"version": "5.1.2"').encode()))
    called = call("record", "--read", str(tmp_path / "altered"))
    assert called.status == 1
    assert "T1:b0:-1 has 2 receive loops, and 1 in the model" in called.out
    assert called.out.rstrip().endswith("events that the model excludes")
    assert call("record", "--read", str(tmp_path / "altered"), "--json").status == 1


def test_grpc_scenarios_refuse_options_of_other_scenarios(call):
    assert "grpc_join needs --release VERSION" in call("record", "grpc_join").complaint
    refused = ["--classpath", "--broker-classpath", "--broker-release", "--member-release"]
    for option in refused:
        said = call("record", "grpc_join", "--release", "5.5.0", option, "c1=5.3.3").complaint
        assert f"grpc_join has gRPC members, which {option} does not concern" in said
    assert "--never does not concern gRPC members" in call("record", "--read", str(GRPC), "--never", "twice").complaint
    assert "RocketMQ has a proxy from 5.0.0 on" in call("record", "grpc_join", "--release", "4.9.8").complaint
    assert "is not a release" in call("record", "grpc_join", "--release", "new").complaint
    assert "two scenarios are called 'grpc_join'" in call("record", "grpc_join", "grpc_join").complaint
