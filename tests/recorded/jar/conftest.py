"""A client with faults, compiled once."""

from pathlib import Path

import pytest

from tests.recorded.jar import clients


@pytest.fixture(scope="session")
def faulty(java_client: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Classpath on which faulty classes hide those of the same name."""
    return clients.faulty(java_client, tmp_path_factory.mktemp("faulty"))
