"""Claims about each strategy, and their expected verdicts."""

from dataclasses import replace

import pytest

from rebalance_proofs.model.allocation import STRATEGIES
from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.premises import PREMISES
from rebalance_proofs.model.worlds.groups import AGREED
from rebalance_proofs.proofs.allocation.claims import GUARANTEES, WITHOUT, claims
from rebalance_proofs.proofs.claim import Verdict
from tests.each import each

BY_ID = {claim.id: claim for claim in claims()}
ALONE = [world for world in PREMISES if world.subjects == 1]


def ids(*strategies):
    return {claim.id for claim in claims(strategies)}


@pytest.mark.parametrize("guarantee", GUARANTEES, ids=lambda guarantee: guarantee.name)
@pytest.mark.parametrize("strategy", STRATEGIES, ids=lambda strategy: strategy.name)
def test_expected_verdict_depends_on_held_and_failing_guarantees(strategy, guarantee):
    claim = BY_ID[f"allocation.{strategy.name}.{guarantee.name}"]
    held = guarantee.name in strategy.holds
    assert claim.expected is (Verdict.PROVED if held else Verdict.REFUTED)
    assert (claim.world, claim.subjects, claim.obligations) == (AGREED, (strategy,), guarantee.obligations(AGREED))


WITHSTANDS = {("disjoint", "own-id-listed"), ("disjoint", "same-subscription")}


@each("world", ALONE, ids=lambda world: world.name)
@each("guarantee", GUARANTEES, ids=lambda guarantee: guarantee.name)
def test_claim_without_an_assumption_is_refuted_unless_it_holds_anyway(guarantee, world):
    claim = BY_ID.get(f"allocation.avg.{guarantee.name}.without-{world.name}")
    assert (claim is not None) == (guarantee in WITHOUT)
    if claim:
        withstands = (guarantee.name, world.name) in WITHSTANDS
        assert claim.expected is (Verdict.PROVED if withstands else Verdict.REFUTED)
        assert bool(claim.obligations) is withstands
        assert world.otherwise in claim.sentence


def test_two_strategy_assumption_is_dropped_for_pairs():
    assert "allocation.avg+circle.covers.without-same-strategy" in BY_ID
    assert not [name for name in ids(AVERAGELY) if name.endswith("without-same-strategy")]


@pytest.mark.parametrize("changed", [{"holds": frozenset()}, {"unclaimed": frozenset({"covers.without-distinct-ids"})}])
def test_guarantees_without_claims_have_no_dropped_assumptions(changed):
    left_out = "allocation.avg.covers.without-distinct-ids"
    assert left_out in ids(AVERAGELY)
    assert left_out not in ids(replace(AVERAGELY, **changed))


def test_only_unclaimed_guarantees_are_left_out():
    unclaimed = frozenset({"covers.without-distinct-ids"})
    assert len(ids(AVERAGELY) - ids(replace(AVERAGELY, unclaimed=unclaimed))) == 1
