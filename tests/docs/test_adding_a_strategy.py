"""The strategy of docs/how-to/check-a-strategy.md, taken from the page, works when the page is followed."""

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
PAGE = ROOT / "docs" / "how-to" / "check-a-strategy.md"
MINE, SOURCE, _ = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)


def test_the_strategy_with_a_mistake_is_found_as_the_page_says(tmp_path):
    """In an empty folder, as somebody does it who has only the page."""
    (tmp_path / "mine.py").write_text(MINE, encoding="utf-8")
    command = [
        sys.executable,
        "-m",
        "rebalance_proofs",
        "check",
        "mine.py:allocate",
        "--queues",
        "4",
        "--consumers",
        "4",
    ]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    shown = re.search(
        r"```\n(BROKEN: .*?)\.\.\.\n(covers: .*?)\.\.\.\n```", PAGE.read_text(encoding="utf-8"), re.DOTALL
    )
    assert done.stdout.startswith(shown[1])
    assert f"\n\n{shown[2]}\n" in done.stdout


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


def test_every_claim_comes_out_as_claimed(strategy):
    registry = (*others(strategy), strategy)
    added = [claim for claim in claims(registry) if strategy in claim.subjects]
    results = asyncio.run(prove(added, Options()))
    assert [result.claim.id for result in results if not result.green] == []
    assert {result.verdict for result in results} == {Verdict.PROVED, Verdict.REFUTED}
    assert [mutant.killed for result in results for mutant in result.mutants] == [True]


def test_what_is_unclaimed_would_be_unknown(strategy):
    """As the page says of a first try."""
    (claim,) = [
        claim
        for claim in claims((replace(strategy, unclaimed=frozenset()),))
        if claim.id == "allocation.standby.covers.without-distinct-ids"
    ]
    (result,) = asyncio.run(prove([claim], Options(jobs=1)))
    assert result.verdict is Verdict.UNKNOWN


def test_the_enumeration_agrees(strategy):
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


def test_the_tests_that_look_at_all_strategies_are_there():
    assert not [path for path in LOOK_AT_ALL if not (ROOT / "tests" / path).exists()]


@pytest.mark.slow
def test_the_tests_that_look_at_all_strategies_pass_where_somebody_has_followed_the_page(tmp_path):
    """In a copy of the tree: the file, the line, and ``make docs``."""
    tree = copied(ROOT, tmp_path)
    for part in ("tests", "docs"):
        shutil.copytree(ROOT / part, tree / part)
    for file in ("README.md", "pyproject.toml", "Makefile"):
        shutil.copy(ROOT / file, tree)
    (tree / "model" / "allocation" / "active_standby.py").write_text(SOURCE)
    registry = tree / "model" / "allocation" / "__init__.py"
    line, name = "    MACHINE_ROOM,\n)", "from rebalance_proofs.model.allocation.active_standby import ACTIVE_STANDBY\n"
    written = registry.read_text()
    assert written.count(line) == 1
    first, rest = written.split("\n\n", 1)
    registry.write_text(f"{first}\n\n{name}{rest}".replace(line, "    MACHINE_ROOM,\n    ACTIVE_STANDBY,\n)"))
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
        text=True,
        timeout=1800,
    )
    assert done.returncode == 0, f"{done.stdout[-3000:]}{done.stderr[-3000:]}"
    return done.stdout
