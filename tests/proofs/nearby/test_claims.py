"""Which claims are made about MACHINE_ROOM_NEARBY, and what is expected of them."""

from dataclasses import replace

import pytest

from model.allocation.machine_room_nearby import MACHINE_ROOM_NEARBY
from model.allocation.ring import RING
from model.cases.rooms import ROOMS_OF_AVG, ROOMS_OF_HASH
from proofs.claim import EXISTS, Verdict
from proofs.nearby.claims import ANY_INNER, NEARBY_HASH, claims

BY_ID = {claim.id: claim for claim in claims()}
THEOREMS = ("disjoint", "covers", "home")


@pytest.mark.parametrize("name", THEOREMS)
def test_a_theorem_is_for_any_inner_strategy_and_enumerated_over_two(name):
    over_avg, over_hash = (BY_ID[f"allocation.{strategy}.{name}"] for strategy in ("nearby", "nearby-hash"))
    assert over_avg.obligations == over_hash.obligations != ()
    assert (over_avg.premise, over_hash.premise) == (ROOMS_OF_AVG, ROOMS_OF_HASH)
    assert {over_avg.scope, over_hash.scope} == {ANY_INNER}


def test_all_else_is_denied():
    refuted = {claim.id: claim for claim in claims() if claim.expected is Verdict.REFUTED}
    assert len(refuted) == len(BY_ID) - 2 * len(THEOREMS)
    assert {claim.scope for claim in refuted.values()} == {EXISTS}
    assert not [claim for claim in refuted.values() if claim.obligations]


def test_only_the_inner_strategy_differs():
    assert NEARBY_HASH.encoding.inner is RING
    changed = {field: getattr(MACHINE_ROOM_NEARBY, field) for field in ("name", "encoding")}
    assert replace(NEARBY_HASH, **changed) == MACHINE_ROOM_NEARBY
