"""Which claims are made about CONSISTENT_HASH, and what is expected of them."""

import pytest

from model.allocation.consistent_hash import CONSISTENT_HASH
from model.cases.md5_rings import MD5_RINGS
from model.cases.ring_views import RINGS, RINGS_OF_3, RINGS_WITHOUT
from proofs.allocation import GUARANTEES
from proofs.claim import EXISTS, Verdict
from proofs.hashing.claims import ANY_RING, HOLDS, OF_THE_LIVING, SURVIVES, claims

BY_ID = {claim.id: claim for claim in claims()}
PROVED = {claim.id for claim in claims() if claim.expected is Verdict.PROVED}


def test_every_guarantee_is_claimed_or_denied():
    assert {f"allocation.hash.{guarantee.name}" for guarantee in GUARANTEES} < {*BY_ID}


def test_what_holds():
    assert {name.removeprefix("allocation.hash.") for name in PROVED} == {
        *(guarantee.name for guarantee, _, _ in HOLDS),
        *(f"{guarantee}.without-{premise}" for guarantee, premise in SURVIVES),
    }


@pytest.mark.parametrize("premise", RINGS_WITHOUT, ids=lambda premise: premise.name)
@pytest.mark.parametrize("name", ["disjoint", "covers"])
def test_nobody_or_two_without_each_premise(name, premise):
    claim = BY_ID[f"allocation.hash.{name}.without-{premise.name}"]
    survives = (name, premise.name) in SURVIVES
    assert claim.expected is (Verdict.PROVED if survives else Verdict.REFUTED)
    assert claim.premise is premise
    assert premise.otherwise in claim.sentence


@pytest.mark.parametrize("claim", claims(), ids=lambda claim: claim.id)
def test_a_proof_is_for_any_ring_and_has_obligations(claim):
    proved = claim.expected is Verdict.PROVED
    living = claim.id == "allocation.hash.covers.without-same-cid-all"
    assert claim.scope == ((OF_THE_LIVING if living else ANY_RING) if proved else EXISTS)
    assert bool(claim.obligations) is proved
    assert claim.strategies == (CONSISTENT_HASH,)
    other_numbers_of_nodes = {RINGS_OF_3} if proved and claim.premise is RINGS else set()
    assert {*claim.also} - {MD5_RINGS} == other_numbers_of_nodes
    assert MD5_RINGS not in claim.also or other_numbers_of_nodes


def test_that_there_is_a_virtual_node_is_no_premise():
    claim = BY_ID["allocation.hash.covers.without-virtual-nodes"]
    assert claim.expected is Verdict.REFUTED
    assert not claim.premise.dropped
    assert claim.sentence == (
        "CONSISTENT_HASH: Every queue is given to some consumer, even if there are no virtual nodes."
    )
    assert "at least one" in ANY_RING
