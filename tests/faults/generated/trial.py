"""One generated fault in a copy of the tree: the tests that reach it, then a quick run of claims."""

import json
import os
import re
import resource
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from rebalance_proofs.proofs.ledger import LEDGER
from tests.faults.generated.chosen import FILE
from tests.faults.generated.site import Site
from tests.faults.generated.swapped import MEMORY
from tests.faults.tree import rewrite

SECONDS = 240.0
"""How long the chosen tests may take together, as measured without a fault, and a quick run of claims."""
AT_ONCE = 20.0
"""So long the first of them, the near and short ones, may take; what they notice, the others need not be asked."""
DEAR = 30.0
"""Tests that take longer come last."""
PAGES = "tests/docs/"
"""Where the pages that are written from tables are compared with these."""
GOLDEN = "tests/golden/"
"""Where what is said, and what solvers are asked, is compared word by word: these notice most, so come early."""
HANGS = 3
"""They, and commands, have hung if they use the processor so many times as long, and a minute more."""
BUSY = 3
"""Or if they last so many times as long as that."""
A_TEST_FUNCTION = 4
"""Of so many parameters of one test function at first; all others come after."""
SOME = ("allocation.avg.**", "settling.**", "pulls.java_v5_3_3.**")
"""What a quick run judges where a fault is in no folder of certain claims."""
LARGE = {"offsets": "java_v5", "ordered": "java_v5_2", "transition": "java_v5_2", "allocation": "nearby"}
"""Of families with many claims, whose are judged."""
FAMILIES = frozenset(claim.id.partition(".")[0] for claim in LEDGER)


class Reaches:
    """Which tests reach which functions, of those that pass, as ``reached`` noted it.

    ``seconds``: test -> how long it took. ``limit``: how many seconds of tests are chosen for a fault, unless told.
    ``failing``: tests that were found to fail without a fault.
    """

    def __init__(self, folder: Path, limit: float = SECONDS) -> None:
        self._limit = limit
        self._passing: set[str] = set()
        self.failing: set[str] = set()
        self.seconds: dict[str, float] = {}
        self._made: dict[str, dict[str, float]] = {}
        self._tests: dict[str, set[str]] = {}
        for path in sorted(folder.glob("*.json")):
            noted = json.loads(path.read_text(encoding="utf-8"))
            for test, of in noted["tests"].items():
                if of["failed"]:
                    continue
                self._made[test] = {name: noted["making"].get(name, 0) for name in of["fixtures"]}
                self.seconds[test] = of["seconds"] + sum(self._made[test].values())
                for function in {*of["functions"], *self._of_fixtures(noted, of)}:
                    self._tests.setdefault(function, set()).add(test)

    def passes(self, test: str, tree: Path) -> bool:
        """Whether it passes in this tree, which has no fault now; what fails anyhow, notices nothing."""
        if test not in self._passing | self.failing:
            (self.failing if _tested(tree, {test: self.seconds[test]}) else self._passing).add(test)
        return test in self._passing

    @staticmethod
    def _of_fixtures(noted: dict[str, Any], test: dict[str, Any]) -> set[str]:
        return {function for name in test["fixtures"] for function in noted["fixtures"].get(name, ())}

    def tests(self, site: Site, limit: float | None = None) -> Mapping[str, float]:
        """The tests that reach the site's function, or any of its file if it is in none; near and short ones first."""
        prefix = f"{site.file}:{site.function}"
        functions = [name for name in self._tests if name == prefix or (not site.function and name.startswith(prefix))]
        reaching: set[str] = set().union(*(self._tests[name] for name in functions))
        found = {*reaching}
        near = next(place for place in _mirrors(site.file) if any(test.startswith(place) for test in self.seconds))
        own = f"{near}test_{Path(site.file).stem.strip('_')}"  # some run the command in another process, unseen
        found |= {test for test in self.seconds if test.startswith(own)}
        if not site.function or not functions:  # what a module defines when it is imported, no test calls
            found |= {test for test in self.seconds if test.startswith((near, PAGES))}
        found |= {test for test in self.seconds if test.startswith(GOLDEN)}  # claims are made before any test begins
        tried: dict[str, int] = {}
        chosen, later, total = [], [], 0.0
        for test in sorted(
            found,
            key=lambda test: (
                self.seconds[test] > DEAR and not test.startswith(GOLDEN),
                not test.startswith(own),
                not site.function and test not in reaching,  # of a module's own tables, who uses the module knows most
                not test.startswith((near, GOLDEN)),
                self.seconds[test],
            ),
        ):
            function = test.partition("[")[0]
            tried[function] = tried.get(function, 0) + 1
            (chosen if tried[function] <= A_TEST_FUNCTION else later).append(test)
        within, made, limit = {}, set[str](), self._limit if limit is None else limit
        for test in [*chosen, *later]:  # fixtures of several tests are made once
            more = self.seconds[test] - sum(self._made[test][name] for name in made & self._made[test].keys())
            if total + more < limit or not within or test.startswith(GOLDEN):
                total += more
                made |= self._made[test].keys()
                within[test] = self.seconds[test]
        return within


