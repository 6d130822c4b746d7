"""Plugin for pytest that runs the tests named in a file, in that order: ``-p tests.faults.generated.chosen``."""

import os
from pathlib import Path

import pytest

FILE = "TESTS_CHOSEN"
"""Environment variable: the file with a test's id in each line."""


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave the named tests, in the order in which they are named."""
    names = Path(os.environ[FILE]).read_text(encoding="utf-8").splitlines()
    places = {name: place for place, name in enumerate(names)}
    items[:] = sorted((item for item in items if item.nodeid in places), key=lambda item: places[item.nodeid])
