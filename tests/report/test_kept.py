"""Stored answers are marked in every form of the results."""

import json
from dataclasses import replace

import pytest
from junitparser import JUnitXml

from rebalance_proofs.cli.worded import claim_line, family_line
from rebalance_proofs.proofs.question import Question
from rebalance_proofs.report.in_brief import outcome
from rebalance_proofs.report.kinds import family
from rebalance_proofs.report.results import directory
from rebalance_proofs.report.results.headline import facts, kept

SAID = "3 of 4 answers came from '/tmp/<b>my_answers</b>'"


def from_earlier(question: Question) -> Question:
    """The same, of which the first solver was not asked."""
    first, *others = question.answers
    return replace(question, answers=(replace(first, kept=True), *others))


@pytest.fixture
def run(green):
    """A run in which one answer to one obligation's proof was kept."""

    def some(result):
        steps = [replace(step, proof=from_earlier(step.proof)) for step in result.obligations]
        return replace(result, obligations=tuple(steps))

    return replace(green, claims=tuple(map(some, green.claims)), left_out=(SAID,))


def proved(run):
    return run.claims[0]


def test_run_without_kept_answers_mentions_none(green, tmp_path):
    assert kept(green.claims) == ""
    directory.write(green, tmp_path)
    assert not any("KEPT" in path.read_text(encoding="utf-8") for path in tmp_path.glob("*.*"))


def test_kept_answers_are_counted(run):
    result = proved(run)
    asked = [answer for question in result.questions for answer in question.answers]
    assert kept([result]) == f"{len(result.obligations)} of {len(asked)} answers KEPT"
    assert claim_line(result).endswith(f"{result.claim.id} ({kept([result])})")
    assert family_line(family(result.claim), [result]).endswith(f" ({kept([result])})")


def test_time_is_of_this_run_only(run, green):
    saved = sum(step.proof.answers[0].seconds for step in proved(run).obligations)
    assert proved(run).seconds == pytest.approx(proved(green).seconds - saved)


def test_show_marks_each_kept_answer(run):
    (line, *_) = [line for line in outcome(proved(run)) if line.strip().startswith("proved (")]
    assert "z3 unsat KEPT, cvc5 unsat)" in line


def test_question_with_only_kept_answers_was_not_asked(green):
    def whole(question: Question) -> Question:
        return replace(question, answers=tuple(replace(answer, kept=True) for answer in question.answers))

    result = proved(green)
    search = replace(green.claims[1].search, questions=tuple(map(whole, green.claims[1].search.questions)))
    some = replace(green.claims[1], obligations=(), mutants=(), search=search)
    assert facts(replace(green, claims=(some,)))[2] == "0 solver queries"
    asked = facts(replace(green, claims=(result,)))[2]
    assert facts(replace(green, claims=(result, some)))[2] == asked


def test_every_report_mentions_kept_answers(run, tmp_path):
    directory.write(run, tmp_path)
    results = json.loads((tmp_path / "results.json").read_text(encoding="utf-8"))
    assert results["left_out"] == [SAID]
    (step, *_) = results["claims"][0]["obligations"]
    assert [answer["kept"] for answer in step["proof"]["answers"]] == [True, False]
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "3 of 4 answers came from &#39;/tmp/&lt;b&gt;my_answers&lt;/b&gt;&#39;" in page
    assert kept([proved(run)]) in page
    assert page.count("<b>from an earlier run</b>") == sum(len(result.obligations) for result in run.claims)
    assert "3 of 4 answers came from '/tmp/&lt;b>my_answers&lt;/b>'" in (tmp_path / "summary.md").read_text(
        encoding="utf-8"
    )
    whole, claims, *_ = JUnitXml.fromfile(str(tmp_path / "junit.xml"))
    assert [case.system_out for case in whole] == [SAID, None]
    assert next(iter(claims)).system_out == kept([proved(run)])
