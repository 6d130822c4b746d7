"""``rebalance explore``."""

import errno
import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from rebalance_proofs.report.explorer import told
from rebalance_proofs.report.index.entries import entry
from rebalance_proofs.spark_enum.explorer import sorted_file
from rebalance_proofs.spark_enum.explorer.standard import SUBJECTS
from tests.spark_enum.explorer.stuck import STUCK


def test_explore_prints_how_two_consumers_read_one_queue(call, tmp_path):
    page, traces = tmp_path / "explored.html", tmp_path / "traces"
    called = call("explore", "concurrent", "--report", str(page), "--itf", str(traces))
    assert called.status == 0
    assert called.err == ""
    assert "FOUND  two: Two consumers have a process queue of the same queue and read it." in called.out
    assert "Settled within 1 round" in called.out
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert sorted(file.name for file in traces.iterdir()) == [
        "concurrent.twice.itf.json",
        "concurrent.two.itf.json",
    ]
    assert json.loads((traces / "concurrent.two.itf.json").read_text(encoding="utf-8"))["#meta"]["format"] == "ITF"


def test_never_option_fails_the_run(call):
    called = call("explore", "concurrent", "--queues", "1", "--never", "two,skipped", "--no-settle")
    assert called.status == 1
    assert call("explore", "concurrent", "--queues", "1", "--never", "skipped", "--no-settle").status == 0


def test_finding_that_a_claim_excludes_fails_the_run(call, monkeypatch):
    asked = ("explore", "concurrent", "--queues", "1", "--no-settle")
    assert call(*asked).status == 0
    monkeypatch.setattr(told, "entry", lambda name: replace(entry(name), expected="PROVED"))
    assert call(*asked).status == 1


def test_explore_json_is_alone_on_stdout(call):
    called = call("explore", "ordered", "--queues", "1", "--unlock", "4", "--json")
    document = json.loads(called.out)
    assert document["settings"]["unlock"] == 4
    assert [watch["name"] for watch in document["never"]] == ["two-listeners", "deadlock"]
    assert document["settled"]["counted"] == "ticks"


def test_limited_levels_are_reported(call):
    document = json.loads(call("explore", "concurrent", "--levels", "3", "--json").out)
    assert not document["whole"]
    assert len(document["levels"]) == 3
    assert document["settled"] is None


def test_exploration_continues_from_stored_states(call, tmp_path):
    there = str(tmp_path / "states")
    part = json.loads(call("explore", "concurrent", "--levels", "9", "--states", there, "--json").out)
    whole = json.loads(call("explore", "concurrent", "--states", there, "--json").out)
    assert whole == json.loads(call("explore", "concurrent", "--json").out)
    assert whole["levels"][: len(part["levels"])] == part["levels"]
    called = call("explore", "concurrent", "--queues", "1", "--states", there)
    assert called.status == 2
    assert "queues" in called.complaint


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("concurent",), "'concurent' is not one of 'concurrent', 'ordered', 'lock-lite'"),
        (("ordered", "--messages", "2"), "the model ordered has no option --messages"),
        (
            ("ordered", "--fault", "crush"),
            "the model ordered has no fault 'crush'; its faults are crash, lost-notification",
        ),
        (("lock-lite", "--fault", "crash"), "the model lock-lite has no option --fault"),
        (("concurrent", "--client", "node"), "concurrent listeners of node are not modelled"),
        (("concurrent", "--client", "3.1"), "version '3.1' is not covered"),
        (("ordered", "--client", "node"), "has no locks of queues"),
        (("concurrent", "--strategy", "avgg"), "--strategy 'avgg' cannot be explored; name one of avg, circle"),
        (
            ("concurrent", "--never", "thrice"),
            "unknown bad state 'thrice'; the bad states of this model are two, twice, skipped, deadlock",
        ),
        (
            ("concurrent", "--never", ","),
            "--never ',' names no bad state; the bad states of this model are two, twice, skipped, deadlock",
        ),
        (("ordered", "--consumers", "0"), "0 is not in the range 1<=x<=8"),
        (("ordered", "--client", "5.1.4", "--unlock", "6"), "6 is not in the range 0<=x<=4"),
        (
            ("ordered", "--client", "go", "--lock", "2"),
            "--lock has no effect on Go",
        ),
        (
            ("ordered", "--client", "go", "--unlock", "4"),
            "--unlock has no effect on Go 2.1, which does not delay unlocks",
        ),
        (("ordered", "--memory", "1"), "1 is not in the range"),
    ],
)
def test_invalid_explore_call_prints_one_sentence(call, arguments, said):
    called = call("explore", *arguments)
    assert called.status == 2
    assert said in called.complaint


def test_too_large_group_is_refused_before_exploration(call, monkeypatch):
    monkeypatch.setattr("rebalance_proofs.cli.explore.estimated", lambda build, queues: pytest.fail("gone through"))
    called = call("explore", "concurrent", "--consumers", "2", "--queues", "16")
    assert (called.status, called.out) == (2, "")
    assert called.complaint == (
        "rebalance: the group of the model concurrent is too large, because a state needs more than 63 bits (21 states "
        "of members, and 13 or more of each of 16 queues); explore a smaller group"
    )


SMALL = ("explore", "concurrent", "--queues", "1", "--no-settle")


def full(*_):
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.fixture
def kept(call, tmp_path):
    """A folder with half of the levels of a small group."""
    there = tmp_path / "states"
    assert call(*SMALL, "--levels", "13", "--states", str(there)).status == 0
    return there


