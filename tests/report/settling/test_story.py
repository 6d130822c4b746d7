"""Runs of a rebalance thread, in words, drawn, and for tools."""

import json
from xml.etree import ElementTree

import pytest
from jsonschema import Draft202012Validator

from rebalance_proofs.proofs.claim import Verdict
from rebalance_proofs.proofs.results import ClaimResult, Search
from rebalance_proofs.proofs.settling.claims import claims
from rebalance_proofs.proofs.settling.inductive import ACTIONS
from rebalance_proofs.proofs.settling.schedule import OBSERVES
from rebalance_proofs.report.itf import trace
from rebalance_proofs.report.json_claim import claim as to_json
from rebalance_proofs.report.json_results import schema
from rebalance_proofs.report.settling.kind import SETTLING
from rebalance_proofs.report.settling.story import DEEDS

REFUTED = [claim for claim in claims() if not claim.holds]


@pytest.mark.parametrize("claim", REFUTED, ids=lambda claim: claim.id)
def test_a_run_can_be_shown(claim):
    example = SETTLING.smallest(claim)
    result = ClaimResult(claim, Verdict.REFUTED, example.sentence, search=Search((), example, True, True, 1))
    document = json.loads(json.dumps(to_json(result)))
    Draft202012Validator({"$ref": "#/$defs/claim", "$defs": schema()["$defs"]}).validate(document)
    lines = SETTLING.lines(claim, example)
    assert document["counterexample"]["story"] == list(lines)
    assert len(lines) == example.departures + 2
    assert all(line.endswith(".") for line in lines)
    svg = ElementTree.fromstring(SETTLING.figure(claim, example))
    texts = [node.text for node in svg.iter() if node.tag.endswith("text")]
    assert lines[-1] in texts
    states = trace(result, example)["states"]
    assert len(states) == example.departures + 1
    assert states[0]["action"] == "begin"
    assert SETTLING.size(example) == f"1 consumer, {example.departures} actions"


def test_what_holds_has_no_run():
    held = next(claim for claim in claims() if claim.holds)
    with pytest.raises(LookupError, match="the thread does not come to that in 16 ticks"):
        SETTLING.smallest(held)


def test_every_action_has_words():
    assert set(DEEDS) == {*ACTIONS, OBSERVES}


def test_the_run_in_which_a_wake_up_is_lost():
    (claim,) = (claim for claim in REFUTED if claim.id == "settling.java_v5_2_to_v5_3.woken.without-timely")
    assert SETTLING.lines(claim, SETTLING.smallest(claim)) == (
        "One client: the thread waits for 20 s, a rebalance takes at most 3 s, two of them are apart by at least 1 s.",
        "0.000 s: What the client is told when it asks changes.",
        "0.000 s: The thread looks whether it was woken: it was not.",
        "0.000 s: The client is notified of that: its flag is set.",
        "0.000 s: The wake-up opens the latch.",
        "0.000 s: It resets its latch, and begins to wait.",
        "7.001 s: One looks at the client's tables.",
        "7.001 s after the notification no rebalance has seen the change.",
    )
