"""The clients, each compiled once."""

from pathlib import Path

import pytest

from tests.recorded.jar import clients


@pytest.fixture(scope="session")
def client(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with all of the strategies."""
    return clients.client(tmp_path_factory.mktemp("client"))


@pytest.fixture(scope="session")
def faulty(client: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A classpath on which classes with faults hide those of the same name."""
    return clients.faulty(client, tmp_path_factory.mktemp("faulty"))
