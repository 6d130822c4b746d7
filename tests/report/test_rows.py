"""The enumeration of transitions in every form of the results."""

import json
from dataclasses import replace

import pytest
from jsonschema import Draft202012Validator
from junitparser import JUnitXml

from rebalance_proofs.cli.worded import enumerated_lines
from rebalance_proofs.report.failures import failures, words_of
from rebalance_proofs.report.html import page
from rebalance_proofs.report.results.headline import facts
from rebalance_proofs.report.results.json_results import schema, to_json
from rebalance_proofs.report.results.markdown import summary, xml
from rebalance_proofs.report.transition.enumeration import COMPARED, together
from rebalance_proofs.spark_enum.transition.space import CALLS, MODELS, PROMISES, SINGLES, TABLES
from tests.report.runs import BROKEN, CASES, OVERDUE, with_cases
from tests.report.test_html import Page


@pytest.fixture
def enumerated(green):
    return with_cases(green)


def test_comparisons_of_a_kind_are_added_up(enumerated):
    calls, singles = together(enumerated.enumerated.of(*COMPARED))
    assert (calls.first.kind, calls.first.bounds["queues"], calls.cases, len(calls.findings)) == (CALLS, 2, 1800, 2)
    assert (singles.first.kind, singles.cases) == (SINGLES, 900)
    assert "the client's code on several queues" in calls.meant


def test_run_without_transitions_has_no_table(green):
    assert together(green.enumerated.of(*COMPARED)) == []
    assert "Transitions, case by case" not in page(green) + summary(green)


def test_every_report_has_the_transitions(enumerated):
    assert enumerated.green
    text = page(enumerated)
    assert Page(text).open == []
    assert "Transitions, case by case" in text
    assert '<th scope="row">java_v5_2 push, 2 queues, calls</th><td class="number">30</td>' in text
    assert "| 2 | 1,800 | 1,800 | 0 | 1.2 s |" in summary(enumerated)
    assert "2,700 transitions compared case by case" in facts(enumerated)
    lines = list(enumerated_lines(enumerated.enumerated.of(*COMPARED)))
    assert lines[0] == "compared transitions, calls, 2 queues: 1,800 cases, all agree"
    document = json.loads(json.dumps(to_json(enumerated)))
    Draft202012Validator(schema()).validate(document)
    assert "java_v5_2 push, 2 queues, calls" in [found["name"] for found in document["enumerated"]["findings"]]
    names = [case.name for suite in JUnitXml.fromstring(xml(enumerated).encode()) for case in suite]
    assert "java_v5_2 push, 2 queues, calls" in names


def test_executed_claims_are_listed(enumerated):
    text = page(enumerated)
    assert "<td>up to 3 values, 2 with 2 queues</td>" in text
    assert "<td>1 queue, 1 value out of the ordinary</td>" in text
    assert '<div class="whole">push orderly: 38</div>' in text
    assert "1 claim about transitions run in 500 cases." in summary(enumerated)
    assert f"| {OVERDUE} |" not in summary(enumerated)
    assert "500 cases of claims about transitions run" in facts(enumerated)
    (row,) = [found for found in to_json(enumerated)["enumerated"]["findings"] if found["kind"] == PROMISES]
    assert row["smallest"]["push"]["size"] == {"queues": 1, "departures": 1}


def test_claim_not_executed_everywhere_is_listed(green):
    run = BROKEN["promise not run everywhere"](green)
    assert f"| {OVERDUE} | 500 | 1 queue, 1 value out of the ordinary |" in summary(run)


def test_progress_is_printed_by_kind(enumerated):
    everything = list(enumerated_lines(enumerated.enumerated.findings))
    assert [line.split(",")[1].strip() for line in everything[2:]] == [
        "calls",
        "singles",
        "1 claim: 500 cases; broken: 1 claim",
    ]
    assert [line.split(":")[0] for line in everything[:2]] == ["swept avg without-same-cid-all", "joins avg"]


def test_differences_are_printed(green):
    run = with_cases(green, differing=2, first="queue 0 is dropped", counted=899)
    assert [said for said in run.failures if "java_v5_2" in said] == [
        "java_v5_2 push, 2 queues, calls: 899 cases compared, the closed form says 900",
        "java_v5_2 push, 2 queues, calls: both sides differ in 2 cases, first: queue 0 is dropped",
    ]
    assert "BAD" in next(enumerated_lines(run.enumerated.of(*COMPARED)))
    assert "▲ 899" in page(run)


def test_every_kind_has_a_description(enumerated):
    for kind in (SINGLES, CALLS, TABLES, MODELS):
        assert words_of(kind).meant != kind


def test_kind_without_description_is_a_comparison_of_cases():
    found = replace(CASES, kind="new", name="something", counted=899, differing=1, first="here")
    assert failures(found) == (
        "something: 899 cases compared, the closed form says 900",
        "something: both sides differ in 1 case, first: here",
    )
    assert words_of(found.kind).meant == "new"
