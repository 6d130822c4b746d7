"""The page of bugs agrees with its claims."""

from pathlib import Path

import pytest

from rebalance_proofs.proofs.claim import Verdict
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.report.bugs import page
from rebalance_proofs.report.bugs.table import BUGS, ROOMS

EXPECTED = {claim.id: claim for claim in LEDGER}
each_bug = pytest.mark.parametrize("bug", BUGS, ids=lambda bug: f"{bug.issue or bug.sentence}")


@each_bug
def test_what_is_present_is_refuted_and_what_is_absent_is_proved(bug):
    assert all(EXPECTED[one.claim].expected is Verdict.REFUTED for one in bug.present)
    assert all(EXPECTED[one.claim].expected is Verdict.PROVED for one in bug.absent)


@each_bug
def test_it_is_shown_or_said_why_not(bug):
    assert bool(bug.present) is not bool(bug.not_modelled)
    assert bug.room in ROOMS
    assert bug.sentence.endswith(".")


def test_no_bug_stands_there_twice():
    reported = [bug.called for bug in BUGS if bug.issue]
    assert len(reported) == len(set(reported))


def test_a_claim_that_names_an_issue_is_about_a_bug_of_the_page():
    addresses = {claim.source for claim in LEDGER if "/issues/" in claim.source}
    assert addresses <= {bug.address for bug in BUGS}


def test_the_page_is_the_one_in_docs():
    assert (Path(__file__).parents[3] / "docs" / "bugs.md").read_text(encoding="utf-8") == page()
