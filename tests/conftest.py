"""What tests share: one Spark session, claims judged once (neither made unless asked for), the mutants."""

import asyncio
import os
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from pyspark.sql import SparkSession

from rebalance_proofs.model.allocation import STRATEGIES
from rebalance_proofs.model.allocation.strategy import Strategy
from rebalance_proofs.model.terms.mutant import Mutant
from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.proofs.prove import Options, prove
from rebalance_proofs.proofs.results import ClaimResult
from rebalance_proofs.spark_enum.preflight import require_java
from rebalance_proofs.spark_enum.session import spark_session
from tests.javac import LIGHT, compiled
from tests.proofs.some import SOME

settings.register_profile("any machine", deadline=None)  # a slow machine is no failure
settings.load_profile("any machine")


# The work is done by Python: code of the JVM is not run for long enough to be worth a second compiler.
os.environ.setdefault("SPARK_SUBMIT_OPTS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")


DEAR = ("proved", "spark", "transitions", "letters_of", "java_classes", "java_client", "recorded_run")
"""What takes long to make, fixtures and what is kept of a call: each is made in one worker process, for all files."""
EXPLORED = (
    "tests/proofs/ordered/test_explore.py",
    "tests/proofs/ordered/test_search.py",
    "tests/report/ordered/test_story.py",
    "tests/docs/test_ledger_page.py",
    "tests/docs/test_findings_page.py",
    "tests/cli/test_safe.py",
)
"""Files for which the states of ordered consumers are explored: what is found is kept, and found in one process."""
HEAVY = (
    "tests/trial/test_trial.py",
    "tests/cli/test_signals.py",
    "tests/proofs/test_prove_wrong_models.py",
    "tests/proofs/transition/test_search.py",
    "tests/proofs/transition/test_obligations.py",
    "tests/spark_enum/ordered/test_transitions.py",
    "tests/spark_enum/allocation/test_check.py",
    "tests/proofs/transition/test_promises.py",
    "tests/proofs/code/transition/test_obligation.py",
    "tests/proofs/code/test_code_mutants.py",
)
"""Files that take long by themselves."""
TESTS = Path(__file__).parent
ROCKETMQ = TESTS / "rocketmq"
"""Classes of RocketMQ that those of several tests need, as far as they need them."""


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """The tests of a file run in one worker process, and those of all files with the same dear fixture.

    xdist's own ``loadgroup`` writes groups into the names of tests, of which pytest 9.2 takes no notice any more.
    """
    from xdist.scheduler import LoadFileScheduling

    class Together(LoadFileScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return together(super()._split_scope(nodeid))

    config.option.loadscopereorder = False  # they come in the order of ``pytest_collection_modifyitems``
    return Together(config, log)


@cache
def together(file: str) -> str:
    """Of which of these the file makes use first, as an argument or by a call; or the file itself."""
    if file in EXPLORED:
        return EXPLORED[0]
    source = (TESTS.parent / file).read_text(encoding="utf-8")
    uses = (name for name in DEAR if re.search(rf"def \w+\([^)]*\b{name}\b|\b{name}\(", source))
    return next(uses, file)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What takes long comes first, so that all worker processes end at about the same time."""
    groups = {item: together(item.nodeid.split("::")[0]) for item in items}
    alone = [item.nodeid for item in items if {*DEAR} & {*item.fixturenames} and groups[item] not in DEAR]
    if alone:
        raise pytest.UsageError(f"would make what is dear once more than needed: {alone[0]}")
    places = {group: place for place, group in enumerate((*DEAR, EXPLORED[0], *HEAVY))}
    items.sort(key=lambda item: places.get(groups[item], len(places)))


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
    """The classpath of strategies in Java that do all that they should not; one class of them is missing."""
    found = compiled([ROCKETMQ, TESTS / "model" / "own" / "java" / "sources"], tmp_path_factory.mktemp("classes"))
    (found / "acme" / "Made$Absent.class").unlink()
    return str(found)


@pytest.fixture(scope="session")
def java_client(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with strategies of the names of RocketMQ's Java client."""
    return compiled([ROCKETMQ, TESTS / "recorded" / "jar" / "sources"], tmp_path_factory.mktemp("client"))


@pytest.fixture(scope="module")
def light() -> Iterator[None]:
    """For modules whose tests start many JVMs that do little."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("JDK_JAVA_OPTIONS", " ".join(LIGHT))
        yield


@pytest.fixture(scope="session", params=["some", pytest.param("all", marks=pytest.mark.slow)])
def proved(request: pytest.FixtureRequest) -> dict[str, ClaimResult]:
    """Claims by id, as both solvers judge them, not how wide premises are: some of the ledger; all of it when slow."""
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
