"""Assertion that a trace can be shown: in words, drawn or step by step, in results.json, and as an ITF file."""

import json
from xml.etree import ElementTree

from jsonschema import Draft202012Validator

from rebalance_proofs.proofs.claim import Claim, Verdict
from rebalance_proofs.proofs.results import ClaimResult, Counterexample, Search
from rebalance_proofs.report.claims.played import played, trace
from rebalance_proofs.report.json_claim import claim as to_json
from rebalance_proofs.report.results.json_results import schema
from rebalance_proofs.report.shown import Shown


def assert_shown(kind: Shown, claim: Claim, left_out: int = 0) -> Counterexample:
    """The claim's smallest counterexample, after all its forms were checked; ``left_out``: actions without a line."""
    example = kind.smallest(claim)
    result = ClaimResult(claim, Verdict.REFUTED, example.sentence, search=Search((), example, True, True, 2))
    document = json.loads(json.dumps(to_json(result)))
    Draft202012Validator({"$ref": "#/$defs/claim", "$defs": schema()["$defs"]}).validate(document)
    lines = kind.lines(claim, example)
    assert document["counterexample"]["story"] == list(lines)
    assert len(lines) == example.departures + 2 - left_out
    assert all(line.endswith(".") for line in lines)
    if kind.figure:
        svg = ElementTree.fromstring(kind.figure(claim, example))
        texts = [node.text for node in svg.iter() if node.tag.endswith("text")]
        assert lines[-1] in texts
    else:
        steps = played(claim, example)
        assert steps.whole
        assert steps.wrong == lines[-1]
    states = trace(result, example)["states"]
    assert len(states) == example.departures + 1
    assert states[0]["action"] == "begin"
    return example
