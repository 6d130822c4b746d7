"""Runs of a member and a broker, in words."""

import pytest

from rebalance_proofs.proofs.kinds import KINDS
from rebalance_proofs.report.kinds import KINDS as SHOWN

REGISTRY, CLAIMS = SHOWN["registry"], KINDS["registry"].claims()

REFUTED = [claim for claim in CLAIMS if not claim.holds]


@pytest.mark.parametrize("claim", REFUTED, ids=lambda claim: claim.id)
def test_size_of_a_run_is_printed(claim):
    example = REGISTRY.smallest(claim)
    assert REGISTRY.size(example) == f"1 consumer, 1 broker, {example.departures} actions"


@pytest.mark.parametrize("claim", REFUTED, ids=lambda claim: claim.id)
def test_broker_answers_are_listed_in_json_and_one_string_in_the_trace(claim):
    example = REGISTRY.smallest(claim)
    actions, states = REGISTRY.document(claim, example)["actions"], REGISTRY.states(claim, example)
    assert [" ".join(action["answer"]) for action in actions] == [state["answer"] for state in states[1:]]
    for seen, action in zip(example.group.seen, actions, strict=True):
        assert action["answer"].count("X") == seen.state.mine + seen.state.old
        assert ("Y" in action["answer"]) is seen.state.others


def test_claim_that_holds_has_no_run():
    held = next(claim for claim in CLAIMS if claim.holds)
    with pytest.raises(LookupError, match="member and broker do not reach this in 15 ticks"):
        REGISTRY.smallest(held)


def test_every_world_has_its_condition():
    assert all(claim.world.row.startswith("if ") for claim in CLAIMS if not claim.world.dropped)


def told(name):
    (claim,) = (claim for claim in REFUTED if claim.id == name)
    return REGISTRY.lines(claim, REGISTRY.smallest(claim))


def test_story_of_a_slow_heartbeat_that_is_registered():
    assert told("registry.java_v4_9_to_v5_3.once.without-order") == (
        "One member X, one broker. Limits: a scan removes channels that were silent for more than 120 s.",
        "0.000 s: X starts and connects to the broker.",
        "0.000 s: X opens a new connection.",
        "0.000 s: The broker registers a heartbeat from an earlier connection of X after that connection has ended: "
        "it now lists [X].",
        "0.000 s: A heartbeat of X reaches the broker, which looks up the group's record.",
        "0.000 s: The broker registers the heartbeat of X: it now lists [X, X].",
        "0.000 s: A client queries the member list.",
        "The broker answers [X, X]: the list has the id of one member twice.",
    )


def test_scans_that_remove_nobody_are_counted():
    lines = told("registry.java_v4_9_to_v5_3.agree.without-heartbeats")
    assert "Until then: 13 scans, which remove no member." in lines


def test_restart_is_described_with_the_brokers_answers():
    lines = told("registry.java_v4_9_to_v5_3.listed.without-restart")
    assert "0.000 s: The broker restarts: it now has an empty list and answers an error." in lines


def test_route_lookup_asks_no_broker():
    lines = told("registry.java_v4_9_to_v5_3.routed.without-polls")
    assert "30.001 s: The client's route is inspected." in lines
