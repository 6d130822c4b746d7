"""Explored groups in every form of the results."""

import json
from dataclasses import replace

import pytest
from jsonschema import Draft202012Validator
from junitparser import JUnitXml

from rebalance_proofs.cli.worded import enumerated_lines
from rebalance_proofs.report.html import page
from rebalance_proofs.report.results.headline import facts
from rebalance_proofs.report.results.json_results import schema, to_json
from rebalance_proofs.report.results.markdown import summary, xml
from rebalance_proofs.spark_enum.explorer.store import EXPLORED, LEVELS, SETTLED, TRANSITIONS
from rebalance_proofs.spark_enum.results import Finding, Wrong
from tests.report.test_html import Page

NAME = "explore concurrent --consumers 2 --queues 2 --client 5.2"
GROUP = Finding(
    kind=EXPLORED,
    name=NAME,
    counted=36_374,
    expected=36_374,
    subject="java_v5",
    setting="concurrent",
    bounds={"consumers": 2, "queues": 2},
    digest="0d0e",
    broken={"two": 1, "twice": 1, "skipped": 0},
    smallest={"two": Wrong((2, 2), (4,), "Two read."), "twice": Wrong((2, 2), (10,), "Twice.")},
    numbers={TRANSITIONS: 244_768, LEVELS: 38, SETTLED: 1},
    seconds=1.2,
)
NOTHING = replace(GROUP, name="explore ordered", broken={"two-listeners": 0}, smallest={})
LITE = replace(GROUP, name="explore lock-lite", broken={}, smallest={})
WRONG = replace(GROUP, differing=2, first="two is found: never recorded, after 4 steps now")
FEWER = replace(GROUP, counted=36_000)


def having(run, *found):
    """The run, with these groups."""
    return replace(run, enumerated=replace(run.enumerated, findings=(*run.enumerated.findings, *found)))


def cases(run):
    return {case.name: case for suite in JUnitXml.fromstring(xml(run).encode()) for case in suite}


def test_every_report_has_the_explored_groups(green):
    run = having(green, GROUP, NOTHING, LITE)
    assert run.green
    text = page(run)
    assert Page(text).open == []
    assert "3 whole groups explored, state by state" in text
    assert f'<th scope="row">{NAME}</th><td class="number">= 36,374</td>' in text
    assert "<td>two in 4 steps, twice in 10 steps</td>" in text
    assert f"| ✅ | {NAME} | two in 4 steps, twice in 10 steps | 36,374 | 36,374 | 0 | 1.2 s |" in summary(run)
    assert "3 whole groups explored, 109,122 states" in facts(run)
    document = json.loads(json.dumps(to_json(run)))
    Draft202012Validator(schema()).validate(document)
    assert NAME in [found["name"] for found in document["enumerated"]["findings"]]
    assert cases(run)[NAME].result == []


def test_run_without_groups_has_no_table(green):
    assert "Whole groups" not in page(green) + summary(green)


def test_lines_say_what_was_found():
    assert list(enumerated_lines([GROUP, NOTHING, LITE])) == [
        f"rebalance {NAME}: 36,374 states; found: two in 4 steps, twice in 10 steps",
        "rebalance explore ordered: 36,374 states; found: nothing",
        "rebalance explore lock-lite: 36,374 states; found: nothing to look for",
    ]
    assert list(enumerated_lines([GROUP, NOTHING], verbose=False)) == [
        "explored 2 whole groups: 72,748 states, all as pinned"
    ]


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (WRONG, f"{NAME}: differs from the pinned result, {WRONG.first}"),
        (FEWER, f"{NAME}: 36,000 states explored, 36,374 are pinned"),
    ],
)
def test_unexpected_exploration_is_red_in_every_report(green, found, said):
    run = having(green, found)
    assert not run.green
    assert said in run.failures
    assert said in page(run)
    assert f"| ❌ | {NAME} |" in summary(run)
    assert [one.message for one in cases(run)[NAME].result] == [said]
    (line,) = enumerated_lines([found])
    assert line.endswith("; BAD")
    (line,) = enumerated_lines([found, GROUP], verbose=False)
    assert line.endswith(", BAD: 1")
