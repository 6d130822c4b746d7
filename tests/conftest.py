"""What tests share: one Spark session, the whole ledger judged once (neither made unless asked for), the mutants."""

import asyncio
from collections.abc import Iterator

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

settings.register_profile("any machine", deadline=None)  # a slow machine is no failure
settings.load_profile("any machine")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What takes long to make is made once, in one worker process; the tests of a file run in one, too."""
    for item in items:
        dear = [name for name in ("proved", "spark") if name in item.fixturenames]
        item.add_marker(pytest.mark.xdist_group(dear[0] if dear else item.nodeid.split("::")[0]))


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
def proved() -> dict[str, ClaimResult]:
    """Every claim of the ledger by its id, as both solvers judge it; not how wide premises are."""
    return {result.claim.id: result for result in asyncio.run(prove(LEDGER, Options(width=False)))}


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
