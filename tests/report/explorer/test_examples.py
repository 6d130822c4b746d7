"""Example groups that pages name for a claim: the command reproduces the claim's violation."""

import pytest

from rebalance_proofs.proofs.claim import Verdict
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.report.explorer.enumeration import EXAMPLES, example_of
from tests.spark_enum.explorer.exploring import gone_through

EXPECTED = {claim.id: claim.expected for claim in LEDGER}
FAR = 16
"""Moves, within which all of it is found."""


def _told(example):
    told = example.subject.document(example.settings)
    return told | {"faults": tuple(told["faults"])}


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_example_group_shows_what_its_claim_says(example):
    explored = gone_through(example.model, most=FAR, settle=False, **_told(example))
    found = {claim for one in explored.found for claim in one.watch.claims}
    said = {claim for watch in explored.model.watches for claim in watch.claims}
    refuted = {claim for claim in said if EXPECTED[claim] is Verdict.REFUTED}
    assert refuted
    assert refuted <= found
    assert any(example_of(claim) is example for claim in refuted)  # it is there for something


def test_claim_without_an_example_group_has_none():
    assert example_of("allocation.avg.balanced") is None
    assert example_of("offsets.java_v5.not-skipped") is None  # it is watched for, and never found
