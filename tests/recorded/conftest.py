"""Directories of recorded results, written for one test."""

import gzip
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from rebalance_proofs.recorded.conform import conform
from rebalance_proofs.recorded.files import OWN, Conformance, FileReport


@pytest.fixture(scope="session")
def own_vectors() -> Path:
    """The project's own recorded results."""
    return OWN


@pytest.fixture
def write(tmp_path) -> Callable[[str, Iterable[str] | bytes], Path]:
    """``write(name, lines or bytes)``: put a file into the test's directory, gzipped if its name ends in .gz."""

    def write_file(name: str, content: Iterable[str] | bytes) -> Path:
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        raw = content if isinstance(content, bytes) else "".join(f"{line}\n" for line in content).encode()
        path.write_bytes(gzip.compress(raw) if name.endswith(".gz") else raw)
        return path

    return write_file


@pytest.fixture
def conformed(tmp_path) -> Callable[[], Conformance]:
    """Function that checks the test's directory."""
    return lambda: conform(tmp_path)


@pytest.fixture
def report_of(tmp_path) -> Callable[[str], FileReport]:
    """``report_of(name)``: check the test's directory; the report of that file."""
    return lambda file: {report.file: report for report in conform(tmp_path).files}[file]
