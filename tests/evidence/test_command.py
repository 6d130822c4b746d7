"""The exit status is not 0 if the run's own comparers do not work."""

import re

import pytest

from rebalance_proofs.recorded.tally import Tally
from rebalance_proofs.report.results.run import Run
from tests.cli.conftest import call
from tests.cli.few_vectors import ONE_FORMAT, few_vectors

__all__ = ["call"]

COMPLETE = r"^Self-tests passed: ([1-9]\d*) of \1; required work done: ([1-9]\d*) of \2 counts$"
"""Line about a run whose self-tests all passed, and that did all required work."""


def test_conform_reports_its_self_tests(call):
    called = call("conform")
    assert called.status == 0
    assert re.search(COMPLETE, called.out, re.MULTILINE)


def test_few_recorded_results_pass(call, tmp_path):
    """Without a fault: those with which faults are tested below."""
    assert call("conform", "--vectors", str(few_vectors(tmp_path, ONE_FORMAT))).status == 0


FAULTS = {
    "rows are not compared": (Tally, "compare", lambda tally, *_: tally.skip("no")),
    "a run has no failures": (Run, "failures", ()),
    "a run is always green": (Run, "green", True),
    "a run ends with 0": (Run, "exit_status", 0),
    "self-tests are not judged": (Run, "unfounded", ()),
    "what was found is not judged": (Run, "judged_wrong", ()),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_run_with_a_broken_comparer_is_not_green(fault, call, monkeypatch, tmp_path):
    compared = ("conform", "--vectors", str(few_vectors(tmp_path, ONE_FORMAT)))
    monkeypatch.setattr(*FAULTS[fault])
    called = call(*compared)
    assert called.status == 1
    assert "BAD" in called.out


def test_prove_runs_self_tests_on_mutants(call):
    called = call("prove", "allocation.avg.idle", "--jobs", "1")
    assert called.status == 0
    assert re.search(COMPLETE, called.out, re.MULTILINE)
