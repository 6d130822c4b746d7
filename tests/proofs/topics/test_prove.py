"""The claims about topics, judged by both solvers: proofs, mutants, smallest counterexamples."""

import asyncio
from itertools import product

import pytest

from rebalance_proofs.model.topics import STRATEGIES
from rebalance_proofs.proofs.allocation.search import first_violation
from rebalance_proofs.proofs.claim import Verdict
from rebalance_proofs.proofs.prove import Options, prove
from rebalance_proofs.proofs.results import ClaimResult
from rebalance_proofs.proofs.solvers import Outcome
from rebalance_proofs.proofs.topics.claims import claims
from tests.each import each

CLAIMS = claims()
PROVED = [claim for claim in CLAIMS if claim.expected is Verdict.PROVED]
REFUTED = [claim for claim in CLAIMS if claim.expected is Verdict.REFUTED]


@pytest.fixture(scope="module")
def judged(proved) -> dict[str, ClaimResult]:
    """Results by claim id."""
    return {claim.id: proved[claim.id] for claim in CLAIMS if claim.id in proved}


@each("claim", CLAIMS, ids=lambda claim: claim.id, within="judged")
def test_topic_claims_have_the_expected_verdicts(claim, judged):
    result = judged[claim.id]
    assert (result.verdict, result.green) == (claim.expected, True), result.reason
    assert {tuple(answer.solver for answer in question.answers) for question in result.questions} == {("z3", "cvc5")}


@each("claim", PROVED, ids=lambda claim: claim.id, within="judged")
def test_topic_obligations_are_proved_and_pass_the_mutation_test(claim, judged):
    result = judged[claim.id]
    assert [step.name for step in result.obligations[:2]] == [
        f"{claim.guarantee.name}.{part}" for part in ("base", "step")
    ]
    assert {step.name for step in claim.obligations} <= {step.name for step in result.obligations}
    assert all(step.proved and step.satisfiable and step.replays for step in result.obligations)


@each(
    ("strategy", "mutant"),
    [
        pytest.param(strategy, mutant, id=f"topics.{strategy.name}.{mutant.breaks}")
        for strategy in STRATEGIES
        for mutant in strategy.mutants
    ],
    within="judged",
)
def test_topic_mutants_break_their_claims(strategy, mutant, judged):
    tried = {result.name: result for result in judged[f"topics.{strategy.name}.{mutant.breaks}"].mutants}
    result = tried[mutant.name]
    assert result.noticed_by
    assert result.violation.outcome is Outcome.SAT
    assert result.killed


@each("claim", REFUTED, ids=lambda claim: claim.id, within="judged")
def test_smallest_topic_counterexample_equals_brute_force(claim, judged):
    found = judged[claim.id].search
    sizes = product(range(1, 3), range(1, 7))
    examples = (first_violation(claim.guarantee, claim.world, claim.subjects, n, q) for n, q in sizes)
    assert found.counterexample == next(example for example in examples if example)
    assert (found.minimal, found.replays) == (True, True)


@each("claim", REFUTED, ids=lambda claim: claim.id, within="judged")
def test_smallest_topic_group_has_two_consumers_and_two_topics(claim, judged):
    example = judged[claim.id].search.counterexample
    assert (example.consumers, example.queues, example.values) == (2, 2, (1,))
    assert example.group.setting.notes == ("Topic T0 has queue 0, topic T1 has queue 1.",)


def test_smallest_topic_violation_has_the_expected_reason(judged):
    reasons = {claim_id: result.reason for claim_id, result in judged.items() if result.reason}
    assert set(reasons) == {claim.id for claim in REFUTED if claim.id in judged}
    assert reasons["topics.avg-per-topic.level"] == "c0 has 2 queues, c1 has 0."
    assert reasons["topics.kafka-round-robin.attained"] == "c0 has 1 of 2 topics with one queue each, not 2."


@pytest.mark.slow
def test_topic_proofs_are_stable_under_twenty_variants():
    for result in asyncio.run(prove(PROVED, Options(stability=20, teeth=False, width=False))):
        assert (result.claim.id, result.verdict, result.reason) == (result.claim.id, Verdict.PROVED, "")
