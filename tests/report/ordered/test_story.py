"""Runs of two consumers, in words, step by step, and for tools."""

import json

import pytest
from jsonschema import Draft202012Validator

from rebalance_proofs.proofs.claim import Verdict
from rebalance_proofs.proofs.kinds import KINDS
from rebalance_proofs.proofs.results import ClaimResult, Search
from rebalance_proofs.report.claims.played import played, trace
from rebalance_proofs.report.json_claim import claim as to_json
from rebalance_proofs.report.ordered.pauses import ORDERED
from rebalance_proofs.report.results.json_results import schema

REFUTED = [claim for claim in KINDS["ordered"].claims() if not claim.holds]


@pytest.fixture(scope="module")
def of_a_claim():
    """Part of the schema for a claim."""
    return Draft202012Validator({"$ref": "#/$defs/claim", "$defs": schema()["$defs"]})


@pytest.mark.parametrize("claim", REFUTED, ids=lambda claim: claim.id)
def test_every_refuted_claim_can_be_shown(claim, of_a_claim):
    example = ORDERED.smallest(claim)
    result = ClaimResult(claim, Verdict.REFUTED, example.sentence, search=Search((), example, True, True, 2))
    document = json.loads(json.dumps(to_json(result)))
    of_a_claim.validate(document)
    lines = ORDERED.lines(claim, example)
    assert document["counterexample"]["story"] == list(lines)
    assert len(lines) == example.departures + 2
    assert all(line.endswith(".") and "{" not in line for line in lines)
    left_behind = claim.world.prompt
    assert left_behind or "both listeners run" in lines[-2]
    steps = played(claim, example)
    assert steps.whole
    assert steps.wrong == lines[-1]
    states = trace(result, example)["states"]
    assert len(states) == example.departures + 1
    assert states[-1]["runs"] == [not left_behind] * 2
    assert not left_behind or states[-1]["holder"] == 1


def test_story_of_5_2_has_a_line_per_second():
    (claim,) = (claim for claim in REFUTED if claim.id == "ordered.java_v5_2.exclusive.without-time")
    lines = ORDERED.lines(claim, ORDERED.smallest(claim))
    assert lines[4] == "15.506 s: X checks that its lock is recent and calls its listener."
    assert lines[5] == "20.002 s: A rebalance removes the process queue of X."
    assert lines[8:10] == ("20.005 s: Y receives the grant and adds the queue.", "20.505 s: Y pulls messages.")
    assert lines[-1] == "At 20.506 s the listeners of X and Y both run on this queue."
