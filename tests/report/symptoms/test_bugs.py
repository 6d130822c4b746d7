"""The page of bugs agrees with its claims."""

from dataclasses import replace

from rebalance_proofs.proofs.claim import Verdict
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.report.symptoms.answer import bugs
from rebalance_proofs.report.symptoms.bugs import BUGS
from rebalance_proofs.report.symptoms.causes import CAUSES
from tests.each import each

EXPECTED = {claim.id: claim for claim in LEDGER}
each_bug = each("bug", BUGS, ids=lambda bug: f"{bug.issue or bug.sentence}")


@each_bug
def test_present_bug_is_refuted_and_absent_bug_is_proved(bug):
    assert all(EXPECTED[one.claim].expected is Verdict.REFUTED for one in bug.present)
    assert all(EXPECTED[one.claim].expected is Verdict.PROVED for one in bug.absent)


@each_bug
def test_bug_is_shown_or_says_why_it_is_not_modelled(bug):
    assert bool(bug.present) is not bool(bug.not_modelled)
    assert bug.sentence.en.endswith(".")


def test_no_bug_is_listed_twice():
    reported = [bug.called for bug in BUGS if bug.issue]
    assert len(reported) == len(set(reported))
    assert len({bug.sentence for bug in BUGS}) == len(BUGS)


def test_claim_with_an_issue_is_on_the_page_of_bugs():
    addresses = {claim.source for claim in LEDGER if "/issues/" in claim.source}
    assert addresses <= {bug.address for bug in BUGS}


@each_bug
def test_bug_belongs_to_a_cause_or_says_why_not(bug):
    behind = [cause for cause in CAUSES if any(bug in bugs(cause, effect) for effect in cause.effects)]
    assert bool(behind) is not bool(bug.unseen)


@each("cause", [one for one in CAUSES if one.issues], ids=lambda cause: cause.name)
def test_cause_names_no_issue_that_its_claims_show(cause):
    for issue in cause.issues:
        others = replace(cause, issues=tuple(one for one in cause.issues if one != issue))
        assert any(bugs(cause, effect) != bugs(others, effect) for effect in cause.effects)
