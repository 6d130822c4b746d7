"""A third kind of claims is three rooms and three lines, and is in every output."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pyarrow.parquet as pq
import pytest

from tests.faults.tree import ROOT, copied

HERE = Path(__file__).parent
ROOMS = ("proofs", "spark_enum", "report")
LEDGER = """
from rebalance_proofs.proofs.ledger import select
from rebalance_proofs.report.ledger.claims import listed
print(listed("counting", select(["counting.**"])))
"""
HOLDS, FAILS = "counting.with-lock.nothing-lost", "counting.without-lock.nothing-lost"


@pytest.fixture(scope="module")
def tree(tmp_path_factory) -> Path:
    """A copy of the packages, with the three rooms and one line in each table of kinds."""
    tree = copied(ROOT, tmp_path_factory.mktemp("trial"))
    for room in ROOMS:
        shutil.copytree(HERE / room / "counting", tree / room / "counting")
        kinds = tree / room / "kinds.py"
        source = kinds.read_text(encoding="utf-8")
        name = f"from rebalance_proofs.{room}.counting.kind import COUNTING\n"
        head, table, rest = source.partition("] = {")
        first, end = head.index("\nfrom ") + 1, rest.index("}")
        known = f"{rest[:end].strip().removesuffix(',')}, "
        kinds.write_text(
            f'{head[:first]}{name}{head[first:]}{table}{known}"counting": COUNTING{rest[end:]}', encoding="utf-8"
        )
    return tree


def called(tree: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=tree.parent,
        env=os.environ | {"PYTHONPATH": str(tree.parent)},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def rebalance(tree: Path, *arguments: str) -> str:
    """What the command says, which has to be green, and quiet where Spark is not."""
    found = called(tree, "-m", "rebalance_proofs", *arguments)
    assert found.returncode == 0, found.stdout + found.stderr
    assert found.stderr == ""
    assert "WARN" not in found.stdout
    return found.stdout


def test_it_is_listed(tree):
    said = rebalance(tree, "list", "counting.**")
    assert "# Two workers that count\n" in said
    assert f"PROVED   {HOLDS}" in said
    assert f"REFUTED  {FAILS}" in said


def test_it_is_shown(tree):
    proved = rebalance(tree, "show", HOLDS)
    assert "next-step: A step keeps it well; in the end two are added." in proved
    assert "no-lock: The lock keeps nobody out. broken: " in proved
    refuted = rebalance(tree, "show", FAILS)
    assert "The smallest counterexample: 4 steps." in refuted
    assert "both have added one, and the counter is 1." in refuted
    assert "proofs/counting/nothing_lost.py" in refuted


def test_it_is_in_the_ledger(tree):
    page = called(tree, "-c", LEDGER)
    assert page.returncode == 0, page.stderr
    assert "## Two workers that count" in page.stdout
    assert f'<a id="{HOLDS}"></a>' in page.stdout


def test_a_run_of_the_solvers_has_it_in_every_form(tree, tmp_path):
    said = rebalance(tree, "prove", "counting.**", "--output", str(tmp_path))
    assert "All as expected" in said
    names = in_every_form(tmp_path)
    assert ("counting.with-lock", "nothing-lost") in names


@pytest.mark.spark
def test_its_rows_are_enumerated_and_a_digest_has_to_be_recorded(tree, tmp_path):
    command = ("-m", "rebalance_proofs", "enumerate", "counting.**", "--quick", "--parquet", "--output", str(tmp_path))
    assert f"digest of {HOLDS} at the quick bounds: none recorded required" in called(tree, *command).stdout
    every_row_is_there(tmp_path)


@pytest.mark.spark
@pytest.mark.slow
def test_a_run_of_all_witnesses_has_it_in_every_form(tree, tmp_path):
    output, first = tmp_path / "run", tmp_path / "first"
    unrecorded = called(tree, "-m", "rebalance_proofs", "enumerate", "counting.**", "--quick", "--output", str(first))
    assert f"digest of {HOLDS} at the quick bounds: none recorded required" in unrecorded.stdout
    recorded = called(tree, "-m", "rebalance_proofs.evidence.digests", str(first / "results.json"))
    assert recorded.stdout == "recorded: quick\n", recorded.stderr
    said = rebalance(tree, "verify", "counting.**", "--quick", "--no-vectors", "--parquet", "--output", str(output))
    assert "All as expected" in said
    names = in_every_form(output)
    assert ("counting.with-lock", "nothing-lost") in names
    assert ("transitions.schedules", HOLDS) in names or ("schedules", HOLDS) in names
    every_row_is_there(output)


def in_every_form(output: Path) -> set[tuple[str, str]]:
    """The names of the cases that its report for continuous integration has; the other forms are looked at here."""
    claims = {claim["id"]: claim for claim in json.loads((output / "results.json").read_text())["claims"]}
    assert claims[HOLDS]["verdict"] == "PROVED"
    assert claims[FAILS]["counterexample"]["schedule"] == [0, 1, 0, 1]
    trace = json.loads((output / "counterexamples" / f"{FAILS}.itf.json").read_text())
    assert [state["counter"] for state in trace["states"]] == [0, 0, 1, 1]
    cases = ElementTree.parse(output / "junit.xml").iter("testcase")
    names = {(case.get("classname"), case.get("name")) for case in cases}
    assert "Two workers that count" in (output / "summary.md").read_text()
    assert "Worker 1 goes; the counter is 1." in (output / "report.html").read_text()
    return names


def every_row_is_there(output: Path) -> None:
    """Of both subjects, as a table."""
    rows = pq.read_table(output / "parquet" / "schedules").to_pylist()
    assert len(rows) == 2 * (2**7 - 2)
    assert {row["subject"] for row in rows} == {"with-lock", "without-lock"}
