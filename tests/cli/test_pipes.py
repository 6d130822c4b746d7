"""Standard output and standard error that are closed or full; terminals without a width."""

import json
import os
from collections.abc import Iterator

import pytest

from rebalance_proofs.cli.progress import Reporter
from tests.cli.process import ABOUT_NODE, started, until


@pytest.fixture
def unread() -> Iterator[int]:
    """A pipe whose reading end is closed."""
    reader, writer = os.pipe()
    os.close(reader)
    yield writer
    os.close(writer)


@pytest.fixture
def full() -> Iterator[int]:
    """A device that is always full."""
    writer = os.open("/dev/full", os.O_WRONLY)
    yield writer
    os.close(writer)


@pytest.mark.parametrize(
    "arguments", [("list",), pytest.param(("prove", "--help"), marks=pytest.mark.slow), ("conform",)]
)
def test_closed_pipe_exits_quietly(arguments, unread):
    with started(*arguments, stdout=unread) as process:
        _, err = process.communicate()
    assert (process.returncode, err) == (141, "")


def test_pipe_closed_during_a_run_ends_it_and_is_reported(tmp_path):
    output = tmp_path / "run"
    with started("prove", ABOUT_NODE, "--output", str(output)) as process:
        until(process, "ok ")
        process.stdout.close()
        err = process.stderr.read()
        process.wait()
    assert (process.returncode, err) == (141, "")
    results = json.loads((output / "results.json").read_text(encoding="utf-8"))
    assert results["complete"] is False
    assert results["unfinished"].startswith("ended by a closed pipe after ")


@pytest.mark.parametrize(
    "arguments", [("list",), ("prove", "allocation.avg.idle"), pytest.param(("list", "--json"), marks=pytest.mark.slow)]
)
def test_full_standard_output_is_reported(arguments, full):
    with started(*arguments, stdout=full) as process:
        _, err = process.communicate()
    said = "rebalance: cannot write to standard output: No space left on device\n"
    assert (process.returncode, err) == (2, said)


@pytest.mark.parametrize("arguments", [("list", "nothing"), ("prove", "allocation.avg.idle", "--json")])
def test_full_standard_error_gives_no_verdict(arguments, full):
    with started(*arguments, stderr=full) as process:
        out, _ = process.communicate()
    assert process.returncode == 2
    assert not out or json.loads(out)["complete"] is False


def test_zero_columns_count_as_a_pipe(capfd, monkeypatch):
    monkeypatch.setenv("COLUMNS", "0")
    with Reporter() as reporter:
        reporter.line("all is said")
    assert capfd.readouterr().out == "all is said\n"
