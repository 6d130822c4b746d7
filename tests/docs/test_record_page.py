"""The page on recording groups: its scenario is valid, and its tables have every kind of step and setting."""

import re
import tomllib
from dataclasses import fields
from pathlib import Path

from rebalance_proofs.recorded.live.read import names, own, scenario
from rebalance_proofs.recorded.live.scenario import Member
from rebalance_proofs.recorded.live.step import STEPS
from rebalance_proofs.report.live.told import HEADS, KINDS

PAGE = (Path(__file__).parents[2] / "docs" / "how-to" / "record-a-group.md").read_text(encoding="utf-8")


def table(head: str) -> set[str]:
    """The words in the first column of the table with that head."""
    rows = PAGE.partition(f"| {head} |")[2].partition("\n\n")[0].splitlines()[2:]
    return {word for row in rows for word in re.findall(r"`([^`]+)`", row.split(" | ")[0])}


def test_scenario_of_the_page_is_valid():
    (text,) = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    found = scenario(tomllib.loads(text), "mine")
    assert [step.do for step in found.steps] == ["join", "stop", "join"]
    assert found.members["c1"].mode == "ordered"


def test_tables_list_every_step_and_setting():
    assert table("step") == set(STEPS)
    assert table("key of a member") == {each.name.rstrip("_") for each in fields(Member)}


def test_page_names_every_finding():
    assert all(f"  {head}" in PAGE for head in HEADS.values())
    (listed,) = re.findall(r"The kinds for `--never` are ([^.]+)\.", PAGE)
    assert re.findall(r"`(\w+)`", listed) == list(KINDS)


def test_page_names_the_default_patience():
    assert f"`patience` ({own(names()[0]).patience:g} s)" in PAGE
