"""``rebalance conform --cluster``: accepted, rejected and unreadable recordings of groups."""

import gzip
import json
import shutil
from collections.abc import Callable
from contextlib import nullcontext
from importlib import import_module
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from rebalance_proofs.recorded.groups.run import BEGINNING, FOLDER
from rebalance_proofs.recorded.grpc.check import SHIPPED
from rebalance_proofs.report.cluster import schema
from rebalance_proofs.report.rejected import FIRST

SMALL = FOLDER / "java-4.9.8" / "x_start_threw"
Lines = list[dict[str, object]]


@pytest.fixture
def copied(tmp_path) -> Callable[..., Path]:
    """A copy of the smallest scenario in a folder of its release; ``edit`` changes the lines of one file."""

    def copy(who: str = "c0", edit: Callable[[Lines], object] = lambda lines: None, name: str = "one") -> Path:
        folder = tmp_path / "java-4.9.8" / name
        shutil.copytree(SMALL, folder, ignore=shutil.ignore_patterns("logs"))
        file = folder / f"{who}.jsonl.gz"
        lines = [json.loads(line) for line in gzip.decompress(file.read_bytes()).splitlines()]
        edit(lines)
        file.write_bytes(gzip.compress("".join(f"{json.dumps(line)}\n" for line in lines).encode(), 1))
        return tmp_path

    return copy


@pytest.mark.parametrize("more", [(), ("--client", "5.5")])
def test_recording_of_grpc_members_is_refused_with_its_command(call, more):
    folder = SHIPPED / "grpc_crash"
    called = call("conform", "--cluster", str(folder), *more)
    assert (called.status, called.out) == (2, "")
    said = "is a recording of gRPC members; read it with `rebalance record --read` instead of conform"
    assert called.err == f"rebalance: {folder} {said}\n"


def test_real_group_recording_is_accepted(call):
    called = call("conform", "--cluster", str(SMALL))
    assert called.status == 0
    first, verdict, *how = called.out.splitlines()
    assert first.startswith("ok  x_start_threw: 621 events of Java 4.9.8; ")
    assert verdict == "Accepted: 1 trace, 621 events"
    assert how == [
        "settling, registry, ordered, pulls, subscriptions, offsets: by behaviours of the declared machine",
        "allocation, transition: by runs of the client's code in the model",
        "trace, requests: by monitors of single events",
    ]


@pytest.mark.parametrize(
    ("many", "more", "used"),
    [
        (2, (), []),
        (1, ("--jobs", "3"), ["local[3]"]),
        (2, ("--master", "local[5]"), ["local[5]"]),
        (1, ("--master", "local[5]"), ["local[5]"]),
    ],
)
def test_many_recordings_are_checked_on_spark(call, monkeypatch, many, more, used):
    masters = []
    module = import_module("rebalance_proofs.cli.cluster")
    monkeypatch.setattr(module, "MANY", many)
    monkeypatch.setattr(
        "rebalance_proofs.spark_enum.session.spark_session", lambda master: nullcontext(masters.append(master))
    )
    monkeypatch.setattr(
        "rebalance_proofs.spark_enum.groups.on_spark", lambda session, asked, keep: module.here(asked, 1, keep)
    )
    called = call("conform", "--cluster", str(SMALL), *more)
    assert (called.status, masters) == (0, used)
    assert "Accepted: 1 trace, 621 events" in called.out


def test_cluster_json_matches_its_schema(call, copied):
    called = call("conform", "--cluster", str(copied(edit=_another_share)), "--json")
    assert called.status == 1
    document = json.loads(called.out)
    Draft202012Validator(schema()).validate(document)
    assert not document["accepted"]
    (trace,) = document["traces"]
    rejected = {one["machine"]: one["rejected"] for one in trace["machines"] if not one["accepted"]}
    assert rejected["allocation"][0]["file"] == "c0.jsonl.gz"
    assert rejected["allocation"][0]["why"].startswith("AVG gives [")


def _another_share(lines: Lines) -> None:
    event = next(line for line in lines if line["ev"] == "allocate")
    event["result"] = event["result"][1:]  # type: ignore[index]


def test_unexplained_line_is_reported_with_its_position(call, copied):
    called = call("conform", "--cluster", str(copied(edit=_another_share)))
    assert called.status == 1
    told = next(line for line in called.out.splitlines() if line.startswith("    allocation, c0: c0.jsonl.gz:"))
    assert " ms: AVG gives [" in told
    assert "NOT ACCEPTED: 1 of 1 trace: java-4.9.8/one" in called.out.splitlines()


def test_recording_with_a_missing_line_is_not_accepted(call, copied):
    called = call("conform", "--cluster", str(copied(edit=lambda lines: lines.pop(40))))
    assert called.status == 1
    assert '"n" is 41, but the process has no earlier line 40' in called.out


