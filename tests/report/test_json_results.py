"""results.json conforms to its published schema, and has the content of the records."""

import json
from dataclasses import replace

import pytest
from jsonschema import Draft202012Validator, ValidationError

from rebalance_proofs.proofs.claim import Verdict
from rebalance_proofs.proofs.ledger import LEDGER, select
from rebalance_proofs.proofs.results import ClaimResult, Search
from rebalance_proofs.report.json_claim import claim as to_json_of
from rebalance_proofs.report.kinds import smallest
from rebalance_proofs.report.results.json_results import schema, to_json
from tests.report.groups import smallest_of
from tests.report.runs import DEPENDENT


@pytest.fixture(scope="module")
def validator():
    return Draft202012Validator(schema())


def described(node):
    """Every property of every object in the schema."""
    if isinstance(node, dict):
        yield from node.get("properties", {}).items()
        for child in node.values():
            yield from described(child)


def test_schema_is_valid():
    Draft202012Validator.check_schema(schema())
    assert schema()["$id"] == "results.schema.json"


def test_schema_describes_every_field():
    nodes = schema()
    shared = {f"#/$defs/{name}" for name, definition in nodes["$defs"].items() if "description" in definition}
    missing = [
        name for name, field in described(nodes) if "description" not in field and field.get("$ref") not in shared
    ]
    assert missing == []


def test_green_run_conforms_to_the_schema(validator, green):
    validator.validate(json.loads(json.dumps(to_json(green))))


def test_broken_runs_conform_to_the_schema(validator, broken):
    validator.validate(json.loads(json.dumps(to_json(broken))))


def test_schema_refuses_unknown_fields(validator, green):
    with pytest.raises(ValidationError, match="Additional properties"):
        validator.validate(to_json(green) | {"verdict": "PROVED"})


def test_proved_claim_has_its_fields(green):
    claim = to_json(green)["claims"][0]
    assert (claim["id"], claim["verdict"], claim["dropped_premise"]) == ("allocation.circle.disjoint", "PROVED", None)
    exclusive = claim["obligations"][0]
    assert exclusive["proved"]
    assert exclusive["premises_replay"]
    assert {answer["solver"]: answer["outcome"] for answer in exclusive["proof"]["answers"]} == {
        "z3": "unsat",
        "cvc5": "unsat",
    }
    assert [(mutant["name"], mutant["noticed_by"]) for mutant in claim["mutants"]] == [("ge-for-eq", ["exclusive"])]
    assert claim["counterexample"] is None


def test_refuted_claim_has_its_fields(green):
    claim = next(claim for claim in to_json(green)["claims"] if claim["id"] == DEPENDENT)
    example = claim["counterexample"]
    assert claim["dropped_premise"] == "same-cid-all"
    assert [consumer["cid_all"] for consumer in example["consumers"]] == [["c0"], ["c1"]]
    assert [consumer["result"] for consumer in example["consumers"]] == [[0], [0]]
    assert (example["owned_by_several"], example["owned_by_nobody"]) == ([0], [])
    assert claim["search"]["minimal"]


def test_comparison_has_both_sides(green):
    example = smallest_of("clients.hash+hash-go.same")
    (claim,) = select(["clients.hash+hash-go.same"])
    result = ClaimResult(claim, Verdict.REFUTED, "", search=Search((), example, True, True, 4))
    found = to_json(replace(green, claims=(result,)))["claims"][0]
    other = found["counterexample"]["compared_with"]
    assert (found["family"], other["kind"], other["places"]) == ("clients", "clients", [0, 1])
    assert other["changes"] == [{"queue": 0, "before": [0], "after": [1]}]
    assert other["consumers"][0]["strategy_label"] == "CONSISTENT_HASH of the Go client"
    assert found["counterexample"]["consumers"][0]["result"] == []
    assert found["counterexample"]["notes"]


def test_run_of_a_described_kind_has_only_its_own_form():
    of_claim = Draft202012Validator({"$ref": "#/$defs/claim", "$defs": schema()["$defs"]})
    claim = next(one for one in LEDGER if one.kind == "pulls" and one.expected is Verdict.REFUTED)
    example = smallest(claim)
    result = ClaimResult(claim, Verdict.REFUTED, example.sentence, search=Search((), example, True, True, 2))
    document = json.loads(json.dumps(to_json_of(result)))
    limit = document["counterexample"].pop("limit")
    document["counterexample"]["limits"] = {"limit": limit}
    with pytest.raises(ValidationError):
        of_claim.validate(document)
    of_claim.validate(document | {"family": "counting"})
