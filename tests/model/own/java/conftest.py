"""The Java strategies of these tests."""

from pathlib import Path

import pytest

from tests.javac import compiled

SOURCES = Path(__file__).parent / "sources"


@pytest.fixture(scope="session")
def classes(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The classpath of the compiled sources."""
    found = compiled(SOURCES, tmp_path_factory.mktemp("classes"))
    (found / "acme" / "Made$Absent.class").unlink()
    return str(found)