def _mirrors(file: str) -> Iterator[str]:
    """Where tests of the file may be: in the folder of its name under ``tests``, or in one around that."""
    for folder in Path(file).parents:
        yield f"{Path('tests') / folder}/"


def tried(site: Site, tree: Path, reaches: Reaches, *, judged: bool = True, by: str = "") -> str:
    """Put the fault in, look what notices it, and take it out again; ``judged``: claims are asked after the tests.

    ``by``: a test that noticed it in a fork, and is asked first, alone. A fork may tell what was computed before the
    fault came from what is computed with it, and so notice what nobody would see.

    Returns the test, or the command with its words, that noticed it first, and an empty text if nothing did.
    """
    before = site.put_into(tree)
    try:
        hinted = [{by: reaches.seconds[by]}] if by else []
        for tests in (*hinted, *_in_two(reaches.tests(site))):
            while fails := _tested(tree, {test: tests[test] for test in tests if test not in reaches.failing}):
                faulty = rewrite(tree / site.file, before)
                if fails not in tests or reaches.passes(fails, tree):
                    return fails
                rewrite(tree / site.file, faulty)
        return _judged(tree, site) if judged else ""
    finally:
        rewrite(tree / site.file, before)


def _in_two(tests: Mapping[str, float]) -> Iterator[Mapping[str, float]]:
    """The first of them, which take little time together, and the others."""
    first, total = {}, 0.0
    for test, seconds in tests.items():
        total += seconds
        if total > AT_ONCE:
            break
        first[test] = seconds
    yield first
    yield {test: seconds for test, seconds in tests.items() if test not in first}


def _tested(tree: Path, tests: Mapping[str, float]) -> str:
    names = tree / "chosen.txt"
    names.write_text("\n".join(tests), encoding="utf-8")
    files = [file for file in dict.fromkeys(test.partition("::")[0] for test in tests) if (tree / file).exists()]
    if not files:
        return ""
    words = ["-q", "-x", "--tb=line", "-p", "no:cacheprovider", "-p", "tests.faults.generated.chosen", *files]
    status, said = _ran(tree, ["-m", "pytest", *words], sum(tests.values()), {FILE: str(names)})
    if status in (0, pytest.ExitCode.NO_TESTS_COLLECTED):
        return ""
    failed = re.search(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", said, re.MULTILINE)
    return failed.group(1) if failed else f"pytest: status {status}"


def _judged(tree: Path, site: Site) -> str:
    command = ["verify", "--quick", "--seed", "1", *concerned(site)]
    status, said = _ran(tree, ["-m", "rebalance_proofs", *command], SECONDS, {})
    if not status:
        return ""
    line = next((line for line in said.splitlines() if "BAD" in line), f"status {status}")
    return f"{' '.join(command)}: {line.strip()}"


def concerned(site: Site) -> Sequence[str]:
    """The claims that are judged with the fault: those of the folder or file that it is in, or some of three kinds."""
    *folders, file = Path(site.file).with_suffix("").parts
    families = [name for name in (*folders, file) if name in FAMILIES]
    return [f"{name}.{LARGE[name]}.**" if name in LARGE else f"{name}.**" for name in families] or SOME


def _ran(tree: Path, words: Sequence[str], seconds: float, more: dict[str, str]) -> tuple[int, str]:
    used = round(60 + HANGS * seconds)

    def limited() -> None:  # by the processor's time: a busy machine makes nothing hang
        for what, limit in ((resource.RLIMIT_CPU, used), (resource.RLIMIT_DATA, MEMORY)):
            resource.setrlimit(what, (limit, resource.getrlimit(what)[1]))

    try:
        called = subprocess.run(
            [sys.executable, *words],
            cwd=tree,
            env=os.environ | {"PYTHONPATH": str(tree)} | more,
            capture_output=True,
            encoding="utf-8",
            timeout=BUSY * used,
            preexec_fn=limited,
        )
    except subprocess.TimeoutExpired:
        return -1, "it hangs"
    return called.returncode, called.stdout + called.stderr
