"""Recorded results of explored groups: they exist, contradict no claim, and can be updated."""

import json
from dataclasses import replace
from runpy import run_module

import pytest
from click.testing import CliRunner

from rebalance_proofs.cli import explore as command
from rebalance_proofs.evidence.groups import TABLES, contradicted, record
from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.spark_enum.explorer.recorded import FILE, read
from rebalance_proofs.spark_enum.explorer.standard import QUICK, SUBJECTS

LITE = QUICK[-1]
HELD = "ordered.java_v5_2.exclusive"


def test_every_part_is_recorded():
    assert {*TABLES} == {*json.loads(FILE.read_text(encoding="utf-8"))}


@pytest.mark.parametrize("part", TABLES)
def test_every_group_is_recorded(part):
    recorded = read(part)
    assert [*recorded] == sorted(group.name for group in TABLES[part])
    for group in TABLES[part]:
        assert recorded[group.name].claims == group.claims
        assert recorded[group.name].watched == {name: watch.claims for name, watch in group.watches.items()}
        assert bool(recorded[group.name].settled) is group.settles
        assert not recorded[group.name].settled.startswith("not")


@pytest.mark.parametrize("part", TABLES)
def test_recorded_groups_contradict_no_claim(part):
    assert [contradicted(one) for one in read(part).values()] == [[]] * len(TABLES[part])


def test_trace_to_an_excluded_state_contradicts_its_claim():
    safe = next(one for one in read("quick").values() if HELD in one.watched.get("two-listeners", ()))
    assert safe.steps == {"two-listeners": None, "deadlock": None}
    assert contradicted(replace(safe, steps={"two-listeners": 11})) == [HELD]


def test_groups_are_recorded(tmp_path):
    file = tmp_path / "recorded.json"
    assert record(file, {"quick": [LITE], "larger": []}) == 1
    assert {*json.loads(file.read_text(encoding="utf-8"))} == {"quick", "larger"}
    assert read("quick", file) == {LITE.name: read("quick")[LITE.name]}
    assert read("larger", file) == {}


@pytest.mark.filterwarnings("ignore:.*found in sys.modules")
def test_groups_are_recorded_by_the_command_only(tmp_path, monkeypatch, capsys):
    file, where = tmp_path / "recorded.json", "rebalance_proofs.spark_enum.explorer"
    monkeypatch.setattr(f"{where}.recorded.FILE", file)
    monkeypatch.setattr(f"{where}.standard.QUICK", [LITE])
    monkeypatch.setattr(f"{where}.standard.LARGER", [])
    run_module("rebalance_proofs.evidence.groups", run_name="imported")
    assert not file.exists()
    run_module("rebalance_proofs.evidence.groups", run_name="__main__")
    assert read("quick", file) == {LITE.name: read("quick")[LITE.name]}
    assert capsys.readouterr().out == "recorded: 1 groups\n"


def test_contradiction_is_not_recorded(tmp_path, monkeypatch):
    file = tmp_path / "recorded.json"
    file.write_text("{}", encoding="utf-8")
    safe = next(group for group in QUICK if HELD in group.claims)
    found = replace(read("quick")[safe.name], steps={"two-listeners": 11})
    monkeypatch.setattr("rebalance_proofs.evidence.groups.gone_through", lambda group: (found, None))
    with pytest.raises(UsageError, match=r"reaches a state that ordered\.java_v5_2\.exclusive excludes"):
        record(file, {"quick": [safe]})
    assert file.read_text(encoding="utf-8") == "{}"


def test_missing_record_reads_as_empty(tmp_path):
    assert read("quick", tmp_path / "none.json") == {}


def test_group_name_is_its_explore_command(monkeypatch):
    """Its settings are parsed from the words as the command parses them."""
    asked = []

    def built(settings):
        asked.append(settings)
        raise UsageError("no further")

    monkeypatch.setattr(command, "SUBJECTS", {name: replace(one, build=built) for name, one in SUBJECTS.items()})
    for group in (one for part in TABLES.values() for one in part):
        CliRunner().invoke(command.explore_, group.name.split()[1:])
        assert asked.pop() == group.settings
