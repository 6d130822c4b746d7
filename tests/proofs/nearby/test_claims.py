"""Claims about MACHINE_ROOM_NEARBY, and their expected verdicts."""

from dataclasses import replace

import pytest

from rebalance_proofs.model.allocation.machine_room_nearby import MACHINE_ROOM_NEARBY
from rebalance_proofs.model.allocation.ring import RING
from rebalance_proofs.model.worlds.rooms import CONFIGURED_ROOMS, ROOMS_OF_AVG, ROOMS_OF_HASH
from rebalance_proofs.proofs.allocation.nearby import INNER, NEARBY_CONFIG, NEARBY_HASH, SIZES, claims
from rebalance_proofs.proofs.claim import EXISTS, Verdict

BY_ID = {claim.id: claim for claim in claims()}
THEOREMS = ("disjoint", "covers", "home")


@pytest.mark.parametrize("name", THEOREMS)
def test_nearby_theorem_is_for_any_inner_strategy(name):
    over_avg, over_hash = (BY_ID[f"allocation.{strategy}.{name}"] for strategy in ("nearby", "nearby-hash"))
    assert over_avg.obligations == over_hash.obligations != ()
    assert (over_avg.world, over_hash.world) == (ROOMS_OF_AVG, ROOMS_OF_HASH)
    assert {over_avg.scope, over_hash.scope} == {f"for any inner strategy {INNER[name]}, {SIZES}"}


@pytest.mark.parametrize("name", THEOREMS)
def test_non_straying_inner_strategy_is_a_stated_assumption(name):
    (*_, step) = BY_ID[f"allocation.nearby.{name}"].obligations
    given = " ".join(step.statement(MACHINE_ROOM_NEARBY.encoding).given)
    assert ("only queues of its list" in given) is ("only queues of its list" in INNER[name])
    assert ("only queues of its list" in INNER[name]) is (name != "covers")


def test_nearby_over_config_is_refuted():
    over_config = {claim.guarantee.name: claim for claim in claims() if claim.subjects == (NEARBY_CONFIG,)}
    assert {*over_config} == {"covers", "sublist", "home"}
    assert {claim.world for claim in over_config.values()} == {CONFIGURED_ROOMS}


def test_other_nearby_guarantees_are_refuted():
    refuted = {claim.id: claim for claim in claims() if claim.expected is Verdict.REFUTED}
    assert len(refuted) == len(BY_ID) - 2 * len(THEOREMS)
    assert {claim.scope for claim in refuted.values()} == {EXISTS}
    assert not [claim for claim in refuted.values() if claim.obligations]


def test_nearby_strategies_differ_only_in_the_inner_strategy():
    assert NEARBY_HASH.encoding.inner is RING
    changed = {field: getattr(MACHINE_ROOM_NEARBY, field) for field in ("name", "encoding")}
    assert replace(NEARBY_HASH, **changed) == MACHINE_ROOM_NEARBY
