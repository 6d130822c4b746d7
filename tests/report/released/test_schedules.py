"""The runner of random schedules: what it records and keeps, and how it continues."""

import json
import shutil
import time
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from rebalance_proofs.recorded.groups.run import shipped
from rebalance_proofs.report.released import schedules
from rebalance_proofs.report.released.schedules import MIXED, main, planned

RELEASES = ("4.9.8", "5.3.3", "5.5.0")


class Commands:
    """Stands in for the commands: a recording is the scenario's file, and some are rejected."""

    def __init__(self, rejected=()):
        self.said = []
        self._rejected = rejected

    def answer(self, *words):
        self.said.append(words)
        if words[0] == "record" and "--scenario" in words:
            file, into = (words[words.index(option) + 1] for option in ("--scenario", "--output"))
            name = file.rpartition("/")[2].removesuffix(".toml")
            folder = Path(into) / "java-x" / name
            folder.mkdir(parents=True)
            shutil.copy(file, folder / "scenario.toml")
            return {}
        name = words[-1].rpartition("/")[2] if words[0] == "record" else words[2].rpartition("/")[2]
        wrong = name in self._rejected
        first = [{"why": "no rule explains it"}] if wrong else []
        trace = {"events": 7, "machines": [{"machine": "pulls", "rejected": first}]}
        pause = {"kind": "pause", "words": "it waits", "cause": None, "not_rocketmq": None, "rejected": None}
        run = {"ms": 1000, "unexplained": int(wrong), "seen": [pause] if wrong else []}
        return {"traces": [trace], "runs": [run]}

    def end(self):
        pass


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Calls the runner, whose commands are stand-ins."""

    def call(commands, *more, against=None):
        monkeypatch.setattr(schedules, "Commands", lambda: commands)
        monkeypatch.setattr(schedules, "contradicted", lambda folder, release: (against or {}).get(folder.name, {}))
        return main(["--recordings", str(tmp_path), "--each", "1", "--mixed", "1", "--seed", "4", *more])

    return call


def test_releases_take_turns_and_numbers_differ():
    plan = list(planned(RELEASES, 4, 2, 1))
    assert [one.release for one in plan] == [*RELEASES, MIXED, *RELEASES]
    assert len({one.number for one in plan}) == len(plan)
    assert [one.servers for one in plan[:3]] == ["4.9.7", "5.3.3", "5.5.0"]
    assert {member.release for member in plan[3].scenario.members.values()} <= set(RELEASES)


def test_finished_schedules_are_not_recorded_again(run, tmp_path, capsys):
    assert run(Commands()) == 0
    rows = json.loads((tmp_path / "schedules.json").read_text(encoding="utf-8"))
    assert [row["release"] for row in rows] == [*RELEASES, MIXED]
    assert all(row["events"] == 7 and row["steps"] and len(row["load"]) == 2 for row in rows)
    assert "5.3.3: 1 schedule, 1 accepted, 0 UNEXPLAINED" in capsys.readouterr().out
    again = Commands()
    assert run(again) == 0
    assert again.said == []


def test_interrupted_runner_continues_with_the_next_schedule(run, tmp_path, capsys):
    assert run(Interrupted(after=2)) == 130
    assert capsys.readouterr().out.endswith("Interrupted. Run the same command to continue.\n")
    again = Commands()
    assert run(again) == 0
    assert sum("--scenario" in words for words in again.said) == 2
    assert len(json.loads((tmp_path / "schedules.json").read_text(encoding="utf-8"))) == 4


class Interrupted(Commands):
    """A third recording is interrupted, while an earlier one is judged."""

    def __init__(self, after):
        super().__init__()
        self._left = after

    def answer(self, *words):
        if "--scenario" in words:
            self._left -= 1
            if self._left < 0:
                raise KeyboardInterrupt
        if words[0] == "conform":
            time.sleep(0.2)  # the interruption comes while this recording is judged
        return super().answer(*words)


def test_rejected_and_unexplained_schedules_fail_and_are_judged_again(run, tmp_path, capsys):
    assert run(Commands(rejected=["random_4_2"])) == 1
    out = capsys.readouterr().out
    assert "5.3.3 random_4_2: 1 s, 7 events, REJECTED by pulls, 1 problem UNEXPLAINED (pulls: no rule" in out
    again = Commands()
    assert run(again, "--judge") == 0
    assert not any("--scenario" in words for words in again.said)
    assert "0 UNEXPLAINED" in capsys.readouterr().out


def test_page_has_the_first_and_the_present_score(run, tmp_path, capsys):
    run(Commands(rejected=["random_4_2"]))
    assert run(Commands(), "--judge") == 0
    assert run(Commands(rejected=["random_4_3"]), "--judge") == 1
    capsys.readouterr()
    assert main(["--page", "--file", str(tmp_path / "schedules.json")]) == 0
    out = capsys.readouterr().out
    lines = [[cell.strip() for cell in line.split("|")[1:-1]] for line in out.splitlines() if line.startswith("|")]
    found = {line[0]: (line[1], *line[4:]) for line in lines[2:]}
    assert found["4.9.8"] == ("1", "1", "1", "0", "1", "0")
    assert found["5.3.3"] == ("1", "0", "1", "0", "1", "0")
    assert found["5.5.0"] == ("1", "1", "0", "1", "1", "0")
    assert found["all"] == ("4", "3", "3", "1", "4", "0")
    assert found["4"] == found["all"]
    assert "- 5.5.0, random_4_3: pulls: no rule explains it" in out


def test_contradicted_claim_fails_and_is_on_the_page(run, tmp_path, capsys):
    claim = "pulls.java_v5_3_3.rests"
    assert run(Commands(), against={"random_4_2": {claim: 3}}) == 1
    assert f"every problem explained ({claim} is contradicted 3 times)" in capsys.readouterr().out
    assert main(["--page", "--file", str(tmp_path / "schedules.json")]) == 0
    out = capsys.readouterr().out
    assert f"- 5.3.3, random_4_2: {claim} is contradicted 3 times" in out
    assert "| all | 4 | 0 | 28 | 4 | 4 | 0 | 4 | 3 |" in out


def test_recording_is_examined_by_the_monitors(monkeypatch):
    folder = shipped("java-4.9.8", "x_start_threw").folder
    assert schedules.contradicted(folder, "4.9.8") == {}
    whole = schedules.monitored
    lost = partial(replace, bad=((1_000, None),))
    monkeypatch.setattr(schedules, "monitored", lambda trace: [lost(one) for one in whole(trace) if one.claims])
    assert schedules.contradicted(folder, "4.9.8")


@pytest.mark.parametrize(
    ("text", "why"),
    [("{", "is not a table of schedules"), ('[{"release": "5.3.3", "speed": 1}]', "unexpected keyword")],
)
def test_damaged_table_is_reported(text, why, run, tmp_path, capsys):
    (tmp_path / "schedules.json").write_text(text, encoding="utf-8")
    with pytest.raises(SystemExit) as caught:
        run(Commands())
    assert caught.value.code == 2
    assert why in capsys.readouterr().err
