"""The strategies in the guides on checking and adding one work when the guides are followed."""

import asyncio
import os
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest

from rebalance_proofs.model.allocation import STRATEGIES, Strategy
from rebalance_proofs.proofs.allocation.claims import claims
from rebalance_proofs.proofs.claim import Verdict
from rebalance_proofs.proofs.prove import Options, prove
from rebalance_proofs.spark_enum.allocation.group_check import checks
from rebalance_proofs.spark_enum.allocation.space import Space
from tests.faults.tree import copied

ROOT = Path(__file__).parent.parent.parent
CHECKED = (ROOT / "docs" / "how-to" / "check-a-strategy.md").read_text(encoding="utf-8")
PAGE = ROOT / "docs" / "how-to" / "add-a-strategy.md"
PYTHON = re.compile(r"```python\n(.*?)```", re.DOTALL)
MINE, GUARANTEE, REPAIRED = PYTHON.findall(CHECKED)
SOURCE, REGISTERED = PYTHON.findall(PAGE.read_text(encoding="utf-8"))
SMALL = ("--queues", "4", "--consumers", "4")


def checked(folder: Path, source: str, *options: str) -> subprocess.CompletedProcess[str]:
    """Check a strategy in a folder that has nothing else, as a reader does who has only the page."""
    (folder / "mine.py").write_text(source, encoding="utf-8")
    command = [sys.executable, "-m", "rebalance_proofs", "check", "mine.py:allocate", *SMALL, *options]
    return subprocess.run(command, cwd=folder, capture_output=True, encoding="utf-8", check=False)


def test_own_guarantee_of_the_page_is_broken_by_a_strategy_without_zones(tmp_path):
    (tmp_path / "guarantees.py").write_text(GUARANTEE, encoding="utf-8")
    (tmp_path / "ids.txt").write_text("a-1\nb-1\n", encoding="utf-8")
    (tmp_path / "brokers.txt").write_text("a-broker\nb-broker\n", encoding="utf-8")
    names = ("--ids", "ids.txt", "--brokers", "brokers.txt")
    done = checked(tmp_path, REPAIRED, *names, "--property", "guarantees.py:zone_first")
    assert done.returncode == 1
    assert "property.zone_first" in done.stdout
    assert "has a queue of zone" in done.stdout


def test_strategy_with_a_mistake_fails_as_the_page_shows(tmp_path):
    done = checked(tmp_path, MINE)
    assert done.returncode == 1
    (verdict,) = re.findall(r"starts with the verdict \(`(.*?)`\)", CHECKED)
    assert done.stdout.startswith(f"{verdict}\n")


def test_repaired_strategy_passes(tmp_path):
    assert checked(tmp_path, REPAIRED).returncode == 0


def test_required_guarantees_are_those_of_the_page(tmp_path):
    done = checked(tmp_path, REPAIRED)
    (required,) = re.findall(r"^Required guarantees that hold: (.*)\.$", done.stdout, re.M)
    table = CHECKED.partition("| guarantee | meaning |\n")[2].partition("\n\n")[0]
    assert sorted(required.split(", ")) == sorted(re.findall(r"^\| `(\w+)` \|", table, re.M))


def test_registry_line_of_the_page_adds_one_strategy():
    registry = (ROOT / "model" / "allocation" / "__init__.py").read_text(encoding="utf-8")
    assert REGISTERED.replace("    ACTIVE_STANDBY,\n", "") in registry.replace("    ACTIVE_STANDBY,\n", "")


@pytest.fixture(scope="module")
def strategy():
    """The page's file as a module, with its strategy in the registry."""
    module = ModuleType("taken_from_the_page")
    sys.modules[module.__name__] = module
    exec(compile(SOURCE, str(PAGE), "exec"), module.__dict__)
    yield module.ACTIVE_STANDBY
    del sys.modules[module.__name__]


def others(strategy: Strategy) -> tuple[Strategy, ...]:
    """The registry, also where somebody has really followed the page."""
    return tuple(other for other in STRATEGIES if other.name != strategy.name)


