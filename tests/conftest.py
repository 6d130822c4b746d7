"""Shared fixtures: one Spark session, claims judged once (both made only when used), and the mutants."""

import asyncio
import gc
import os
import re
import sys
from collections.abc import Generator, Iterable, Iterator
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from pyspark.sql import SparkSession

from rebalance_proofs.model.allocation import STRATEGIES
from rebalance_proofs.model.allocation.strategy import Strategy
from rebalance_proofs.model.terms.values import Mutant
from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.proofs.prove import Options, prove
from rebalance_proofs.proofs.results import ClaimResult
from rebalance_proofs.spark_enum.preflight import require_java
from rebalance_proofs.spark_enum.session import spark_session
from tests.javac import LIGHT, compiled

settings.register_profile("any machine", deadline=None)  # a slow machine is no failure
settings.load_profile("any machine")


DEAR = ("proved", "spark", "transitions", "letters_of", "java_classes", "java_client", "recorded_run")
"""Fixtures and cached results that take long to make: each is made in one worker process, for all files that use it."""
EXPLORED = (
    "tests/proofs/ordered/test_explore.py",
    "tests/proofs/ordered/test_pauses.py",
    "tests/proofs/ordered/test_search.py",
    "tests/report/ordered/test_story.py",
    "tests/docs/test_ledger_page.py",
    "tests/docs/test_findings_page.py",
    "tests/cli/test_marks.py",
    "tests/cli/test_safe.py",
)
"""Files that explore the states of ordered consumers: they share one process, because explorations are cached."""
PARTED, PARTS = ("tests/machines/test_machines.py", "tests/golden/test_golden.py"), re.compile(r"\[([a-z]+)[-.\]]")
"""Files of which each kind's, or each kept text's, tests are given to one worker process; and where a test's name holds
the kind. A kind's explorations are cached."""
KINDS = {
    f"{PARTED[0]} ordered": EXPLORED[0],
    "tests/machines/test_registry.py": f"{PARTED[0]} registry",
    "tests/report/offsets/test_story.py": f"{PARTED[0]} offsets",
    "tests/report/pulls/test_story.py": f"{PARTED[0]} pulls",
    "tests/report/registry/test_story.py": f"{PARTED[0]} registry",
    "tests/report/subscriptions/test_story.py": f"{PARTED[0]} subscriptions",
}
"""Tests that explore the states of one kind of machines -> the group whose worker process explores them, too."""
HEAVY = (
    *PARTED,
    "tests/cli/test_authors.py",
    "tests/cli/test_check.py",
    "tests/docs/test_ci.py",
    "tests/recorded/cluster/test_accepted.py",
    "tests/proofs/ordered/composed/test_two_events.py",
    "tests/trial/test_trial.py",
    "tests/report/test_browser.py",
    "tests/machines/test_walks.py",
    "tests/report/audit/test_page.py",
    "tests/independent/test_independent.py",
    "tests/spark_enum/own/test_checked.py",
    "tests/proofs/ordered/test_exclusive.py",
    "tests/proofs/own/test_prove.py",
    "tests/cli/test_width.py",
    "tests/packaging/test_build.py",
    "tests/proofs/transition/test_promises.py",
    "tests/cli/test_check_names.py",
    "tests/docs/test_how_to_pages.py",
    "tests/spark_enum/transition/test_singles.py",
    "tests/cli/test_start.py",
    "tests/proofs/test_prove_wrong_models.py",
    "tests/report/reality/test_pinned.py",
    "tests/report/reality/test_wrong.py",
    "tests/cli/test_baseline.py",
    "tests/cli/test_record.py",
    "tests/report/test_same_look.py",
    "tests/report/reality/monitors/test_premises.py",
    "tests/cli/test_signals.py",
    "tests/proofs/transition/test_search.py",
    "tests/proofs/transition/test_obligations.py",
    "tests/spark_enum/allocation/test_check.py",
    "tests/proofs/code/transition/test_obligation.py",
    "tests/proofs/code/test_code_mutants.py",
    "tests/machines/test_narrowed.py",
    "tests/packaging/test_environment.py",
)
"""Files that take long by themselves, the longest first."""
SELDOM = (100_000, 50, 100)
"""Thresholds of the garbage collector: new objects, and collections of a younger generation, between collections."""
TESTS = Path(__file__).parent
ROCKETMQ = TESTS / "rocketmq"
"""Stand-ins for RocketMQ's classes, as far as several tests need them."""


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """One process more than there are cores: many tests wait for a process that they have started."""
    return 1 + (os.cpu_count() or 1)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Scheduler that gives a worker process all tests of a file, and all files that share an expensive fixture.

    xdist's own ``loadgroup`` puts groups into the names of tests, which pytest 9.2 no longer honours.
    """
    from xdist.scheduler import LoadFileScheduling

    class Together(LoadFileScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return group(super()._split_scope(nodeid), nodeid)

    config.option.loadscopereorder = False  # they come in the order of ``pytest_collection_modifyitems``
    return Together(config, log)


def group(file: str, test: str) -> str:
    """Name of the group of tests that run in one process with this test of the file."""
    part = PARTS.search(test) if file in PARTED else None
    return together(f"{file} {part[1]}" if part else file)


@cache
def together(file: str) -> str:
    """The first of these names that the file uses, as an argument or in a call; the file's own name if it uses none.

    A file in ``PARTED`` is followed by one of its parts.
    """
    if file in EXPLORED:
        return EXPLORED[0]
    if file in KINDS or file.split()[0] in PARTED:
        return KINDS.get(file, file)
    source = (TESTS.parent / file).read_text(encoding="utf-8")
    there = [name for name in DEAR if name in source]  # Most files name none of them, and a search takes long.
    uses = (name for name in there if re.search(rf"def \w+\([^)]*\b{name}\b|\b{name}\(", source))
    return next(uses, file)


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Generator[None, object, object]:
    """Collect tests without the garbage collector, and exempt from it what then exists.

    The collector would take 40 % of the time of each worker process, and again and again visit all tests. Later it runs
    seldom, because tests make many objects that last, such as the ledger's: that saves 4 % of all time. Compiled
    tests are written, whatever the environment says: to compile all files takes longer than to collect the tests.
    """
    gc.disable()
    unwritten, sys.dont_write_bytecode = sys.dont_write_bytecode, False
    try:
        compile_in_turn(Path(session.config.rootpath, one) for one in session.config.args)
        return (yield)
    finally:
        sys.dont_write_bytecode = unwritten
        gc.enable()
        gc.freeze()
        gc.set_threshold(*SELDOM)


def compile_in_turn(asked: Iterable[Path]) -> None:
    """Import this worker process's share of the test files, if all tests are asked for.

    The processes collect the same files at the same time, so without shares each of them would compile every file.
    """
    worker, count = os.environ.get("PYTEST_XDIST_WORKER", ""), int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    if not worker or [*asked] != [TESTS]:
        return
    for file in sorted(TESTS.rglob("test_*.py"))[int(worker.removeprefix("gw")) :: count]:
        with suppress(Exception, pytest.skip.Exception):  # Collection reports it.
            import_module(".".join(file.relative_to(TESTS.parent).with_suffix("").parts))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Sort expensive tests first, so that all worker processes end at about the same time."""
    groups = {item: group(item.nodeid.split("::")[0], item.nodeid) for item in items}
    alone = [item.nodeid for item in items if {*DEAR} & {*item.fixturenames} and groups[item] not in DEAR]
    if alone:
        raise pytest.UsageError(f"would make what is dear once more than needed: {alone[0]}")
    places = {group: place for place, group in enumerate((*DEAR, EXPLORED[0], *HEAVY))}
    items.sort(key=lambda item: places.get(groups[item].split()[0], len(places)))