def test_scenario_folders_are_found_at_any_depth(call, copied):
    copied(name="one")
    called = call("conform", "--cluster", str(copied(name="deep/er/two")), "--jobs", "2")
    assert called.status == 0
    assert [line.split(":")[0] for line in called.out.splitlines()[:2]] == [
        "ok  java-4.9.8/deep/er/two",
        "ok  java-4.9.8/one",
    ]


def test_unknown_events_and_fields_are_reported(call, copied):
    def more(lines: Lines) -> None:
        lines.append({**lines[-1], "ev": "weather", "n": len(lines)})
        lines[5]["colour"] = "red"

    called = call("conform", "--cluster", str(copied(edit=more)))
    assert called.status == 0
    assert "    not checked, unknown to the format: weather (1)" in called.out.splitlines()
    assert 'has "colour" (1)' in called.out


@pytest.mark.parametrize("name", ["java-4.9.8", "mine"])
def test_unknown_driver_events_are_reported(call, copied, tmp_path, name):
    """Also where only the driver's start events name the release."""

    def more(lines: Lines) -> None:
        lines.append({**lines[-1], "ev": "weather"})
        start = next(line for line in lines if line["ev"] == "start-consumer")
        start |= {"colour": "red", "client": "49"}

    folder = (copied(who="driver", edit=more) / "java-4.9.8").rename(tmp_path / name)
    called = call("conform", "--cluster", str(folder))
    assert (called.status, called.err) == (0, "")
    assert "    not checked, unknown to the format: weather (1)" in called.out.splitlines()
    assert 'has "colour" (1)' in called.out


