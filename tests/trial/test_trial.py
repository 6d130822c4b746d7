"""The machine that ``rebalance new-kind`` writes is a kind of claims that is in every output."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pyarrow.parquet as pq
import pytest
from jsonschema import Draft202012Validator

from rebalance_proofs.report.machine.declared import TABLES, write
from rebalance_proofs.report.results.json_results import schema
from tests.faults.tree import ROOT, copied

PAGE = Path("model", "machines", "counting.py")
MOST_LINES = 150
LEDGER = """
from rebalance_proofs.proofs.ledger import select
from rebalance_proofs.report.ledger import listed
print(listed("counting", select(["counting.**"])))
"""
HOLDS, FAILS = "counting.workers.nothing-lost", "counting.workers.nothing-lost.without-lock"
SPACE = "workers counting"
SHOWN = 'shown = ["allocation.{avg,circle,room}.unread.without-same-subscription"'
CAUSES = "recorded/knowledge/causes/lists.toml"
"""One more line connects a claim with a cause of a symptom."""


@pytest.fixture(scope="module")
def tree(tmp_path_factory) -> Path:
    """A copy of the tree with a new kind of claims, which a cause names."""
    tree = copied(ROOT, tmp_path_factory.mktemp("trial"))
    assert write(tree, "counting") == [PAGE, *(Path(folder, "kinds.py") for folder in TABLES)]
    causes = (tree / CAUSES).read_text(encoding="utf-8")
    assert causes.count(SHOWN) == 1
    (tree / CAUSES).write_text(causes.replace(SHOWN, f'{SHOWN}, "{HOLDS}"'), encoding="utf-8")
    for written in ("recorded.knowledge", "report.index"):
        wrote = called(tree, "-m", f"rebalance_proofs.{written}")
        assert wrote.returncode == 0, wrote.stderr
    return tree


def called(tree: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=tree.parent,
        env=os.environ | {"PYTHONPATH": str(tree.parent)},
        capture_output=True,
        encoding="utf-8",
        timeout=300,
        check=False,
    )


def rebalance(tree: Path, *arguments: str) -> str:
    """Output of a command that has to be green, and quiet unless it runs Spark."""
    found = called(tree, "-m", "rebalance_proofs", *arguments)
    assert found.returncode == 0, found.stdout + found.stderr
    assert found.stderr == ""
    assert " WARN " not in found.stdout
    return found.stdout


def test_new_page_is_short_and_formatted(tree):
    page = (tree / PAGE).read_text(encoding="utf-8")
    assert len(page.splitlines()) <= MOST_LINES
    assert "$" not in page
    for command in (("check",), ("format", "--check")):
        done = called(tree, "-m", "ruff", *command, "--config", str(ROOT / "pyproject.toml"), str(tree / PAGE))
        assert done.returncode == 0, done.stdout


def test_guide_shows_parts_of_the_new_page(tree):
    """Its examples are lines of the page."""
    guide = (ROOT / "docs" / "how-to" / "add-a-kind.md").read_text(encoding="utf-8")
    page = (tree / PAGE).read_text(encoding="utf-8")
    shown = re.findall("```python\n(.*?)```", guide, re.DOTALL)
    assert len(shown) >= 3
    assert [text for text in shown if text not in page] == []


def test_trial_kind_is_listed(tree):
    said = rebalance(tree, "list", "counting.**")
    assert "# Counting\n" in said
    assert f"PROVED   {HOLDS}" in said
    assert f"REFUTED  {FAILS}" in said


def test_trial_claim_is_shown(tree):
    proved = rebalance(tree, "show", HOLDS, "--all")
    assert "writes: The worker writes one more than it has read. The invariant is preserved." in proved
    assert "lags: a worker writes what it has read broken: writes." in proved
    refuted = rebalance(tree, "show", FAILS, "--all")
    assert "Smallest counterexample: 1 worker, 3 actions\n" in refuted
    assert "2 additions, but the counter says 1." in refuted
    assert PAGE.as_posix() in refuted


def test_trial_counterexample_is_replayed(tree):
    said = rebalance(tree, "replay", FAILS)
    assert "The worker writes one more than it has read" in said
    assert "2 additions, but the counter says 1." in said


def test_trial_claim_is_evidence_for_a_cause(tree):
    told = rebalance(tree, "why", "not-subscribed")
    assert f"PROVED, not recorded: {HOLDS}" in told


def test_all_machine_tests_pass_for_the_trial_machine(tree):
    place = tree.parent
    shutil.copytree(ROOT / "tests", place / "tests", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", place)
    registered = place / "tests" / "machines" / "registered.py"
    source = registered.read_text(encoding="utf-8")
    source = source.replace("MACHINES = (\n", 'MACHINES = (\n    paged("counting", {"nothing-lost": 3}),\n')
    registered.write_text(source, encoding="utf-8")
    command = ("-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", "slow or not slow", "tests/machines", "-k")
    asked = called(tree, *command, "counting")
    assert asked.returncode == 0, asked.stdout


def test_trial_kind_is_in_the_ledger(tree):
    page = called(tree, "-c", LEDGER)
    assert page.returncode == 0, page.stderr
    assert "## Counting" in page.stdout
    assert f'<a id="{HOLDS}"></a>' in page.stdout


def test_prove_run_has_the_trial_kind_in_every_format(tree, tmp_path):
    said = rebalance(tree, "prove", "counting.**", "--output", str(tmp_path))
    assert "All as expected" in said
    names = in_every_form(tmp_path)
    assert ("counting.workers", "nothing-lost") in names


@pytest.mark.spark
def test_trial_rows_are_enumerated_and_need_a_recorded_digest(tree, tmp_path):
    command = ("-m", "rebalance_proofs", "enumerate", "counting.**", "--quick", "--parquet", "--output", str(tmp_path))
    assert f"digest of {SPACE} at the quick bounds: none recorded required" in called(tree, *command).stdout
    every_row_is_there(tmp_path)


@pytest.mark.spark
@pytest.mark.slow
def test_verify_run_has_the_trial_kind_in_every_format(tree, tmp_path):
    output, first = tmp_path / "run", tmp_path / "first"
    unrecorded = called(tree, "-m", "rebalance_proofs", "enumerate", "counting.**", "--quick", "--output", str(first))
    assert f"digest of {SPACE} at the quick bounds: none recorded required" in unrecorded.stdout
    recorded = called(tree, "-m", "rebalance_proofs.evidence.digests", str(first / "results.json"))
    assert recorded.stdout == "recorded: quick\n", recorded.stderr
    said = rebalance(tree, "verify", "counting.**", "--quick", "--no-vectors", "--parquet", "--output", str(output))
    assert "All as expected" in said
    names = in_every_form(output)
    assert ("counting.workers", "nothing-lost") in names
    assert ("counting.actions", SPACE) in names
    assert "12 actions of workers compared" in said
    assert "compared counting, 1 client: 12 actions, all agree" in said
    every_row_is_there(output)


def in_every_form(output: Path) -> set[tuple[str, str]]:
    """Check the output in all forms; return the names of the test cases in its JUnit file."""
    claims = {
        claim["id"]: claim for claim in json.loads((output / "results.json").read_text(encoding="utf-8"))["claims"]
    }
    assert claims[HOLDS]["verdict"] == "PROVED"
    assert [one["action"] for one in claims[FAILS]["counterexample"]["actions"]] == ["reads", "others", "writes"]
    Draft202012Validator(schema()).validate(json.loads((output / "results.json").read_text(encoding="utf-8")))
    trace = json.loads((output / "counterexamples" / f"{FAILS}.itf.json").read_text(encoding="utf-8"))
    assert [state["value"] for state in trace["states"]] == [0, 0, 1, 1]
    cases = ElementTree.parse(output / "junit.xml").iter("testcase")
    names = {(case.get("classname"), case.get("name")) for case in cases}
    assert "Counting" in (output / "summary.md").read_text(encoding="utf-8")
    assert "Another worker reads and writes." in (output / "report.html").read_text(encoding="utf-8")
    return names


def every_row_is_there(output: Path) -> None:
    """The table has every row of both subjects."""
    rows = pq.read_table(output / "parquet" / "counting").to_pylist()
    assert len(rows) == 3 * 4
    assert {row["subject"] for row in rows} == {"workers"}
