"""JUnit XML parses back with the right counts."""

from dataclasses import replace

import pytest
from junitparser import Error, Failure, JUnitXml, Skipped

from rebalance_proofs.proofs.claim import Verdict
from rebalance_proofs.report.results.markdown import _case, xml
from tests.report.runs import HOSTILE, SWEEP, with_claim, with_finding


def cases(run):
    return {(case.classname, case.name): case for suite in JUnitXml.fromstring(xml(run).encode()) for case in suite}


def test_each_row_is_one_case(green):
    assert set(cases(green)) == {
        ("run", "complete"),
        ("run", "as-expected"),
        ("allocation.circle", "disjoint"),
        ("allocation.circle", "contiguous"),
        ("allocation.avg.disjoint", "without-same-cid-all"),
        ("enumeration", "avg without-same-cid-all"),
        ("movement", "avg"),
        ("comparison.at-size", "allocation.avg.disjoint.without-same-cid-all"),
        ("comparison.smallest", "allocation.avg.disjoint.without-same-cid-all"),
        ("conformance", "avg.tsv"),
    }
    counted = JUnitXml.fromstring(xml(green).encode())
    assert (counted.tests, counted.failures, counted.errors, counted.skipped) == (10, 0, 0, 0)


@pytest.mark.parametrize(
    ("verdict", "kind"),
    [
        (Verdict.UNKNOWN, Error),
        (Verdict.TIMEOUT, Error),
        (Verdict.VACUOUS, Failure),
        (Verdict.DISAGREE, Failure),
        (Verdict.REFUTED, Failure),
    ],
)
def test_undecided_claim_is_an_error_and_wrong_claim_a_failure(green, verdict, kind):
    (found,) = cases(with_claim(green, verdict, "because"))["allocation.circle", "disjoint"].result
    assert type(found) is kind
    assert found.message == f"allocation.circle.disjoint: expected PROVED, is {verdict}. because"


def test_incomplete_run_has_a_failing_case(green):
    found = cases(replace(green, unfinished="interrupted"))
    assert [problem.message for problem in found["run", "complete"].result] == ["interrupted"]
    assert not found["run", "as-expected"].is_passed


def test_all_sentences_of_a_row_are_kept(green):
    wrong = with_finding(green, SWEEP, counted=1, differing=1, first="q=1")
    (found,) = cases(wrong)["enumeration", "avg without-same-cid-all"].result
    assert len(found.text.splitlines()) == 2


def test_new_failure_beside_a_known_one_is_a_failure():
    """A row is skipped where the baseline knows all its failures, and not where it knows one of two."""
    some, all_ = (_case("place", "name", ("known", "new"), known=known) for known in (("known",), ("known", "new")))
    assert [type(problem) for problem in some.result] == [Failure]
    assert [type(problem) for problem in all_.result] == [Skipped]


def test_hostile_text_is_escaped(green):
    (found,) = cases(with_claim(green, Verdict.UNKNOWN, HOSTILE))["allocation.circle", "disjoint"].result
    assert "<script>alert('x')</script>" in found.message
    assert "\x00" not in found.message
