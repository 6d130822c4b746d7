"""Missing self-tests are reported: a single one, or all of a comparer."""

from collections import Counter
from functools import cache
from types import SimpleNamespace

import pytest

from rebalance_proofs.evidence.asked import Asked
from rebalance_proofs.evidence.gathered import gathered
from rebalance_proofs.evidence.required import required
from rebalance_proofs.evidence.required.reckoned import comparers
from rebalance_proofs.evidence.self_tests import run
from rebalance_proofs.recorded.conform import conform
from rebalance_proofs.recorded.files import OWN
from rebalance_proofs.report.failures import SelfTest, failures
from rebalance_proofs.spark_enum.bounds import Bounds

BOTH = ("z3", "cvc5")
ALWAYS, ANSWERS, PROOFS, ROWS = {"records"}, {"solvers"}, {"verdicts", "evaluated"}, {"vectors"}
ENUMERATION = {
    "findings",
    "positions",
    "formulas",
    "sizes",
    "singles",
    "calls",
    "tables",
    "models",
    "promises",
    "groups",
}
REQUESTS = {
    "prove": (Asked(solvers=BOTH), ALWAYS | ANSWERS | PROOFS),
    "enumerate": (Asked(bounds=Bounds()), ALWAYS | ANSWERS | ENUMERATION),
    "conform": (Asked(vectors=OWN), ALWAYS | ROWS),
    "verify": (
        Asked(solvers=BOTH, bounds=Bounds(), vectors=OWN),
        ALWAYS | ANSWERS | PROOFS | ENUMERATION | ROWS,
    ),
}
"""By command, what it asks and the comparers of which it needs self-tests."""
recorded = cache(conform)


def comparer(test):
    """Name of the comparer that the self-test is about."""
    return test.name.partition(":")[0]


@pytest.fixture
def tests_of(monkeypatch):
    """Function: the self-tests of a command, none of which is executed."""
    monkeypatch.setattr(run, "tried", lambda trial: SelfTest(trial.name, True, ""))
    return lambda command: run.self_tests(REQUESTS[command][0], recorded())


def wrong(command, tests):
    """What is not as required."""
    return [told for work in comparers(REQUESTS[command][0], tests, (), recorded()) for told in failures(work)]


@pytest.mark.parametrize("command", REQUESTS)
def test_each_comparer_of_a_command_has_self_tests(command, tests_of):
    tests = tests_of(command)
    assert {comparer(test) for test in tests} == REQUESTS[command][1]
    assert wrong(command, tests) == []


@pytest.mark.parametrize("command", REQUESTS)
def test_missing_self_tests_are_reported(command, tests_of):
    tests = tests_of(command)
    for name, many in Counter(map(comparer, tests)).items():
        others = [test for test in tests if comparer(test) != name]
        first, *_ = (test for test in tests if comparer(test) == name)
        assert wrong(command, others) == [f"self-tests of {name}: {many} required, 0 found"]
        fewer = [test for test in tests if test is not first]
        assert wrong(command, fewer) == [f"self-tests of {name}: {many} required, {many - 1} found"]


def test_mutant_without_a_violation_test_is_reported(tests_of):
    results = (
        SimpleNamespace(mutants=("one", "another")),
        SimpleNamespace(mutants=()),
        SimpleNamespace(mutants=("x",)),
    )
    tests = [*tests_of("prove"), *(SelfTest(f"violation of a claim: {name}", True, "") for name in ("one", "another"))]
    told = [told for work in comparers(Asked(solvers=BOTH), tests, results) for told in failures(work)]
    assert told == ["self-tests of violations: 3 required, 2 found"]


def test_file_without_comparisons_needs_no_self_test():
    def required(*checks):
        files = [SimpleNamespace(checks=many) for many in checks]
        (*_, work) = comparers(Asked(vectors=OWN), (), (), SimpleNamespace(green=True, files=files))
        return work.expected

    assert required(2, 0, 1) == required(5, 7) == required(1) + 1


def test_damaged_file_needs_fewer_self_tests():
    """The invalid file fails the run, and the other files of its format have no self-test."""
    asked = Asked(vectors=OWN)
    for found, enough in (((), False), ((SelfTest("vectors: a row", True, ""),), True)):
        (*_, work) = comparers(asked, found, (), SimpleNamespace(green=False))
        assert work.ok is enough


def test_run_contains_its_required_self_tests_and_work(monkeypatch):
    monkeypatch.setattr(run, "_trials", lambda *_: ())
    asked = Asked(bounds=Bounds())
    tests, work = gathered(asked)
    assert tests == ()
    assert work == (*comparers(asked, ()), *required(asked))
    assert "self-tests of records" in [one.name for one in work if not one.ok]
