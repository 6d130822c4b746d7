"""Compared pairs of clients, and their expected verdicts."""

from itertools import combinations

import pytest

from rebalance_proofs.model.profiles import PROFILES
from rebalance_proofs.proofs.allocation.clients import DIFFERENT, claims
from rebalance_proofs.proofs.claim import EXISTS, Verdict

BY_ID = {claim.id: claim for claim in claims()}


def test_every_pair_of_strategies_with_one_name_is_compared():
    shipped = {}
    for profile in PROFILES:
        for strategy in profile.strategies:
            shipped.setdefault(strategy.rocketmq_name, {})[strategy.name] = strategy
    pairs = {frozenset(pair) for strategies in shipped.values() for pair in combinations(sorted(strategies), 2)}
    compared = [frozenset(strategy.name for strategy in strategies) for strategies, _, _ in DIFFERENT]
    assert set(compared) == pairs
    assert len(compared) == len(pairs)


@pytest.mark.parametrize(("strategies", "compared", "mixed"), DIFFERENT)
def test_pair_of_clients_is_compared_and_mixed(strategies, compared, mixed):
    found = [claim for claim in claims() if claim.subjects == strategies]
    assert [claim.world for claim in found] == [compared, mixed, mixed]
    assert [claim.guarantee.name.partition("-")[0] for claim in found] == ["same", "disjoint", "covers"]
    assert {claim.expected for claim in found} == {Verdict.REFUTED}
    assert {claim.scope for claim in found} == {EXISTS}
    one, other = strategies
    assert one.rocketmq_name == other.rocketmq_name
    for claim in found:
        assert f"({one.name} and {other.name})" in claim.sentence


def test_coverage_without_rooms_ignores_unassigned_queues():
    """A queue outside the configured rooms has no consumer, for any group."""
    assert "clients.room+room-go.covers-listed.without-same-client" in BY_ID
    assert "clients.room+room-go.covers.without-same-client" not in BY_ID


@pytest.mark.parametrize("claim", claims(), ids=lambda claim: claim.id)
def test_claim_id_names_the_dropped_assumption(claim):
    assert claim.id.endswith(".without-same-client") is claim.world.dropped
