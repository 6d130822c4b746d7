"""Claims about several topics, and their expected verdicts."""

from dataclasses import replace

import pytest

from rebalance_proofs.model.topics import STRATEGIES, TOPICS
from rebalance_proofs.proofs.claim import EXISTS, Verdict
from rebalance_proofs.proofs.topics.claims import ANY_TOPICS, GUARANTEES, claims

REFUTED = {
    "topics.avg-per-topic.level",
    "topics.circle-per-topic.level",
    "topics.kafka-range.level",
    "topics.avg-one-list.attained",
    "topics.circle-one-list.attained",
    "topics.kafka-round-robin.attained",
}


def test_every_topic_strategy_has_every_claim():
    expected = [f"topics.{strategy.name}.{guarantee.name}" for strategy in STRATEGIES for guarantee in GUARANTEES]
    assert [claim.id for claim in claims()] == expected


def test_refuted_topic_claims_are_listed():
    assert {claim.id for claim in claims() if claim.expected is Verdict.REFUTED} == REFUTED


@pytest.mark.parametrize("claim", claims(), ids=lambda claim: claim.id)
def test_topic_proof_is_for_all_topics_and_has_obligations(claim):
    proved = claim.expected is Verdict.PROVED
    assert claim.scope == (ANY_TOPICS if proved else EXISTS)
    assert claim.obligations == (claim.guarantee.obligations(claim.world) if proved else ())
    assert claim.world is TOPICS
    assert claim.sentence == f"{claim.subjects[0].rocketmq_name}: {claim.guarantee.sentence}."
    assert claim.source.startswith("https://")


@pytest.mark.parametrize("strategy", STRATEGIES, ids=lambda strategy: strategy.name)
def test_every_topic_guarantee_is_held_or_fails(strategy):
    assert strategy.holds | strategy.fails == {guarantee.name for guarantee in GUARANTEES}
    assert not strategy.holds & strategy.fails


def test_only_held_topic_guarantees_are_expected_to_be_proved():
    (level, *_) = claims((replace(STRATEGIES[0], holds=frozenset({"level"})),))
    assert level.expected is Verdict.PROVED