def contents(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def cut_short(folder):
    file = max(folder.glob("levels/*.npy"), key=lambda path: path.stat().st_size)
    os.truncate(file, file.stat().st_size - 8)


def changed(name, old, new):
    def change(folder):
        text = (folder / name).read_text(encoding="utf-8")
        assert old in text
        (folder / name).write_text(text.replace(old, new), encoding="utf-8")

    return change


@pytest.mark.parametrize(
    ("harm", "said"),
    [
        (cut_short, "were written; remove levels/0012.json and all later levels to continue"),
        (changed("levels/0003.json", '"states": ', '"states": 1'), "/levels/0003.json' has been changed since"),
        (changed("explored.json", '"concurrent"', '"ordered"'), "/explored.json' has been changed since"),
        (
            lambda folder: (folder / "explored.json").write_text("{", encoding="utf-8"),
            "/explored.json' is damaged, or no run wrote it",
        ),
        (lambda folder: (folder / "levels" / "0005.json").unlink(), "/levels/0005.json' is missing"),
    ],
    ids=["level", "its manifest", "manifest", "no manifest", "missing"],
)
def test_changed_states_are_reported_and_left_unchanged(call, kept, harm, said):
    harm(kept)
    before = contents(kept)
    called = call(*SMALL, "--states", str(kept))
    assert (called.status, called.out) == (2, "")
    assert said in called.complaint
    assert contents(kept) == before


@pytest.mark.parametrize(
    ("other", "said"),
    [
        (("ordered", "--queues", "1"), "is the folder of another exploration (model concurrent, not ordered)"),
        (("lock-lite", "--queues", "1"), "(model concurrent, not lock-lite)"),
        (("concurrent", "--queues", "1", "--fault", "crash"), "(faults [], not ['crash'])"),
    ],
)
def test_states_of_another_exploration_are_refused(call, kept, other, said):
    before = contents(kept)
    called = call("explore", *other, "--no-settle", "--states", str(kept))
    assert (called.status, called.out) == (2, "")
    assert said in called.complaint
    assert "name another folder" in called.complaint
    assert contents(kept) == before


def test_full_disk_keeps_the_previous_levels(call, tmp_path, monkeypatch):
    there = tmp_path / "states"
    writes, put = [], sorted_file.Written._put

    def fills(self, data):
        writes.append(1)
        (put if len(writes) < 40 else full)(self, data)

    with monkeypatch.context() as patch:
        patch.setattr(sorted_file.Written, "_put", fills)
        called = call(*SMALL, "--json", "--states", str(there))
    assert (called.status, called.out) == (2, "")
    assert "No space left on device; the " in called.complaint
    assert called.complaint.endswith(" levels before are stored there, and the same exploration continues with them")
    whole = call(*SMALL, "--json", "--states", str(there))
    assert (whole.status, whole.out) == (0, call(*SMALL, "--json").out)


@pytest.mark.parametrize("option", ["--report", "--itf"])
def test_findings_are_printed_if_they_cannot_be_written(call, tmp_path, monkeypatch, option):
    """Nor is an incomplete file left."""

    def fills(path, data):
        with open(path, "wb") as file:
            file.write(data[:9])
        full()

    monkeypatch.setattr(Path, "write_bytes", fills)
    place = tmp_path / "new"
    called = call(*SMALL, option, str(place))
    assert called.status == 2
    assert "FOUND  two: " in called.out
    assert ": No space left on device" in called.complaint
    assert contents(tmp_path) == {}


def test_traces_are_written_without_room_for_tables(call, tmp_path, monkeypatch):
    monkeypatch.setattr("rebalance_proofs.spark_enum.explorer.dataset.Dataset._write", full)
    called = call(*SMALL, "--itf", str(tmp_path / "ways"), "--parquet", str(tmp_path / "tables"))
    assert called.status == 2
    assert len(contents(tmp_path / "ways")) == 2


def test_states_folder_that_cannot_be_created_is_reported(call, tmp_path, monkeypatch):
    monkeypatch.setattr("rebalance_proofs.spark_enum.explorer.exploration._folder", full)
    called = call(*SMALL, "--states", str(tmp_path / "states"))
    assert (called.status, called.out) == (2, "")
    assert "cannot store states in" in called.complaint
    assert called.complaint.endswith(": No space left on device")


def test_never_deadlock_reports_states_without_a_move(call, monkeypatch):
    assert call(*SMALL, "--never", "deadlock").status == 0
    monkeypatch.setitem(SUBJECTS, "concurrent", STUCK)
    called = call(*SMALL, "--never", "deadlock")
    assert called.status == 1
    assert "FOUND  deadlock: No move is possible any more." in called.out


def test_unwritable_report_is_reported_before_exploration(call, tmp_path):
    called = call("explore", "concurrent", "--report", str(tmp_path / "none" / "page.html"))
    assert called.status == 2
    assert "does not exist" in called.complaint
    assert called.out == ""


def test_explore_report_overwrites_only_its_own_page(call, tmp_path):
    page = tmp_path / "page.html"
    for _ in range(2):
        assert call("explore", "concurrent", "--levels", "2", "--report", str(page)).status == 0
    page.write_text("mine", encoding="utf-8")
    called = call("explore", "concurrent", "--levels", "2", "--report", str(page))
    assert (called.status, called.out, page.read_text(encoding="utf-8")) == (2, "", "mine")
    assert "already exists, and this command did not write it" in called.complaint


@pytest.mark.parametrize("below", ["", "below", "below/it"])
def test_traces_folder_that_cannot_be_created_is_reported_first(call, tmp_path, below):
    (tmp_path / "file").write_text("mine", encoding="utf-8")
    called = call("explore", "concurrent", "--levels", "2", "--itf", str(tmp_path / "file" / below))
    assert (called.status, called.out) == (2, "")
    assert any(said in called.complaint for said in ("is a file", "file' is not a folder", "does not exist"))
