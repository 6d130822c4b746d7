"""Claims about CONSISTENT_HASH, and their expected verdicts."""

import pytest

from rebalance_proofs.model.worlds.ring_views import RING_ORDERS_APART, RINGS, RINGS_OF_3
from rebalance_proofs.model.worlds.rings import MD5_RINGS
from rebalance_proofs.proofs.allocation.claims import GUARANTEES, SERVED, few_queues
from rebalance_proofs.proofs.claim import EXISTS, Verdict
from rebalance_proofs.proofs.hashing.claims import ANY_RING, APART, CLIENTS, JAVA, OF_THE_LIVING, claims, claims_of

BY_ID = {claim.id: claim for claim in claims()}
SCOPES = {"same-cid-all": OF_THE_LIVING, RING_ORDERS_APART.name: APART}

each_client = pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.strategy.name)


@each_client
def test_every_ring_guarantee_is_claimed_or_refuted(client):
    elsewhere = {f"allocation.{client.strategy.name}.{SERVED.name}"}
    promised = {f"allocation.{client.strategy.name}.{guarantee.name}" for guarantee in GUARANTEES}
    assert promised - elsewhere < {*BY_ID}
    assert elsewhere <= {claim.id for claim in few_queues()}


@each_client
def test_proved_ring_claims_are_listed(client):
    proved = {claim.id for claim in claims_of(client) if claim.expected is Verdict.PROVED}
    assert {name.removeprefix(f"allocation.{client.strategy.name}.") for name in proved} == {
        *(guarantee.name for guarantee, _, _ in client.holds),
        *(f"{guarantee}.without-{world}" for guarantee, world in client.survives),
    }


def test_all_ring_clients_have_the_same_claims():
    found = [[(claim.id.split(".")[2:], claim.expected) for claim in claims_of(client)] for client in CLIENTS]
    assert found[0] == found[1]


@pytest.mark.parametrize("name", ["disjoint", "covers"])
@each_client
def test_ring_counterexample_without_an_assumption_exists(client, name):
    for world in client.without:
        claim = BY_ID[f"allocation.{client.strategy.name}.{name}.without-{world.name}"]
        survives = (name, world.name) in client.survives
        assert claim.expected is (Verdict.PROVED if survives else Verdict.REFUTED)
        assert claim.world is world
        assert world.otherwise in claim.sentence


@each_client
def test_ring_proof_is_for_any_ring_and_has_obligations(client):
    for claim in claims_of(client):
        proved = claim.expected is Verdict.PROVED
        assert claim.scope == (SCOPES.get(claim.world.name, ANY_RING) if proved else EXISTS)
        assert bool(claim.obligations) is proved
        assert claim.subjects == (client.strategy,)
        other_numbers_of_nodes = {RINGS_OF_3} if proved and claim.world is RINGS and client is JAVA else set()
        assert {*claim.also} - {MD5_RINGS} == other_numbers_of_nodes
        assert MD5_RINGS not in claim.also or other_numbers_of_nodes


def test_id_orders_do_harm_only_by_collisions():
    """Both are refuted with collisions, and both are proved without."""
    for name in ("disjoint", "covers"):
        for client in CLIENTS:
            claim = f"allocation.{client.strategy.name}.{name}.without-same-id-order"
            assert BY_ID[claim].expected is Verdict.REFUTED
            assert BY_ID[f"{claim}-or-collisions"].expected is Verdict.PROVED
            assert "without colliding virtual nodes" in BY_ID[f"{claim}-or-collisions"].sentence


def test_existence_of_virtual_nodes_is_no_assumption():
    claim = BY_ID["allocation.hash.covers.without-virtual-nodes"]
    assert claim.expected is Verdict.REFUTED
    assert not claim.world.dropped
    assert claim.sentence == (
        "CONSISTENT_HASH: Every queue is given to some consumer, even if there are no virtual nodes."
    )
    assert "at least one" in ANY_RING
