"""A run against its baseline: new failures fail, known ones do not."""

from dataclasses import replace

import pytest
from jsonschema import Draft202012Validator
from junitparser import JUnitXml

from rebalance_proofs.proofs.claim import Verdict
from rebalance_proofs.report.results.baseline import Baseline, Changes, Judged, read
from rebalance_proofs.report.results.headline import headline
from rebalance_proofs.report.results.json_results import schema, to_json
from rebalance_proofs.report.results.markdown import summary, xml
from tests.report.runs import BROKEN, DEPENDENT, WORK, with_claim, with_finding
from tests.report.runs import SWEEP as SPACE
from tests.report.test_baseline import kept

DISJOINT = "allocation.circle.disjoint"
NEVER = {
    "comparer that notices nothing",
    "no comparer tried",
    "work that was not reckoned",
    "nothing checked",
    "incomplete",
}
"""What nothing excuses."""


@pytest.fixture
def against(tmp_path):
    """The second run with the first as its baseline, read from its results.json."""
    return lambda then, now: replace(now, baseline=read(kept(then, tmp_path)))


def test_new_failure_fails_and_known_failure_does_not(request, broken, green, against):
    """Each kind of failure, compared with a baseline without it, and with one that has the same failure."""
    name = request.node.callspec.params["broken"]
    fresh = against(green, broken)
    assert fresh.exit_status == broken.exit_status
    assert fresh.exit_status != 0
    assert fresh.changes.worse
    assert not fresh.changes.known
    if name in NEVER:
        return
    standing = against(broken, broken)
    assert standing.exit_status == 0
    assert not standing.changes.worse
    assert {*standing.changes.standing} == {*broken.failures}
    assert not standing.green
    assert headline(standing).startswith("NOT AS EXPECTED, BUT NO WORSE THAN THE BASELINE")
    assert to_json(standing)["green"] is False
    assert against(broken, green).changes.mended


def test_every_inexcusable_failure_fails(green, against):
    then = with_claim(green, Verdict.UNKNOWN)
    assert {*BROKEN} >= NEVER
    for name in NEVER - {"nothing checked"}:
        now = BROKEN[name](with_claim(green, Verdict.UNKNOWN))
        assert against(then, now).exit_status == now.exit_status != 0, name


@pytest.mark.parametrize(
    ("then", "now", "worse"),
    [
        (Verdict.UNKNOWN, Verdict.UNKNOWN, False),
        (Verdict.UNKNOWN, Verdict.TIMEOUT, False),
        (Verdict.TIMEOUT, Verdict.UNKNOWN, False),
        (Verdict.TIMEOUT, Verdict.REFUTED, True),
        (Verdict.UNKNOWN, Verdict.DISAGREE, True),
        (Verdict.DISAGREE, Verdict.UNKNOWN, True),
        (Verdict.VACUOUS, Verdict.DISAGREE, True),
    ],
)
def test_claim_with_a_different_unexpected_result_is_worse(then, now, worse, green, against):
    run = against(with_claim(green, then), with_claim(green, now, "another reason"))
    assert bool(run.changes.worse) is worse
    assert run.exit_status == int(worse)
    (told,) = run.changes.worse or run.changes.known
    assert f"was {then}" in told
    assert DISJOINT in told


def test_contradicted_claim_is_worse(green, against):
    then = with_claim(green, Verdict.UNKNOWN)
    first, *rest = then.claims
    now = replace(then, claims=(replace(first, contradictions=("the enumerator found one.",)), *rest))
    assert against(then, now).exit_status == 1
    assert against(now, now).exit_status == 0


def test_removed_claim_fails_a_green_run(green, against):
    run = against(green, green)
    assert run.exit_status == 0
    assert headline(run).startswith("All as expected: ")
    claims = dict(run.baseline.claims) | {"allocation.avg.former": Judged("PROVED", "PROVED", False)}
    lost = replace(green, baseline=replace(run.baseline, claims=claims))
    assert lost.green
    assert lost.exit_status == 1
    assert headline(lost).startswith("WORSE THAN THE BASELINE: 1 regression, 0 failures; ")
    assert lost.changes.worse == ("allocation.avg.former: was PROVED, and is no longer in the ledger",)


def test_partial_run_compares_its_claims_and_names_the_rest(green, against):
    """Failures of the others are neither known nor fixed: they were not checked."""
    then = with_finding(with_claim(green, Verdict.UNKNOWN), SPACE, differing=2, first="q=3 c=2")
    run = against(then, replace(green, claims=green.claims[1:]))
    assert run.exit_status == 0
    assert not run.changes.known
    assert not run.changes.mended
    assert run.changes.apart[0] == DISJOINT
    assert any("differ in 2" in sentence or "2 groups" in sentence for sentence in run.changes.apart[1:])
    text = summary(run)
    assert f"Not compared: {DISJOINT}" in text


def test_run_without_recorded_results_says_so(green, against):
    run = against(BROKEN["recorded otherwise"](green), replace(green, conformance=None))
    assert run.changes.apart[0] == "recorded results of real clients"
    assert not run.changes.mended