def test_truncated_files_print_one_sentence(call, copied):
    folder = copied()
    file = folder / "java-4.9.8" / "one" / "c0.jsonl.gz"
    whole = file.read_bytes()
    file.write_bytes(whole[: len(whole) // 2])
    called = call("conform", "--cluster", str(folder))
    assert called.status == 2
    assert called.err.startswith(f"rebalance: {file}, line ")
    assert "damaged gzip stream" in called.err
    assert called.err.count("\n") == 1
    file.write_bytes(gzip.compress(b'{"at": 1, '))
    called = call("conform", "--cluster", str(folder))
    assert called.status == 2
    assert "c0.jsonl.gz, line 1: not JSON" in called.err
    file.write_bytes(gzip.compress(b"[" * 100_000))
    for command in (("conform", "--cluster"), ("record", "--read")):
        called = call(*command, str(folder / "java-4.9.8" / "one"))
        assert (called.status, called.err) == (2, f"rebalance: {file}, line 1: nested too deeply\n")


LOST: dict[str, Callable[[Path], object]] = {
    "deleted": Path.unlink,
    "no bytes": lambda file: file.write_bytes(b""),
    "no lines": lambda file: file.write_bytes(gzip.compress(b"")),
    "unknown events": lambda file: file.write_bytes(gzip.compress(_unknown(file.name.partition(".")[0]))),
}
"""How a process's file is lost -> function that does it."""


def _unknown(who: str) -> bytes:
    line = {"at": 1_795_462_060_000, "who": who, "ev": "weather", "n": 0}
    return f"{json.dumps(line)}\n".encode()


@pytest.mark.parametrize("lost", LOST)
@pytest.mark.parametrize("who", ["b0", "c0", "p"])
def test_recording_without_a_started_process_is_refused(call, copied, who, lost):
    folder = copied() / "java-4.9.8" / "one"
    LOST[lost](folder / f"{who}.jsonl.gz")
    said = f"rebalance: {folder}: {who} has no events, but the driver started it; the recording is not complete\n"
    called = call("conform", "--cluster", str(folder))
    assert (called.status, called.out, called.err) == (2, "", said)
    if lost != "unknown events":  # this reader refuses them
        called = call("record", "--read", str(folder))
        assert (called.status, called.out, called.err) == (2, "", said)


def test_recording_without_all_members_is_refused(call, tmp_path):
    folder = tmp_path / "java-4.9.8" / "one"
    shutil.copytree(FOLDER / "java-4.9.8" / "c2_ordered_long", folder, ignore=shutil.ignore_patterns("c*", "logs"))
    for command in (("conform", "--cluster"), ("record", "--read")):
        called = call(*command, str(folder))
        assert (called.status, called.out) == (2, "")
        assert "c0 has no events, but the driver started it" in called.err


@pytest.mark.parametrize("signal", ["SIGKILL", "SIGSTOP"])
@pytest.mark.parametrize(("after", "status"), [(BEGINNING - 1, 0), (BEGINNING, 2)])
def test_process_that_was_killed_at_once_may_have_no_events(call, copied, signal, after, status):
    def killed(lines: Lines) -> None:
        at = next(line["at"] for line in lines if line["ev"] == "start-consumer")
        assert isinstance(at, int)
        lines.insert(-2, {"at": at, "who": "driver", "ev": "start-consumer", "of": "c1", "id": "c1", "ms": 20})
        lines.insert(-2, {"at": at + after, "who": "driver", "ev": "signal", "of": "c1", "signal": signal})

    called = call("conform", "--cluster", str(copied("driver", killed)))
    assert called.status == status
    assert ("c1 has no events" in called.err) == (status == 2)


@pytest.mark.parametrize("damage", [lambda at: at * 1000, lambda at: 10**30], ids=["times 1000", "10^30"])
def test_damaged_time_is_refused(call, copied, damage):
    def damaged(lines: Lines) -> None:
        lines[5]["at"] = damage(lines[5]["at"])

    folder = copied(edit=damaged) / "java-4.9.8" / "one"
    for command in (("conform", "--cluster"), ("record", "--read")):
        called = call(*command, str(folder))
        assert (called.status, called.out) == (2, "")
        assert called.err.startswith(f'rebalance: {folder / "c0.jsonl.gz"}, line 6: "at" is 1')
        assert called.err.endswith(", the driver's first event\n")


def test_folder_without_a_recording_is_reported(call, tmp_path):
    assert call("conform", "--cluster", str(tmp_path / "none")).err.endswith("No such file or directory\n")
    called = call("conform", "--cluster", str(tmp_path))
    assert called.status == 2
    assert "contains no recording; a recording is a folder with driver.jsonl" in called.err


def test_unknown_release_is_reported(call, tmp_path):
    shutil.copytree(SMALL, tmp_path / "mine", ignore=shutil.ignore_patterns("logs"))
    called = call("conform", "--cluster", str(tmp_path))
    assert called.status == 2
    assert "or name a folder above it like java-5.3.3" in called.err
    assert call("conform", "--cluster", str(tmp_path), "--client", "4.9.8").status == 0
    assert "is not a Java client" in call("conform", "--cluster", str(tmp_path), "--client", "go").err


def test_release_reported_by_a_consumer_is_used(call, copied, tmp_path):
    def says(lines: Lines) -> None:
        lines.append({**lines[-1], "ev": "release", "n": len(lines), "rocketmq": "V4_9_8", "java": "17.0.15"})
        for key in lines[-1].keys() - {"at", "who", "ev", "n", "rocketmq", "java"}:
            del lines[-1][key]

    mine = (copied(edit=says) / "java-4.9.8").rename(tmp_path / "mine")
    called = call("conform", "--cluster", str(mine))
    assert called.status == 0
    assert called.out.startswith("ok  one: 622 events of Java 4.9.8; ")


def test_exclusive_options_are_refused(call):
    assert "--cluster does not go with --vectors" in call("conform", "--cluster", str(SMALL), "--java").err
    assert "--master needs --cluster" in call("conform", "--master", "local[1]").err


@pytest.mark.spark
@pytest.mark.slow
def test_spark_gives_the_same_verdicts(call, copied):
    copied(name="one")
    folder = copied(name="two", edit=_another_share)
    here, there = (
        json.loads(call("conform", "--cluster", str(folder), "--json", *more).out)
        for more in ((), ("--master", "local[2]"))
    )
    for document in (here, there):
        for one in document["traces"]:
            one.pop("seconds")
    assert here == there


def test_report_has_a_picture_of_unexplained_lines(call, copied, tmp_path):
    file = tmp_path / "page.html"
    called = call("conform", "--cluster", str(copied(edit=_another_share)), "--report", str(file))
    assert called.status == 1
    assert called.out.splitlines()[-1] == f"Written: {file}"
    text = file.read_text(encoding="utf-8")
    assert text.startswith(FIRST)
    assert "NOT ACCEPTED: 1 of 1 trace: java-4.9.8/one" in text
    assert '<svg class="figure"' in text
    assert "<h3>allocation, c0</h3>" in text
    assert call("conform", "--cluster", str(SMALL), "--report", str(file)).status == 0
    assert "<svg" not in file.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (("--report", "page.html"), "--report needs --cluster DIR: the page is about recorded groups"),
        (("--cluster", str(SMALL), "--report", "none/page.html"), "the folder 'none' does not exist"),
        (("--cluster", str(SMALL), "--report", "mine.html"), "already exists, and this command did not write it"),
    ],
)
def test_unwritable_report_prints_one_sentence(call, tmp_path, monkeypatch, asked, said):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.html").write_text("<p>mine</p>", encoding="utf-8")
    called = call("conform", *asked)
    assert (called.status, called.out) == (2, "")
    assert said in called.err
    assert called.err.count("\n") == 1
    assert (tmp_path / "mine.html").read_text(encoding="utf-8") == "<p>mine</p>"
