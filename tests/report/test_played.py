"""Traces step by step: words, values after each step, and which values changed."""

from dataclasses import replace

import pytest

from rebalance_proofs.proofs.ledger import select
from rebalance_proofs.report.claims.played import played
from rebalance_proofs.report.claims.steps import TraceVariable, bare
from rebalance_proofs.report.kinds import KINDS, shown
from tests.report.test_kinds import CLAIM, SHOWN, STEPS

RUNS = (
    "ordered.java_v5_2.exclusive.without-time",
    "offsets.java_v4_9.once",
    "pulls.java_v5_2_0.has-request.without-store",
    "settling.java_v4_9_to_v5_1.apart",
)


@pytest.fixture(params=RUNS)
def claim(request):
    """A refuted claim of each kind with traces."""
    (found,) = select([request.param])
    return found


def test_each_action_is_a_step(claim):
    example = shown(claim).smallest(claim)
    found = played(claim, example)
    assert len(found.steps) == example.departures
    lines = shown(claim).lines(claim, example)
    assert (found.first.words, found.wrong) == (lines[0], lines[-1])
    for step, line in zip(found.steps, lines[1:-1], strict=True):
        assert line.endswith(step.words)
        assert not step.words[0].isdigit()


def test_step_shows_its_state(claim):
    example = shown(claim).smallest(claim)
    found, states = played(claim, example), shown(claim).states(claim, example)
    things = [thing for party in found.parties for thing in party.trace_variables]
    # Nothing of the trace is left out, and nothing is shown twice.
    told = [(thing.variable, thing.place) for thing in things]
    assert len(told) == len(set(told))
    assert {thing.variable for thing in things} == set(states[0]) - {"action", "now"}
    for step, state in zip(found.everything, states, strict=True):
        assert [value.words for value in step.values] == [thing.words(thing.value(state)) for thing in things]
        assert step.at == state.get("now")


def test_changed_values_are_marked(claim):
    found = played(claim, shown(claim).smallest(claim))
    assert not any(value.changed for value in found.first.values)
    for before, step in zip(found.everything, found.steps, strict=False):
        for was, value in zip(before.values, step.values, strict=True):
            assert value.changed == (value.words != was.words)
    assert all(any(step.values[place].changed for step in found.steps) for place in _moving(found))


def _moving(found):
    """Things that have more than one value."""
    every = zip(*([value.words for value in step.values] for step in found.everything), strict=True)
    return [place for place, words in enumerate(every) if len(set(words)) > 1]


def test_lock_has_the_colour_of_its_owner():
    (claim,) = select([RUNS[0]])
    found = played(claim, shown(claim).smallest(claim))
    names = [thing.name for party in found.parties for thing in party.trace_variables]
    seen = {
        (step.values[names.index("lock holder")].words, step.values[names.index("lock holder")].owner)
        for step in found.everything
    }
    assert ("X", "first") in seen
    assert ("Y", "second") in seen
    assert ("none", "nobody") in seen


def test_kind_without_named_things_shows_its_variables(monkeypatch):
    states = [{"action": "begin", "now": 0, "held": [False, False]}, {"action": "a", "now": 5, "held": [True, False]}]
    kind = replace(
        SHOWN,
        types={"action": "Str", "now": "Int", "held": "Seq(Bool)"},
        states=lambda claim, example: states,
        lines=lambda claim, example: ("Given.", "1. c0 joins.", "It is so."),
    )
    monkeypatch.setitem(KINDS, "invented", kind)
    found = played(CLAIM, STEPS)
    (party,) = found.parties
    assert [(thing.name, thing.explained) for thing in party.trace_variables] == [
        ("held 0", "held, a variable of the trace."),
        ("held 1", "held, a variable of the trace."),
    ]
    assert [(step.at, step.words) for step in found.everything] == [(0, "Given."), (5, "c0 joins.")]
    assert [(value.words, value.changed) for value in found.steps[0].values] == [("true", True), ("false", False)]
    one_line_less = replace(kind, lines=lambda claim, example: ("Given.", "It is so."))
    monkeypatch.setitem(KINDS, "invented", one_line_less)
    assert played(CLAIM, STEPS) is None
    at_once = replace(one_line_less, states=lambda claim, example: states[:1])
    monkeypatch.setitem(KINDS, "invented", at_once)
    assert (played(CLAIM, STEPS).steps, len(played(CLAIM, STEPS).first.values)) == ((), 2)


def test_claim_without_actions_is_not_played():
    (claim,) = select(["allocation.avg.disjoint.without-same-cid-all"])
    assert played(claim, shown(claim).smallest(claim)) is None


def test_each_party_name_has_one_meaning():
    every = {}
    for name in RUNS:
        (claim,) = select([name])
        for party in played(claim, shown(claim).smallest(claim)).parties:
            for thing in party.trace_variables:
                assert thing.meaning
                assert every.setdefault(thing.name, thing.explained) == thing.explained
    assert TraceVariable("x", "x").explained == "x, a variable of the trace."


def test_value_is_printed_as_in_the_trace():
    assert [bare(value) for value in ("é", ["é", 1], None)] == ["é", '["é", 1]', "null"]
