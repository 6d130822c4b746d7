"""Other forms of a story: the table on the page, the trace, results.json, and display by other tools."""

import json
from copy import copy
from dataclasses import replace
from functools import partial
from types import SimpleNamespace

import pytest
from jsonschema import Draft202012Validator
from junitparser import JUnitXml

from rebalance_proofs.proofs.claim import Verdict
from rebalance_proofs.proofs.results import ClaimResult
from rebalance_proofs.report.claims.played import trace
from rebalance_proofs.report.html import page
from rebalance_proofs.report.kinds import shown, smallest
from rebalance_proofs.report.results.json_results import schema, to_json
from rebalance_proofs.report.results.markdown import summary, xml
from rebalance_proofs.report.transition.document import states
from rebalance_proofs.report.transition.played import chart
from tests.report.runs import OVERDUE
from tests.report.test_html import Page
from tests.report.transition.told import FORCED, GIVEN_BACK, UNPULLED, VERSIONS, case, claim, example_of


def chart_of(claim_id, given):
    found = claim(claim_id)
    return chart(found, example_of(found, given))


def test_effects_are_numbered_over_all_queues():
    found = chart_of(*UNPULLED)
    assert found.rounds == ("actions of the client",)
    assert [[deed.number for deed in line.deeds[0]] for line in found.lines] == [[1, 2, 3], [4, 5]]
    assert [[state.words for state in line.states] for line in found.lines] == [
        ["no process queue", "new process queue"],
        ["no process queue", "no process queue"],
    ]


def test_entry_states_are_described():
    found = chart_of(*FORCED)
    assert [state.words for state in found.lines[0].states] == ["process queue, locked", "new process queue, locked"]
    found = chart_of(*GIVEN_BACK)
    assert [state.kind for state in found.lines[0].states] == ["live", "dropped", "dropped"]
    assert [state.words for state in found.lines[0].states][-1] == "process queue, dropped"


def test_queue_without_entry_has_no_values_in_the_trace():
    claim_id, given = UNPULLED
    found = claim(claim_id)
    first, last = states(found, example_of(found, given))
    nothing = {"present": False, "dropped": False, "locked": False, "tries": 0, "fresh": False}
    assert [one["table"] for one in first["clients"]] == [[nothing, nothing]]
    ((new, none),) = (one["table"] for one in last["clients"])
    assert (new["present"], new["fresh"], none) == (True, True, nothing)


def test_each_client_has_its_own_lines():
    found = chart_of(*VERSIONS)
    assert [line.client for line in found.lines] == ["Java 4.9.8"] * 2 + ["Java 5.0 to 5.1.4"] * 2


def test_consumers_of_a_group_have_their_own_lines():
    found = claim("transition.java_v5_2.partition")
    drawn = chart(found, example_of(found, case([{}, {}], [[{}, {"in_set": 0}]])))
    assert [line.queue for line in drawn.lines] == ["queue 0 of T, consumer 0", "queue 0 of T, consumer 1"]
    assert [len(line.deeds[0]) for line in drawn.lines] == [0, 5]


def test_trace_has_the_table_before_and_after_each_round():
    about, given = claim(GIVEN_BACK[0]), GIVEN_BACK[1]
    found = trace(ClaimResult(about, Verdict.REFUTED, ""), example_of(about, given))
    before, between, after = found["states"]
    assert [state["mqSet"] for state in found["states"]] == [[], [], [0]]
    assert between["clients"][0]["action"] == [
        "queue 0: marks the process queue as dropped",
        "queue 0: fails to persist the offset",
    ]
    assert [state["clients"][0]["table"][0]["dropped"] for state in (before, between, after)] == [False, True, True]
    assert between["clients"][0]["throws"]
    assert between["answers"] == ["persisting the offset of queue 0 throws an exception"]
    assert found["#meta"]["description"].endswith("blocks a live one.")
    assert [state["#meta"]["index"] for state in found["states"]] == [0, 1, 2]


def test_results_conform_to_the_schema(transitions):
    document = json.loads(json.dumps(to_json(transitions)))
    Draft202012Validator(schema()).validate(document)
    overdue = next(found for found in document["claims"] if found["id"] == OVERDUE)
    assert overdue["strategies"] == ["java_v5_2"]
    assert overdue["counterexample"]["queues"][0]["unusual"] == {"pull_age": 120_001}
    assert overdue["counterexample"]["clients"][0]["rounds"][0]["effects"][0] == {
        "name": "drop",
        "queue": 0,
        "details": [],
        "words": "marks the process queue as dropped",
    }


def test_page_has_story_and_table(transitions):
    text = page(transitions)
    assert Page(text).open == []
    assert text.count('class="scroll rounds"') == 3
    assert "<li>Java 5.2 to 5.4.0, a push consumer.</li>" in text
    assert '<li value="1">marks the process queue as dropped</li>' in text
    assert "1 queue, 1 value out of the ordinary" in text
    ids = [attributes["id"] for _, attributes in Page(text).tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    assert "The guarantees and the premises in words" not in text


def test_summary_contains_stories_without_a_diagram(transitions, green):
    text = summary(transitions)
    assert "<details><summary>1 counterexample in words</summary>" in text
    assert "2. It holds queue 0 of T: the last pull was 120.001 s ago." in text
    assert "<details>" not in summary(green)


def test_junit_contains_the_counterexample_of_a_failure(transitions):
    first, *rest = transitions.claims
    broken = next(found for found in rest if found.claim.id == OVERDUE)
    wrong = replace(broken, claim=replace(broken.claim, holds=True))
    suites = JUnitXml.fromstring(xml(replace(transitions, claims=(first, wrong))).encode())
    (failure,) = [case.result[0] for suite in suites for case in suite if case.name == "push" and case.result]
    assert "expected PROVED, is REFUTED" in failure.text
    assert failure.text.endswith(
        "Broken: queue 0 of T still belongs to this client, but its process queue is replaced."
    )
    assert "It holds queue 0 of T" in failure.text


def test_sizes_are_printed(green):
    found = claim("transition.java_v5_2.unsubscribed-offset")
    assert shown(found).size(smallest(found)) == "1 queue, nothing out of the ordinary"
    drawn = green.claims[-1]
    assert shown(drawn.claim).size(drawn.search.counterexample) == "2 consumers, 1 queue"


def test_unknown_kind_is_refused(green):
    first, *_, result = green.claims
    claim_of_none = copy(result.claim)
    object.__setattr__(claim_of_none, "world", SimpleNamespace(dropped=False))
    wrong = replace(result, claim=claim_of_none)
    run = replace(green, claims=(first, wrong))
    traced = partial(trace, wrong, wrong.search.counterexample)
    for form in (traced, *(partial(form, run) for form in (page, summary, to_json))):
        with pytest.raises(TypeError, match="of type SimpleNamespace"):
            form()
