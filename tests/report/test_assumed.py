"""The printed line of assumptions, and where claims declare assumptions, definitions and covered cases."""

import re

import pytest

from rebalance_proofs.proofs import claim as claims
from rebalance_proofs.proofs.claim import Claim, defined, undefined
from rebalance_proofs.proofs.guarantee import LONGEST
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.report.claims.runs import assumed
from tests.each import each

COVERS = re.compile(r"any |whatever |with or without ")
DEFINES = re.compile(r"(?!every |no )(\S+ ){0,3}\S+: |\S+ = ")
"""A name of at most four words with a colon, or an equation."""


def test_definitions_and_covered_cases_follow_the_assumptions():
    words = assumed(LEDGER.named("settling.java_v5_2_to_v5_3.waits"))
    assert words.startswith("Assumes: no wake-up since ")
    assert words.endswith(
        ". Where: an unbalanced group: one that does not work on exactly the queues of its share; "
        "maxRebalance: the longest rebalance of all groups of the process."
    )
    assert assumed(LEDGER.named("settling.java_v5_2_to_v5_3.settles")).endswith(
        " Covers: with or without a notification of the change."
    )


@pytest.mark.parametrize("name", ["ordered.java_v5_2.exact", "ordered.java_v4_9.exact.renewed"])
def test_condition_of_a_claim_is_not_among_its_assumptions(name):
    assumes, _, where = assumed(LEDGER.named(name)).partition(" Where: ")
    assert "the exclusivity condition" in where
    assert "the exclusivity condition" not in assumes


@each("claim", LEDGER, ids=lambda claim: claim.id)
def test_each_phrase_is_declared_as_what_it_is(claim: Claim) -> None:
    assert [phrase for phrase in claim.assumes if COVERS.match(phrase) or DEFINES.match(phrase)] == []
    assert [phrase for phrase in claim.where if ": " not in phrase and " = " not in phrase] == []
    assert [phrase for phrase in claim.covers if not COVERS.match(phrase)] == []


@each("claim", LEDGER, ids=lambda claim: claim.id)
def test_each_time_limit_is_defined(claim: Claim) -> None:
    words = " ".join((claim.sentence, assumed(claim)))
    assert undefined(words, claim.where) == ()


def test_missing_definition_of_a_time_limit_is_noticed(monkeypatch):
    monkeypatch.setattr(claims, "defined", lambda words: defined(words.replace("maxLateRequest", "")))
    claim = LEDGER.named("ordered.java_v4_9.exclusive")
    assert undefined(assumed(claim), claim.where) == ("maxLateRequest",)


def test_settings_in_code_quotes_need_no_definition():
    assert defined("`rocketmq.client.rebalance.lockMaxLiveTime` and `maxRebalance`") == ()
    assert undefined("a > `maxTimeConsumeContinuously` + maxListenerTime", ()) == ("maxListenerTime",)


@each("claim", LEDGER, ids=lambda claim: claim.id)
def test_phrases_are_short_unless_they_are_formulas(claim: Claim) -> None:
    phrases = (*claim.assumes, *claim.where, *claim.covers)
    assert [phrase for phrase in phrases if len(phrase.split()) > LONGEST and "<=" not in phrase] == []


@pytest.mark.parametrize(
    ("phrase", "covers", "defines"),
    [
        ("any subscription versions", True, False),
        ("whatever the listener returns meanwhile", True, False),
        ("a round: one wait and one rebalance", False, True),
        ("maxListenerTime: one listener call with hooks", False, True),
        ("B = q", False, True),
        ("no error answers to offset queries: the broker sends the offset or does not answer", False, False),
        ("pulls of existing offsets only: no message deleted before it is consumed", False, False),
    ],
)
def test_misplaced_phrases_are_recognised(phrase, covers, defines):
    assert (bool(COVERS.match(phrase)), bool(DEFINES.match(phrase))) == (covers, defines)
