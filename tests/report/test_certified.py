"""Reports have the number of formulas with certificates, and the reasons for the others."""

import json
from dataclasses import replace

import pytest
from jsonschema import Draft202012Validator

from rebalance_proofs.proofs.certified.found import Certificate, to_certify
from rebalance_proofs.report.results import directory
from rebalance_proofs.report.results.json_results import schema, to_json


@pytest.fixture
def run(green):
    """A run in which one formula has no certificate."""
    found = to_certify(green.claims)
    first, *others = found.drawn
    found.add(first, Certificate("", reason="cvc5 was ended"))
    for name in others:
        found.add(name, Certificate("(...)", 3))
    return replace(green, certified=found)


def test_reports_have_the_number_of_certificates(run, tmp_path):
    number = run.certified.formulas
    assert number > 1
    said = f"Certificates: {number - 1} of {number} formulas"
    directory.write(run, tmp_path)
    for name in ("report.html", "summary.md"):
        assert said in (tmp_path / name).read_text(encoding="utf-8")


def test_results_have_the_obligations_without_a_certificate(run, green):
    document = json.loads(json.dumps(to_json(run)))
    Draft202012Validator(schema()).validate(document)
    number = run.certified.formulas
    found = document["certified"]
    assert {name: found[name] for name in ("certified", "drawn", "formulas")} == {
        "certified": number - 1,
        "drawn": number,
        "formulas": number,
    }
    assert {one["reason"] for one in found["uncertified"]} == {"cvc5 was ended"}
    assert "certified" not in to_json(green)


def test_missing_certificate_fails_the_run(run, green):
    number = run.certified.formulas
    assert run.failures == (f"1 of {number} formulas have no accepted certificate",)
    assert (run.exit_status, green.exit_status) == (1, 0)
    every = to_certify(green.claims)
    for name in every.drawn:
        every.add(name, Certificate("(...)", 3))
    assert replace(green, certified=every).failures == ()
