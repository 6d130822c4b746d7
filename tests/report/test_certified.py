"""Reports have the number of certified formulas, also for each claim, and the reasons for the others."""

import json
from dataclasses import replace

import pytest
from jsonschema import Draft202012Validator

from rebalance_proofs.proofs.certified.found import MISSING, Certificate, digest, to_certify
from rebalance_proofs.report.html import page
from rebalance_proofs.report.results import directory
from rebalance_proofs.report.results.json_results import schema, to_json

ACCEPTED = Certificate("(...)", 3)
CLAIM = "allocation.circle.disjoint"


@pytest.fixture
def run(green):
    """A run in which one formula has no certificate."""
    found = to_certify(green.claims)
    first, *others = found.drawn
    found.add(first, Certificate("", reason="cvc5 was ended"))
    for name in others:
        found.add(name, ACCEPTED)
    return replace(green, certified=found)


@pytest.fixture
def lacking(green):
    """Return a run that lost the certificate of one obligation of the claim, and the obligation's name."""
    found = to_certify(green.claims)
    *others, (name, text) = found.claims[CLAIM].items()
    for stem in found.drawn:
        if stem != digest(text):
            found.add(stem, ACCEPTED)
    return replace(green, certified=found), name, len(others)


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
        every.add(name, ACCEPTED)
    assert replace(green, certified=every).failures == ()


def test_claim_that_lost_a_certificate_is_listed_with_the_reason(lacking):
    run, name, others = lacking
    assert others
    (claim,) = (one for one in to_json(run)["claims"] if one["id"] == CLAIM)
    Draft202012Validator(schema()).validate(json.loads(json.dumps(to_json(run))))
    assert claim["certified"] == {
        "obligations": others + 1,
        "tried": others + 1,
        "certified": others,
        "uncertified": [{"obligation": name, "reason": MISSING}],
    }
    said = f"Obligations certified: {others} of {others + 1}. Not certified: {name}: {MISSING}."
    assert said in page(run)
    assert f"Obligations certified: {others} of {others + 1}" not in page(replace(run, certified=None))
    assert run.exit_status == 1


def test_claim_has_the_number_of_its_certified_obligations(lacking, green):
    run, _, others = lacking
    for stem in run.certified.drawn:
        run.certified.add(stem, ACCEPTED)
    claims = {one["id"]: one.get("certified") for one in to_json(run)["claims"]}
    assert claims[CLAIM] == {
        "obligations": others + 1,
        "tried": others + 1,
        "certified": others + 1,
        "uncertified": [],
    }
    assert claims["allocation.circle.contiguous"] is None
    assert f"Obligations certified: {others + 1} of {others + 1}.</p>" in page(run)
    assert all("certified" not in one for one in to_json(green)["claims"])


def test_claim_of_a_sample_has_the_number_of_obligations_that_were_not_drawn(green):
    found = to_certify(green.claims, 1, seed=1)
    ((stem, _),) = found.drawn.items()
    found.add(stem, ACCEPTED)
    shares = {claim: found.share(claim) for claim in found.claims}
    drawn = {claim: [digest(text) for text in of.values()].count(stem) for claim, of in found.claims.items()}
    assert {claim: share.certified for claim, share in shares.items()} == drawn
    share, number = shares[CLAIM], len(found.claims[CLAIM])
    assert str(share) == f"certified: {drawn[CLAIM]} of {number} ({number - drawn[CLAIM]} not drawn)"