def test_claims_of_the_added_strategy_have_the_expected_verdicts(strategy):
    registry = (*others(strategy), strategy)
    added = [claim for claim in claims(registry) if strategy in claim.subjects]
    results = asyncio.run(prove(added, Options()))
    assert [result.claim.id for result in results if not result.green] == []
    assert {result.verdict for result in results} == {Verdict.PROVED, Verdict.REFUTED}
    assert [mutant.killed for result in results for mutant in result.mutants] == [True]


def test_unclaimed_entry_avoids_an_unknown_verdict(strategy):
    """As the page says of a first attempt."""
    (claim,) = [
        claim
        for claim in claims((replace(strategy, unclaimed=frozenset()),))
        if claim.id == "allocation.standby.covers.without-distinct-ids"
    ]
    (result,) = asyncio.run(prove([claim], Options(jobs=1)))
    assert result.verdict is Verdict.UNKNOWN


def test_enumeration_of_the_added_strategy_agrees(strategy):
    own = [claim for claim in claims((strategy,)) if strategy in claim.subjects and not claim.world.dropped]
    (check,) = checks(own)
    rows = list(check(Space(check.world, 6, 6)))
    assert len(rows) == 36
    assert not any(row.mismatch for row in rows)


LOOK_AT_ALL = (
    "model/allocation/test_strategies.py",
    "model/profiles/test_profiles.py",
    "proofs/test_ledger.py",
    "proofs/test_prove_wrong_models.py",
    "proofs/allocation",
    "spark_enum/allocation/test_at_size.py",
    "spark_enum/allocation/test_check.py",
    "report/test_names.py",
    "docs/test_ledger_page.py",
    "docs/test_findings_page.py",
    "docs/test_proofs_page.py",
)
"""Tests that go through the registry, or through what is written about it."""


def test_tests_of_all_strategies_exist():
    assert not [path for path in LOOK_AT_ALL if not (ROOT / "tests" / path).exists()]


@pytest.mark.slow
def test_tests_of_all_strategies_pass_with_the_added_strategy(tmp_path):
    """In a copy of the tree: the file, the registration, and ``make docs``."""
    tree = copied(ROOT, tmp_path)
    for part in ("tests", "docs"):
        shutil.copytree(ROOT / part, tree / part)
    for file in ("README.md", "pyproject.toml", "Makefile"):
        shutil.copy(ROOT / file, tree)
    (tree / "model" / "allocation" / "active_standby.py").write_text(SOURCE, encoding="utf-8")
    registry = tree / "model" / "allocation" / "__init__.py"
    line, name = "    MACHINE_ROOM,\n)", "from rebalance_proofs.model.allocation.active_standby import ACTIVE_STANDBY\n"
    written = registry.read_text(encoding="utf-8")
    assert written.count(line) == 1
    first, rest = written.split("\n\n", 1)
    registry.write_text(
        f"{first}\n\n{name}{rest}".replace(line, "    MACHINE_ROOM,\n    ACTIVE_STANDBY,\n)"), encoding="utf-8"
    )
    called(tree, "rebalance_proofs.report.index")
    called(tree, "rebalance_proofs.report.ledger")
    called(tree, "rebalance_proofs.report.findings")
    called(tree, "pytest", "-q", "-m", "not slow and not spark", *(f"tests/{path}" for path in LOOK_AT_ALL))


def called(tree: Path, module: str, *arguments: str) -> str:
    """What it prints; raises ``AssertionError`` where it fails."""
    done = subprocess.run(
        [sys.executable, "-m", module, *arguments],
        cwd=tree,
        env=os.environ | {"PYTHONPATH": str(tree.parent)},
        capture_output=True,
        encoding="utf-8",
        timeout=1800,
    )
    assert done.returncode == 0, f"{done.stdout[-3000:]}{done.stderr[-3000:]}"
    return done.stdout
