"""Reports of explored groups: as lines, JSON, traces, and a page."""

import json
import re
from collections import Counter
from dataclasses import replace
from types import SimpleNamespace
from xml.etree.ElementTree import fromstring

import pytest
from jsonschema import Draft202012Validator

from rebalance_proofs.report.claims.mark import BRIEFLY
from rebalance_proofs.report.explorer.document import document, trace_of
from rebalance_proofs.report.explorer.page import figure, page
from rebalance_proofs.report.explorer.told import disagreeing, settling, told
from rebalance_proofs.report.schemas import published
from rebalance_proofs.spark_enum.explorer.explore import MANY, Needs
from rebalance_proofs.spark_enum.explorer.settled import Settled
from tests.spark_enum.explorer.exploring import gone_through, gone_through_of
from tests.spark_enum.explorer.stuck import STUCK

GROUPS = [
    {"model": "concurrent"},
    {"model": "ordered", "queues": 1, "unlock": 4},
    {"model": "ordered", "queues": 1, "unlock": 4, "faults": ("broker-restart",), "most": 12, "settle": False},
    {"model": "lock-lite", "queues": 1},
]


@pytest.fixture(params=GROUPS, ids=str)
def explored(request):
    told = dict(request.param)
    return gone_through(told.pop("model"), **told)


def test_json_conforms_to_its_schema(explored):
    Draft202012Validator(published("explore")).validate(json.loads(json.dumps(document(explored))))


def test_report_prints_every_step_of_a_path(explored):
    lines = list(told(explored))
    for found in explored.found:
        begin = lines.index(f"FOUND  {found.watch.name}: {found.watch.sentence}")
        steps = [line for line in lines[begin:] if re.match(r"^ +\d+\. ", line)]
        assert len(steps) >= len(found.steps) - 1
    for watch in explored.never:
        assert f"{'never' if explored.whole else 'NOT FOUND'}  {watch.name}: {watch.sentence}" in lines
    bounds = next(line for line in lines if line.startswith("This is no proof for larger groups."))
    assert bounds.endswith(" docs/how-to/explore-a-group.md.")
    last = lines[lines.index(bounds) + 1 :]
    assert last[0].startswith("Real clients: not recorded: ")
    assert last[1:] == [BRIEFLY] * any(watch.claims for watch in explored.model.watches)


def test_report_does_not_call_a_part_of_the_states_all():
    explored = gone_through("ordered", queues=1, unlock=4, faults=("broker-restart",), most=12, settle=False)
    assert not explored.whole
    assert any("(NOT known to be all: the first 12 levels)" in line for line in told(explored))
    assert not any("never happened" in line for line in told(explored))


def test_report_does_not_say_never_of_a_part_of_the_states():
    """With one more step it is found, in the same group."""
    explored = gone_through("concurrent", queues=1, most=4)
    lines = list(told(explored))
    assert "NOT FOUND  two: Two consumers have a process queue of the same queue and read it." in lines
    assert not any("never  " in line or "never happened" in line or "in other groups" in line for line in lines)
    assert "Moves that did not happen: starts, ends." in lines
    assert "Never:" not in page(explored)
    assert "in other groups" not in page(explored)
    assert [one.watch.name for one in gone_through("concurrent", queues=1, most=5).found] == ["two"]
    alone = list(told(gone_through("concurrent", consumers=1, queues=1)))
    assert "never  two: Two consumers have a process queue of the same queue and read it." in alone
    assert any(
        "this can happen in other groups: allocation.avg.disjoint.without-same-cid-all" in line for line in alone
    )


def test_report_names_each_owner_and_its_listener():
    lines = list(told(gone_through("concurrent")))
    assert "     members: c0 and c1; queue 0: c0, offset 0; queue 1: c0 and c1, offset 0" in [
        line.removeprefix("  ") for line in lines
    ]
    assert any("c1 (its listener runs)" in line for line in lines)


def test_contradiction_with_a_proof_is_reported_as_disagreement():
    explored = gone_through("concurrent")
    skipped, _ = explored.never
    wrong = replace(explored, found=(replace(explored.found[0], watch=skipped),), never=())
    assert disagreeing(explored) == ()
    assert disagreeing(wrong) == ("offsets.java_v5.not-skipped",)
    assert any(line.strip().startswith("DISAGREE: offsets.java_v5.not-skipped") for line in told(wrong))


def test_required_faults_are_named_with_their_meaning():
    explored = gone_through("ordered", queues=1, unlock=4, faults=("broker-restart",), most=12, settle=False)
    (line,) = (line.strip() for line in told(explored) if "Needs" in line)
    assert line == (
        "Needs a fault in groups of this size. This is enough: `broker-restart` (the broker restarts and loses "
        "all locks)."
    )
    both = replace(explored.found[0], needs=Needs((("broker-restart",), ("crash", "hard-shutdown")), 1))
    (line,) = (line for line in told(replace(explored, found=(both,))) if "Needs" in line)
    assert "Any of these is enough" in line
    assert "`crash` (a consumer's process ends at once) and `hard-shutdown`" in line


def test_trace_contains_every_state(explored):
    for found in explored.found:
        trace = trace_of(explored, found)
        assert trace["vars"] == list(trace["#meta"]["varTypes"])
        assert len(trace["states"]) == len(found.steps)
        assert [state["#meta"]["index"] for state in trace["states"]] == list(range(len(found.steps)))
        assert trace["states"][0]["action"] == "begin"
        for state in trace["states"]:
            assert set(state) == {"#meta", *trace["vars"]}
            assert len(state["queues"]) == explored.settings.queues


