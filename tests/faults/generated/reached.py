"""Plugin for pytest that notes which functions of the project each test reaches: ``-p tests.faults.generated.reached``.

Only calls are noted, not lines, which would cost several times as much. What a fixture of more than one test calls,
counts for every test that uses it. What runs in other processes is not seen.
"""

import json
import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter
from types import CodeType, FrameType
from typing import Any

import pytest

FOLDER = "FUNCTIONS_REACHED"
"""Environment variable: the folder to which each process writes what its tests reached."""


class Reached:
    """What the tests of this process reached."""

    def __init__(self) -> None:
        self.called: dict[int, CodeType] = {}
        self.tests: dict[str, dict[str, Any]] = {}
        self.fixtures: dict[str, list[str]] = {}
        self.making: dict[str, float] = {}
        self.made = 0.0
        self.failed: set[str] = set()

    def note(self, frame: FrameType, event: str, argument: Any) -> None:
        """Called by Python for each new frame; without a function for its lines."""
        code = frame.f_code
        self.called[id(code)] = code

    @contextmanager
    def noting(self) -> Iterator[dict[int, CodeType]]:
        """What is called in the body, and not what was called around it."""
        before, self.called = self.called, {}
        try:
            yield self.called
        finally:
            self.called = before

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        began, self.made = perf_counter(), 0.0
        with self.noting() as called:
            sys.settrace(self.note)
            threading.settrace(self.note)
            yield
            sys.settrace(None)
        self.tests[item.nodeid] = {
            "seconds": perf_counter() - began - self.made,  # whichever test comes first makes them
            "functions": named(called),
            "fixtures": getattr(item, "fixturenames", []),
            "failed": item.nodeid in self.failed,
        }

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.failed.add(report.nodeid)

    @pytest.hookimpl(hookwrapper=True)
    def pytest_fixture_setup(self, fixturedef: Any) -> Iterator[None]:
        if fixturedef.scope == "function":
            yield
            return
        began = perf_counter()
        with self.noting() as called:
            yield
        self.making[fixturedef.argname] = perf_counter() - began
        self.made += self.making[fixturedef.argname]
        self.fixtures[fixturedef.argname] = sorted({*self.fixtures.get(fixturedef.argname, ()), *named(called)})

    def pytest_sessionfinish(self) -> None:
        place = Path(os.environ[FOLDER]) / f"{os.environ.get('PYTEST_XDIST_WORKER', 'alone')}.json"
        place.write_text(
            json.dumps({"tests": self.tests, "fixtures": self.fixtures, "making": self.making}), encoding="utf-8"
        )


def named(called: dict[int, CodeType]) -> list[str]:
    """The functions of the project among them, as ``proofs/claim.py:Claim.passed``."""
    found = set()
    for code in called.values():
        _, package, rest = code.co_filename.partition("/rebalance_proofs/")
        if package:
            function = code.co_qualname
            while function.endswith(">") and not function.endswith("<module>"):
                function = function.rpartition(".<locals>.")[0]  # a comprehension is its function's
            found.add(f"{rest}:{function}")
    return sorted(found)


def pytest_configure(config: pytest.Config) -> None:
    """Note what tests reach, where a folder for it is given."""
    if FOLDER in os.environ:
        config.pluginmanager.register(Reached(), "reached")
