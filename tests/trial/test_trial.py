"""Three more lines make a declared machine a kind of claims that is in every output."""

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

from rebalance_proofs.report.results.json_results import schema
from tests.faults.tree import ROOT, copied

HERE = Path(__file__).parent
ROOMS = ("proofs", "spark_enum", "report")
MACHINE = HERE / "proofs" / "counting" / "machine.py"
MOST_LINES = 60
LEDGER = """
from rebalance_proofs.proofs.ledger import select
from rebalance_proofs.report.ledger.claims import listed
print(listed("counting", select(["counting.**"])))
"""
IMPORTS = """from rebalance_proofs.proofs.counting.kind import CONFIGURATION as COUNTING
from rebalance_proofs.spark_enum.counting.kind import CountingSteps

"""
HOLDS, FAILS = "counting.with-lock.nothing-lost", "counting.without-lock.nothing-lost"
SPACE = "with-lock counting"
SHOWN = 'shown = ["allocation.{avg,circle,room}.unread.without-same-subscription"'
CAUSES = "recorded/knowledge/causes/lists.toml"
"""One more line connects a claim with a cause of a symptom."""


@pytest.fixture(scope="module")
def tree(tmp_path_factory) -> Path:
    """A copy of the tree with the machine's three packages, and one line in each table of kinds."""
    tree = copied(ROOT, tmp_path_factory.mktemp("trial"))
    for room in ROOMS:
        shutil.copytree(HERE / room / "counting", tree / room / "counting")
        kinds = tree / room / "kinds.py"
        head, table, rows = kinds.read_text(encoding="utf-8").partition("] = Table(\n    {\n")
        row = f'        "counting": "rebalance_proofs.{room}.counting.kind.COUNTING",\n'
        known, end, rest = rows.partition("    }\n)\n")
        kinds.write_text(f"{head}{table}{known}{row}{end}{rest}", encoding="utf-8")
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


def test_trial_machine_is_short():
    assert len(MACHINE.read_text(encoding="utf-8").splitlines()) <= MOST_LINES


def test_page_shows_the_beginning_of_the_machine():
    page = (ROOT / "docs" / "how-to" / "add-a-kind.md").read_text(encoding="utf-8")
    (shown,) = re.findall("```python\n(.*?)```", page, re.DOTALL)
    assert shown == MACHINE.read_text(encoding="utf-8")
    assert page.index("```python") < page.index("\n## ")


def test_trial_kind_is_listed(tree):
    said = rebalance(tree, "list", "counting.**")
    assert "# Workers that count\n" in said
    assert f"PROVED   {HOLDS}" in said
    assert f"REFUTED  {FAILS}" in said


def test_trial_claim_is_shown(tree):
    proved = rebalance(tree, "show", HOLDS, "--all")
    assert "writes: It writes one more than it has read. The invariant is preserved." in proved
    assert "no-lock: the lock keeps nobody out broken: others." in proved
    refuted = rebalance(tree, "show", FAILS, "--all")
    assert "Smallest counterexample: 1 worker, 3 actions\n" in refuted
    assert "2 workers have added one, and the counter says 1." in refuted
    assert "proofs/counting/machine.py" in refuted


def test_trial_counterexample_is_replayed(tree):
    said = rebalance(tree, "replay", FAILS)
    assert "It writes one more than it has read" in said
    assert "2 workers have added one, and the counter says 1." in said


def test_trial_claim_is_evidence_for_a_cause(tree):
    told = rebalance(tree, "why", "not-subscribed")
    assert f"PROVED, not recorded: {HOLDS}" in told


def test_all_machine_tests_pass_for_the_trial_machine(tree):
    """Exception: mutants of workers without a lock, because nothing is proved about these workers."""
    place = tree.parent
    shutil.copytree(ROOT / "tests", place / "tests", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", place)
    registered = place / "tests" / "machines" / "registered.py"
    source = registered.read_text(encoding="utf-8")
    line = 'Declared("counting", COUNTING, CountingSteps, {"nothing-lost": 3}),'
    source = source.replace("MACHINES = (\n", f"{IMPORTS}MACHINES = (\n    {line}\n")
    registered.write_text(source, encoding="utf-8")
    command = ("-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", "slow or not slow", "tests/machines", "-k")
    asked = called(tree, *command, "counting and not (slip and without-lock)")
    assert asked.returncode == 0, asked.stdout


def test_trial_kind_is_in_the_ledger(tree):
    page = called(tree, "-c", LEDGER)
    assert page.returncode == 0, page.stderr
    assert "## Workers that count" in page.stdout
    assert f'<a id="{HOLDS}"></a>' in page.stdout


def test_prove_run_has_the_trial_kind_in_every_format(tree, tmp_path):
    said = rebalance(tree, "prove", "counting.**", "--output", str(tmp_path))
    assert "All as expected" in said
    names = in_every_form(tmp_path)
    assert ("counting.with-lock", "nothing-lost") in names


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
    assert ("counting.with-lock", "nothing-lost") in names
    assert ("counting.actions", SPACE) in names
    assert "324 actions of workers compared" in said
    assert "compared counting, 2 clients: 324 actions, all agree" in said
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
    assert "Workers that count" in (output / "summary.md").read_text(encoding="utf-8")
    assert "Another worker reads and writes." in (output / "report.html").read_text(encoding="utf-8")
    return names


def every_row_is_there(output: Path) -> None:
    """The table has every row of both subjects."""
    rows = pq.read_table(output / "parquet" / "counts").to_pylist()
    assert len(rows) == 2 * 3 * 54
    assert {row["subject"] for row in rows} == {"with-lock", "without-lock"}
