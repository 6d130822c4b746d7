"""Every refuted claim can be shown: in words, drawn, as a trace, and by the schema of results.json."""

import json
from xml.etree import ElementTree

import pytest
from jsonschema import Draft202012Validator

from rebalance_proofs.model.allocation import ALL
from rebalance_proofs.model.client import effects
from rebalance_proofs.proofs.claim import Verdict
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.proofs.results import ClaimResult, Search
from rebalance_proofs.report.allocation.caption import caption
from rebalance_proofs.report.allocation.figure import figure, picture
from rebalance_proofs.report.claims.played import trace
from rebalance_proofs.report.json_claim import claim as to_json
from rebalance_proofs.report.kinds import family, smallest
from rebalance_proofs.report.results.json_results import schema
from rebalance_proofs.report.transition import kind as sought
from rebalance_proofs.report.transition.document import story
from rebalance_proofs.report.transition.played import chart
from tests.report import long

FAR = ("allocation.hash.idle", "allocation.hash-go.idle")
"""Seconds away from the smallest group."""
REFUTED = [claim for claim in LEDGER if claim.expected is Verdict.REFUTED]
SHOWN = [pytest.param(claim, id=claim.id, marks=[pytest.mark.slow] if claim.id in FAR else []) for claim in REFUTED]
STRATEGIES = [shown for shown in SHOWN if not family(*shown.values).spelled_out]
TRANSITIONS = [shown for shown in SHOWN if shown.values[0].kind == "transition"]


@pytest.fixture(scope="module")
def of_a_claim():
    """Part of the schema for a claim."""
    whole = schema()
    return Draft202012Validator({"$ref": "#/$defs/claim", "$defs": whole["$defs"]})


@pytest.mark.parametrize("claim", STRATEGIES)
def test_every_refuted_allocation_claim_can_be_shown(claim, of_a_claim):
    example = smallest(claim)
    result = ClaimResult(claim, Verdict.REFUTED, example.sentence, search=Search((), example, True, True, 4))
    document = json.loads(json.dumps(to_json(result)))
    of_a_claim.validate(document)
    shown = document["counterexample"]
    before = example.group.reference
    sides = 1 + bool(before) + bool(before and before.reference)
    assert len(trace(result, example)["states"]) == sides
    assert (shown["compared_with"] is not None) == (sides > 1)
    ElementTree.fromstring(figure(example, "f"))
    ElementTree.fromstring(picture(example))
    lines = caption(example)
    assert list(lines) == shown["caption"]
    if example.group.setting:
        assert lines[: len(shown["notes"])] == tuple(shown["notes"])
    names = [strategy.name for strategy in ALL if "-" in strategy.name]
    assert not [name for name in names if name in " ".join(lines)]
    assert all(queue >= 0 for consumer in shown["consumers"] for queue in consumer["result"])


@pytest.mark.parametrize("claim", TRANSITIONS)
def test_every_refuted_transition_claim_can_be_shown(claim, of_a_claim):
    with long.not_sought():
        example = smallest(claim)
    result = ClaimResult(claim, Verdict.REFUTED, example.sentence, search=Search((), example, True, True, 2))
    document = json.loads(json.dumps(to_json(result)))
    of_a_claim.validate(document)
    shown, lines = document["counterexample"], story(claim, example)
    assert list(lines) == shown["story"]
    assert 4 <= len(lines) <= 8
    assert all(line[0].isupper() and line.endswith(".") for line in lines)
    assert lines[-1] == f"Broken: {example.sentence}"
    assert not [name for name in NAMES if name in " ".join(lines)]
    rounds = len(example.group.rounds)
    traced = trace(result, example)
    assert len(traced["states"]) == rounds + 1
    assert all(set(state) == {"#meta", *traced["vars"]} for state in traced["states"])
    drawn = chart(claim, example)
    assert len(drawn.lines) == len(claim.subjects) * example.queues
    for line in drawn.lines:
        assert len(line.states) == len(line.deeds) + 1 == rounds + 1
    done = sum(len(client["rounds"][number]["effects"]) for client in shown["clients"] for number in range(rounds))
    assert sum(len(deeds) for line in drawn.lines for deeds in line.deeds) == done


@pytest.mark.slow
@pytest.mark.parametrize("claim", long.LONG, ids=lambda claim: claim.id)
def test_known_counterexample_equals_the_search(claim):
    found, known = sought.smallest(claim), long.known(claim)
    assert (found.size, found.sentence, found.group) == (known.size, known.sentence, known.group)


NAMES = [found for name, found in vars(effects).items() if name.isupper() and not found.islower()]
"""Names that the model has for effects, and that are no words."""
