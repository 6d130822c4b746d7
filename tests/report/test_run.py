"""Conditions for a green run, and its failures otherwise."""

from dataclasses import replace

import pytest

from rebalance_proofs.proofs.claim import Verdict
from rebalance_proofs.recorded.files import Conformance, Malformed
from rebalance_proofs.report.failures import failures
from rebalance_proofs.report.html import page
from rebalance_proofs.report.results.headline import GREEN, OTHERWISE, facts, headline
from rebalance_proofs.report.results.markdown import summary
from rebalance_proofs.spark_enum.allocation.space import SOLVER
from rebalance_proofs.spark_enum.results import Wrong
from tests.report.runs import BROKEN, ENUMERATED, LEAST, SELF_TEST, WORK, with_claim


def test_green_run_has_no_failures(green):
    assert [result.verdict for result in green.claims].count(Verdict.PROVED) == 1
    assert green.failures == ()
    assert green.exit_status == 0
    said = "3 claims checked, 1 holds and 2 do not hold, 1 of them without dropping an assumption"
    assert headline(green) == f"{GREEN}: {said}"


def test_broken_run_has_failures(broken):
    assert broken.failures
    assert not broken.green
    assert broken.exit_status in (1, 2)
    assert GREEN not in headline(broken)


@pytest.mark.parametrize("name", ["malformed row", "nothing compared", "nothing checked"])
def test_undecided_run_has_exit_status_2(green, name):
    assert BROKEN[name](green).exit_status == 2


def test_disagreement_has_exit_status_1_despite_unreadable_files(green):
    disagreeing = BROKEN["recorded otherwise"](green)
    (report,) = disagreeing.conformance.files
    both = replace(report, malformed=(Malformed("avg.tsv", 3, "not a number"),))
    assert disagreeing.exit_status == 1
    assert replace(disagreeing, conformance=Conformance((both,))).exit_status == 1


def test_fewer_results_than_pinned_has_exit_status_1(green):
    assert BROKEN["less than pinned"](green).exit_status == 1


def test_failure_names_the_claim_and_both_verdicts(green):
    (sentence,) = with_claim(green, Verdict.TIMEOUT, "z3 was ended after 20 s").failures
    assert sentence == f"{green.claims[0].claim.id}: expected PROVED, is TIMEOUT. z3 was ended after 20 s"


@pytest.mark.parametrize(
    ("verdict", "words"),
    [
        (Verdict.UNKNOWN, "undecided"),
        (Verdict.TIMEOUT, "undecided"),
        (Verdict.VACUOUS, "vacuous"),
        (Verdict.DISAGREE, "contradictory"),
    ],
)
def test_headline_counts_other_verdicts_by_their_meaning(green, verdict, words):
    assert f"3 claims checked, 1 is {words} and 2 do not hold" in headline(with_claim(green, verdict, "so"))


def test_headline_has_words_for_every_verdict():
    named = [verdict for which in OTHERWISE.values() for verdict in which]
    assert {*named, Verdict.PROVED, Verdict.REFUTED} == {*Verdict}
    assert len(named) == len({*named})


def test_contradiction_is_printed_once(green):
    said = "violated with 2 consumers"
    first = replace(green.claims[0], verdict=Verdict.DISAGREE, reason=said, contradictions=(said,))
    unexpected = (f"{first.claim.id}: {said}",)
    run = replace(green, claims=(first,), enumerated=replace(ENUMERATED, unexpected=unexpected))
    assert len(run.failures) == 1


def test_counterexample_outside_the_bounds_is_no_failure():
    assert not failures(replace(LEAST, counted=0, expected=0, smallest={SOLVER: Wrong((2, 9), (), "")}))


def test_unknown_record_is_refused():
    with pytest.raises(TypeError, match="str is no record of a run"):
        failures("allocation.avg.disjoint")


def test_joins_with_an_unproved_cost_are_reported(green):
    wrong = BROKEN["joins that cost something else"](green)
    assert wrong.exit_status == 1
    assert wrong.failures == (
        "joins of avg: in 3 of them not as many queues change hands as is proved",
        "joins of avg: in 1 of them more queues change hands than the proved bound",
        "joins of avg: at 2 sizes the proved bound is not reached",
    )
    assert BROKEN["joins missing"](green).failures == ("joins of avg: 71 were counted, the closed form says 72",)


def test_self_tests_and_required_work_are_one_line(green):
    said = "Self-tests passed: 1 of 1; required work done: 1 of 1 count"
    assert said in facts(green)
    assert said in summary(green)
    assert said in page(green)


def test_missing_work_is_on_the_same_line(green):
    less = replace(WORK, found=1233)
    run = replace(green, self_tests=(SELF_TEST, replace(SELF_TEST, noticed=False, said="-")), required=(WORK, less))
    assert "Self-tests passed: 1 of 2; required work done: 1 of 2 counts" in facts(run)
    assert run.failures == (
        "self-test 'positions: the owner of a queue is wrong' failed: -",
        "avg: groups: 1,234 required, 1,233 found",
    )
    assert run.exit_status == 1


def test_missing_work_of_an_interrupted_run_is_no_failure(green):
    run = replace(green, required=(replace(WORK, found=0),), unfinished="interrupted")
    assert run.failures == ("incomplete: interrupted",)
    assert run.exit_status == 2
