"""Behaviours of a machine, step by step: sets of states, and the report when none is left."""

import pytest

from rebalance_proofs.model.client.service_thread import RUNS, WAITS
from rebalance_proofs.model.machines.settling import CLIENTS, DEFAULTS, SETTLING
from rebalance_proofs.recorded.cluster import follow
from rebalance_proofs.recorded.cluster.follow import Follower, does
from rebalance_proofs.recorded.cluster.tally import BEHAVIOURS, TOO_MANY, Tally, Unexplained
from rebalance_proofs.recorded.groups.event import Event

OLDER, NEWER, _ = CLIENTS
WAITING = (does("looks"), does("resets"))
ROUND = (does("wakes"), does("clears"), does("begins"))


def follower(client=OLDER):
    made = Follower(SETTLING, client, DEFAULTS, Tally("settling", BEHAVIOURS))
    made.begin(SETTLING.begun(DEFAULTS, client))
    return made


def test_hidden_steps_are_taken_and_counted():
    found = follower()
    found.show(Event(at=5, who="c0"), [WAITING], "")
    assert {state.at for state in found.states} == {WAITS}
    found.show(Event(at=20_005, who="c0"), [ROUND], "")
    assert {state.at for state in found.states} == {RUNS}
    assert found.tally.hidden == 3
    assert found.tally.shown["begins"] == 1


def test_too_early_event_is_reported_with_the_false_guard():
    found = follower()
    found.show(Event(at=5, who="c0"), [WAITING], "")
    with pytest.raises(Unexplained) as caught:
        found.show(Event(at=20_004, who="c0"), [ROUND], "no cause")
    assert caught.value.why == "no cause"
    assert "since=5" in caught.value.states[0]
    assert caught.value.nearest == (
        "wakes (The wait of the rebalance thread ends): (or open (>= now (+ since interval))) is false",
    )


def test_due_event_is_possible_from_its_time_on():
    found = follower()
    found.show(Event(at=5, who="c0"), [WAITING], "")
    (state,) = found.states
    assert not found.able(state, "wakes", 20_004)
    assert found.able(state, "wakes", 20_005)


def test_unknown_choice_keeps_both_alternatives():
    found = follower(NEWER)
    found.show(Event(at=1_000, who="c0"), [(*WAITING, does("stirs"), does("counts", more=0), *ROUND)], "")
    found.show(Event(at=1_500, who="c0"), [(does("ends", seen=0),)], "")
    assert {state.interval for state in found.states} == {DEFAULTS.wait, DEFAULTS.least}


def test_irrelevant_differences_are_merged():
    found = follower()
    (state,) = found.states
    assert found.alike(state.but(began=7, change=9, woken=True)) == found.alike(state)


def test_too_many_states_are_told_as_a_limit_of_the_checker(monkeypatch):
    monkeypatch.setattr(follow, "MOST", 0)
    with pytest.raises(Unexplained, match=f"^{TOO_MANY}$"):
        follower().show(Event(at=5, who="c0"), [WAITING], "not possible")