def test_picture_contains_the_owner_of_each_queue():
    explored = gone_through("concurrent")
    svg = fromstring(figure(explored, explored.found[1]))
    texts = [one.text for one in svg.iter("text")]
    assert texts.count("c1") == 7
    assert "queue 1" in texts
    filled = [one for one in svg.iter("rect") if "takes" in one.get("class")]
    assert len(filled) == 2  # each listener is called once


def test_page_is_complete_and_loads_nothing(explored):
    text = page(explored)
    assert "http" not in re.sub(r"http://www\.w3\.org/\S+|http-equiv", "", text)
    assert "<script" not in text
    for watch in (*(one.watch for one in explored.found), *explored.never):
        assert f'id="{watch.name}"' in text
    assert f"{explored.digest:016x}" in text


def states_and_moves(product):
    """One by one."""
    fresh, seen, moves = [product.start], {product.start}, Counter()
    while fresh:
        for move, after in product.following(fresh.pop()):
            moves[move.name] += 1
            if after not in seen:
                seen.add(after)
                fresh.append(after)
    return seen, moves


@pytest.mark.parametrize("model", ["concurrent", "lock-lite"])
def test_report_counts_each_action(model):
    explored = gone_through(model, queues=1)
    _, moves = states_and_moves(explored.product)
    counts = {name: moves[name] for name in explored.counts}
    assert document(explored)["moves"] == counts
    (line,) = (line for line in told(explored) if line.startswith("Moves: "))
    said = dict(one.rsplit(" ", 1) for one in line.removeprefix("Moves: ")[:-1].split(", "))
    assert {name: int(many.replace(",", "")) for name, many in said.items()} == counts


def test_action_that_never_happens_is_named():
    explored = gone_through_of(STUCK, consumers=1, queues=1)
    assert explored.counts["joins"] == 1
    never = [name for name in explored.counts if name != "joins"]
    assert len(never) == 7
    assert f"Moves that never happened: {', '.join(never)}." in told(explored)
    assert [name for name, many in document(explored)["moves"].items() if not many] == never
    assert not any(line.startswith("Moves that") for line in told(gone_through("concurrent", queues=1)))


def test_states_without_an_action_are_reported():
    explored = gone_through_of(STUCK, queues=1)
    (found,) = explored.found
    lines = list(told(explored))
    begin = lines.index("FOUND  deadlock: No move is possible any more.")
    assert lines[begin + 1 : begin + 7] == [
        f"  Found in {found.states:,} of {explored.states:,} states.",
        "  The shortest trace has 2 steps:",
        "    1. c0 joins the group, and the broker notifies the other members.",
        "       members: c0; queue 0: no consumer, no lock, offset 0",
        "    2. c1 joins the group, and the broker notifies the other members.",
        "       members: c0 and c1; queue 0: no consumer, no lock, offset 0",
    ]
    assert any(f" levels, {found.states} states without a move; digest" in line for line in lines)
    said = json.loads(json.dumps(document(explored)))
    Draft202012Validator(published("explore")).validate(said)
    assert [(one["name"], one["states"], len(one["steps"])) for one in said["found"]] == [("deadlock", found.states, 3)]
    assert '<section id="deadlock">' in page(explored)


def test_report_says_that_every_state_has_an_action(explored):
    assert any(", no state without a move; digest" in line for line in told(explored))
    assert "deadlock" in [one["name"] for one in document(explored)["never"]]
    unasked = replace(explored, never=())
    assert not any("without a move" in line for line in told(unasked))


def test_report_counts_the_states_of_each_condition():
    explored = gone_through("concurrent", queues=1)
    states, _ = states_and_moves(explored.product)
    rows = [explored.product.group(state)[1][0] for state in states]
    two = sum(row["present0"] and row["present1"] for row in rows)
    twice = sum(row["again"] for row in rows)
    assert 0 < two < len(states)
    assert [one["states"] for one in document(explored)["found"]] == [two, twice]
    assert f"  Found in {two:,} of {len(states):,} states." in told(explored)


def test_timed_story_says_how_much_time_has_passed():
    explored = gone_through("ordered", queues=1, client="5.2", settle=False)
    (found,) = explored.found
    words = [step["words"] for step in document(explored)["found"][0]["steps"]]
    assert words[0] == "At first."
    assert words[2:5] == ["[0 s] c1 rebalances.", "[10 s] Ten seconds pass.", "[20 s] Ten seconds pass."]
    ticks = sum(step.move is not None and step.move.name == "tick" for step in found.steps)
    assert words[-1].startswith(f"[{10 * ticks} s] ")
    for line in words[1:]:
        assert any(line in told_line for told_line in told(explored))
        assert line in page(explored)
    without = document(gone_through("concurrent"))["found"][0]["steps"]
    assert not any(step["words"].startswith("[") for step in without)


def test_deadlock_and_slow_settling_are_distinguished():
    explored = gone_through("concurrent", queues=1, most=3, settle=False)
    for most, stands_still in ((0, True), (32, False)):
        text = json.loads(json.dumps(document(replace(explored, settled=Settled(None, "rounds", most, most)))))
        Draft202012Validator(published("explore")).validate(text)
        assert text["settled"]["stands_still"] is stands_still


@pytest.mark.parametrize(("states", "whole", "said"), [(MANY, True, 0), (MANY + 1, True, 1), (MANY + 1, False, 0)])
def test_settling_is_not_checked_for_too_many_states(states, whole, said):
    """Settling is not checked for a part of the states anyway."""
    model = gone_through("concurrent", queues=1).model
    found = SimpleNamespace(settled=None, model=model, states=states, whole=whole)
    sentence = f"Settling was not checked: the group has more than {MANY:,} states."
    assert [*settling(found)] == [sentence, ""] * said
