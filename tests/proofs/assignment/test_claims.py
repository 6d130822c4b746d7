"""Claims about the broker's assignment: their obligations on the broker's code, and their verdicts."""

from functools import cache
from itertools import product

import pytest

from rebalance_proofs.model.assignment import STRATEGIES
from rebalance_proofs.proofs.allocation.observed import observed
from rebalance_proofs.proofs.allocation.search import first_violation
from rebalance_proofs.proofs.assignment.claims import ANY_SHARE, GUARANTEES, claims
from rebalance_proofs.proofs.claim import EXISTS, Verdict
from rebalance_proofs.proofs.movement.lemmas import SPREAD
from tests.each import each
from tests.proofs.met import met

CLAIMS = claims()
REFUTED = {
    "exact": (3, 1, (2,), "queue 0 has 3 readers, not 2."),
    "backed-up": (3, 2, (2,), "queue 1 has 1 reader, although k is 1."),
    "balanced": (4, 6, (2,), "c0 has 4 queues, c2 has 2."),
    "no-fewer": (3, 2, (2, 0), "queue 1 has 1 of 2 readers left after c0 joined."),
    "monotone": (4, 2, (2, 0), "c1 gains queue 1 when c0 joins."),
    "unmixed": (2, 1, (0, 1, 0), "queue 0 is pulled by c0 and popped by c1."),
    "unlisted": (1, 1, (0, 1), "c0, which is not in cidAll, reads queue 0."),
    "pop-avg+circle": (3, 4, (2, 0, 1, 1), "queue 3 has no consumer."),
    "pop-circle+avg": (3, 5, (2, 1, 0, 1), "queue 3 has no consumer."),
}
"""Guarantee, or pair of strategies -> members, queues, digits and sentence of the smallest counterexample."""
STEPS = {step.name: step for claim in CLAIMS for step in claim.obligations if step is not SPREAD}
RANGES = {"q": range(1, 7), "c": range(1, 6), "k": range(-1, 6), "requested": range(3), "default": range(2)}
AT_MOST = 12_000


def test_every_pop_strategy_has_every_claim():
    one, *others = STRATEGIES
    names = [claim.id.partition(f".{one.name}.")[2] for claim in CLAIMS if claim.subjects == (one,)]
    assert len(names) == len(GUARANTEES)
    for other in others:
        assert [claim.id for claim in CLAIMS if claim.subjects == (other,)] == [
            f"assignment.{other.name}.{name}" for name in names
        ]


@pytest.mark.parametrize("strategy", STRATEGIES, ids=lambda one: one.name)
def test_every_pop_guarantee_is_held_or_fails(strategy):
    assert strategy.holds | strategy.fails == {guarantee.name for guarantee, _, _ in GUARANTEES}
    assert not strategy.holds & strategy.fails
    assert strategy.fails == {name for name in REFUTED if not name.startswith("pop-")}


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_pop_proof_is_for_all_numbers_and_has_obligations(claim):
    assert claim.scope == (ANY_SHARE if claim.holds else EXISTS)
    assert bool(claim.obligations) == claim.holds


@cache
def rows(names):
    every = list(product(*(RANGES.get(name, range(5)) for name in names)))
    return every[:: -(-len(every) // AT_MOST)]


@pytest.mark.parametrize("name", STEPS)
@pytest.mark.parametrize("strategy", STRATEGIES, ids=lambda one: one.name)
def test_pop_obligation_holds_for_the_code(strategy, name):
    step = STEPS[name]
    given = (dict(zip(step.variables, row, strict=True)) for row in rows(step.variables))
    inside = (one for one in given if all(one.get(index, 0) < one.get("c", 9) for index in "ijo"))
    inside = (one for one in inside if one.get("p", 0) < one.get("q", 9) and max(one.get("k", 0), 0) < 6)
    found = list(met(step, observed(strategy), inside))
    assert found
    assert not [values for values, holds in found if not holds]


@pytest.mark.parametrize("claim", [one for one in CLAIMS if not one.holds], ids=lambda claim: claim.id)
def test_smallest_pop_counterexample_is_known(claim):
    sizes = ((n, q) for n in range(1, 5) for q in range(1, 8))
    found = (first_violation(claim.guarantee, claim.world, claim.subjects, n, q) for n, q in sizes)
    example = next(one for one in found if one)
    name = claim.id.split(".")[1] if len(claim.subjects) == 2 else claim.guarantee.name
    assert (example.consumers, example.queues, example.values, example.sentence) == REFUTED[name]


@each("claim", CLAIMS, ids=lambda claim: claim.id, within="proved")
def test_pop_claims_have_the_expected_verdicts(claim, proved):
    result = proved[claim.id]
    assert (result.verdict, result.green) == (claim.expected, True), result.reason
    if claim.expected is Verdict.PROVED:
        assert all(step.proved and step.satisfiable for step in result.obligations)
    assert all(mutant.killed for mutant in result.mutants)