@pytest.fixture(scope="session")
def spark() -> Iterator[SparkSession]:
    """A local session; tests that use it are marked ``spark``."""
    try:
        require_java()
    except UsageError as error:
        pytest.skip(str(error))
    with spark_session("local[2]") as session:
        yield session


@pytest.fixture(scope="session")
def java_classes(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Classpath of Java strategies that misbehave in every way; one of their classes is missing."""
    found = compiled([ROCKETMQ, TESTS / "model" / "own" / "java" / "sources"], tmp_path_factory.mktemp("classes"))
    (found / "acme" / "Made$Absent.class").unlink()
    return str(found)


@pytest.fixture(scope="session")
def java_client(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with strategies under the names of RocketMQ's Java client."""
    return compiled([ROCKETMQ, TESTS / "recorded" / "jar" / "sources"], tmp_path_factory.mktemp("client"))


@pytest.fixture(scope="module")
def light() -> Iterator[None]:
    """For modules whose tests start many short-lived JVMs."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("JDK_JAVA_OPTIONS", " ".join(LIGHT))
        yield


@pytest.fixture(scope="session", params=["some", pytest.param("all", marks=pytest.mark.slow)])
def proved(request: pytest.FixtureRequest) -> dict[str, ClaimResult]:
    """Claim id -> result of both solvers, without the vacuity check; some claims of the ledger, all of them in slow
    runs.
    """
    from tests.proofs.some import SOME  # computed from the whole ledger, which most test processes never load

    claims = SOME if request.param == "some" else LEDGER
    return {result.claim.id: result for result in asyncio.run(prove(claims, Options(width=False)))}


@pytest.fixture(
    params=[
        pytest.param((strategy, mutant), id=f"{strategy.name}-{mutant.name}")
        for strategy in STRATEGIES
        for mutant in strategy.mutants
    ]
)
def pinned(request: pytest.FixtureRequest) -> tuple[Strategy, Mutant]:
    """Each strategy with each of its mutants."""
    return request.param
