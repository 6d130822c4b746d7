"""Assumptions in words: what excludes cases, what defines a word, and what widens a claim stand apart."""

import pytest

from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.report.assumed import COVERED, DEFINED, assumed, sorted_out


def test_definitions_and_widenings_are_not_printed_as_assumptions():
    phrases = (
        "no broker restart",
        "a round: one wait and one rebalance",
        "with or without a notification",
        "B = q",
    )
    assert sorted_out(phrases) == {
        "assumes": "no broker restart",
        "where": "a round: one wait and one rebalance; B = q",
        "covers": "with or without a notification",
    }


@pytest.mark.parametrize("name", ["ordered.java_v5_2.exact", "ordered.java_v4_9.exact.renewed"])
def test_the_condition_that_a_claim_is_about_is_not_among_its_assumptions(name):
    assumes, _, where = assumed(LEDGER.named(name)).partition(" Where: ")
    assert "the exclusivity condition" in where
    assert "the exclusivity condition" not in assumes


@pytest.mark.parametrize(
    "phrase",
    [
        "no error answers to offset queries: the offset, or no answer",
        "every rebalance after the change succeeds: no exception, no missing answer, no suspended group",
        "pulls of existing offsets only: no message deleted before it is consumed",
        "a rebalance that reaches the queue: known queues and ids, no exception from the strategy",
    ],
)
def test_an_assumption_with_a_colon_stays_one(phrase):
    assert sorted_out([phrase])["assumes"] == phrase


def test_every_definition_is_used_by_some_claim():
    phrases = {one for claim in LEDGER for one in claim.assumes}
    starts = DEFINED.pattern.replace("(", "").partition(")")[0].split("|")
    assert [start for start in starts if not any(one.startswith(f"{start}: ") for one in phrases)] == []
    assert any(map(COVERED.match, phrases))
