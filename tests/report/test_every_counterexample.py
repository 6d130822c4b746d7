"""Every claim that fails can be shown: in words, drawn, as a trace, and by the schema of results.json."""

import json
from xml.etree import ElementTree

import pytest
from jsonschema import Draft202012Validator

from model.allocation import ALL
from proofs.claim import Verdict
from proofs.ledger import LEDGER
from proofs.results import ClaimResult, Search
from report.caption import caption
from report.figure import figure
from report.itf import trace
from report.json_claim import claim as to_json
from report.json_results import schema
from report.picture import picture
from report.smallest import smallest

LONG = ("allocation.hash.idle",)
"""Seconds away from the smallest group."""
REFUTED = [
    pytest.param(claim, id=claim.id, marks=[pytest.mark.slow] if claim.id in LONG else [])
    for claim in LEDGER
    if claim.expected is Verdict.REFUTED
]


@pytest.fixture(scope="module")
def of_a_claim():
    """The part of the schema that describes a claim."""
    whole = schema()
    return Draft202012Validator({"$ref": "#/$defs/claim", "$defs": whole["$defs"]})


@pytest.mark.parametrize("claim", REFUTED)
def test_it_can_be_shown(claim, of_a_claim):
    example = smallest(claim)
    result = ClaimResult(claim, Verdict.REFUTED, example.sentence, search=Search((), example, True, True, 4))
    document = json.loads(json.dumps(to_json(result)))
    of_a_claim.validate(document)
    shown = document["counterexample"]
    sides = 2 if example.group.reference else 1
    assert len(trace(result, example)["states"]) == sides
    assert (shown["compared_with"] is not None) == (sides == 2)
    ElementTree.fromstring(figure(example, "f"))
    ElementTree.fromstring(picture(example))
    lines = caption(example)
    assert list(lines) == shown["caption"]
    if example.group.setting:
        assert lines[: len(shown["notes"])] == tuple(shown["notes"])
    names = [strategy.name for strategy in ALL if "-" in strategy.name]
    assert not [name for name in names if name in " ".join(lines)]
    assert all(queue >= 0 for consumer in shown["consumers"] for queue in consumer["result"])