def test_new_claims_are_named_and_fail_when_they_are_red(green, against):
    then = replace(green, claims=green.claims[1:])
    assert against(then, green).changes.new == (DISJOINT,)
    run = against(then, with_claim(green, Verdict.UNKNOWN))
    assert run.exit_status == 1
    assert "not in the baseline" in run.changes.worse[0]


def test_changed_expected_verdict_is_reported(green, against):
    run = against(green, green)
    claims = dict(run.baseline.claims) | {DEPENDENT: Judged("PROVED", "PROVED", False)}
    turned = replace(green, baseline=replace(run.baseline, claims=claims))
    assert turned.exit_status == 0
    assert turned.changes.turned == (f"{DEPENDENT}: is REFUTED, as expected now (was PROVED, as expected then)",)


@pytest.mark.parametrize(
    ("then", "now", "worse"),
    [((10, 9), (12, 11), False), ((10, 8), (10, 9), False), ((10, 9), (10, 8), True), ((10, 9), (10, 11), True)],
)
def test_missing_work_is_known_while_it_does_not_grow(then, now, worse, green, against):
    """An unexpected claim lacks answers; the ledger may have grown since."""

    def lacking(numbers):
        expected, found = numbers
        return replace(green, required=(replace(WORK, expected=expected, found=found),))

    assert against(lacking(then), lacking(now)).exit_status == int(worse)


def test_difference_in_other_numbers_is_worse(green, against):
    then, now = (with_finding(green, SPACE, differing=number, first="q=3 c=2") for number in (2, 3))
    assert against(then, now).exit_status == 1


def test_reports_begin_with_the_comparison(green, against):
    then = with_claim(green, Verdict.UNKNOWN)
    known = summary(against(then, then))
    assert known.startswith("# ⚠️ NOT AS EXPECTED, BUT NO WORSE THAN THE BASELINE: 1 known failure; ")
    assert "## Known" in known
    worse = summary(against(green, then))
    assert worse.startswith("# ❌ WORSE THAN THE BASELINE: 1 regression, 1 failure; ")
    assert worse.index("## Worse") < worse.index("| Strategy |")
    assert "## Failures" not in worse
    assert "Compared with" not in summary(green)


def test_junit_skips_known_and_fails_worse(green, against):
    then = with_claim(green, Verdict.UNKNOWN)
    assert xml(against(then, then)).count("also in the baseline") >= 1
    counted = JUnitXml.fromstring(xml(against(then, then)).encode())
    assert (counted.failures, counted.errors, counted.skipped) == (0, 0, 2)
    assert "<skipped" not in xml(against(green, then))
    assert "no-worse-than-the-baseline" in xml(against(green, green))


def test_results_json_names_the_baseline(green, against):
    run = against(with_claim(green, Verdict.UNKNOWN), green)
    document = to_json(run)
    Draft202012Validator(schema()).validate(document)
    assert document["baseline"]["sha256"] == run.baseline.sha256
    assert document["baseline"]["mended"] == [f"{DISJOINT}: is PROVED, as expected (was UNKNOWN)"]
    assert to_json(green)["baseline"] is None


def test_empty_baseline_knows_nothing(green):
    """By construction: every failure is new."""
    nothing = Baseline("none", "0" * 64, "", "")
    run = replace(with_claim(green, Verdict.UNKNOWN), baseline=nothing)
    assert run.exit_status == 1
    assert not run.changes.known
    assert not replace(run, conformance=None).changes.apart


def test_work_missing_for_known_claims_only_is_known(green, against):
    """For any number of their answers in this run."""
    then, now = (replace(green, required=(replace(WORK, found=found),)) for found in (1200, 1100))
    run = against(then, now)
    assert run.exit_status == 1
    assert replace(run, excused=(WORK.name,)).exit_status == 0


def test_work_that_is_still_missing_is_not_reported_as_fixed(green, against):
    """For each of several works, and any current numbers."""

    def lacking(*found):
        works = (replace(WORK, name=name, found=number) for name, number in zip(["first", "other"], found, strict=True))
        return replace(green, required=tuple(works))

    then = lacking(1100, 1100)
    assert not against(then, lacking(1200, 1200)).changes.mended
    whole = WORK.expected
    (mended,) = against(then, lacking(1100, whole)).changes.mended
    assert mended.startswith("gone: other: ")


def test_differences_are_counted():
    """Worse, known and fixed ones always, others if there are any."""
    names = ("worse", "known", "mended", "turned", "new", "apart")
    words = ("worse", "known", "mended", "expected otherwise now", "new", "not compared")
    for count in range(1, len(names) + 1):
        found = Changes(**{name: ("x",) * number * (number <= count) for number, name in enumerate(names, 1)})
        said = [f"{number if number <= count else 0} {word}" for number, word in enumerate(words, 1)]
        assert found.told == ", ".join(said[: max(3, count)])


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("UNKNOWN", "TIMEOUT", True),
        ("UNKNOWN", "UNKNOWN", True),
        ("UNKNOWN", "VACUOUS", False),
        ("TIMEOUT", "PROVED", False),
        ("PROVED", "REFUTED", False),
    ],
)
def test_timeout_and_unknown_are_one_outcome(one, other, same):
    first, second = (Judged("PROVED", verdict, False) for verdict in (one, other))
    assert (first.state == second.state) is same
    assert first.state != Judged("PROVED", one, True).state
