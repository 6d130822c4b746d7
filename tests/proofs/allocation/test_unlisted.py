"""Claims about unassigned queues, and about CONFIG."""

import pytest

from rebalance_proofs.model.allocation.config import CONFIG
from rebalance_proofs.model.allocation.machine_room_others import MACHINE_ROOM_GO
from rebalance_proofs.model.worlds.configs import CONFIGS
from rebalance_proofs.model.worlds.groups import AGREED
from rebalance_proofs.model.worlds.kinds import ROOM_TWICE
from rebalance_proofs.proofs.allocation.claims import GUARANTEES
from rebalance_proofs.proofs.allocation.listed import EXCLUSIVE_RANKS, LISTED, ROOMS_ONCE, about_unlisted_queues
from rebalance_proofs.proofs.claim import EXISTS, UNBOUNDED, Verdict

CLAIMS = about_unlisted_queues(GUARANTEES)
BY_ID = {claim.id: claim for claim in CLAIMS}


def test_config_fails_every_guarantee():
    denied = {claim.guarantee: claim for claim in CLAIMS if claim.subjects == (CONFIG,)}
    assert {*denied} == {*GUARANTEES}
    assert {claim.expected for claim in denied.values()} == {Verdict.REFUTED}
    assert {claim.world for claim in denied.values()} == {CONFIGS}


def test_go_client_takes_queues_of_other_rooms_but_none_twice():
    listed, disjoint = (BY_ID[f"allocation.room-go.{name}"] for name in ("listed", "disjoint"))
    assert (listed.expected, disjoint.expected) == (Verdict.REFUTED, Verdict.PROVED)
    assert disjoint.subjects == (MACHINE_ROOM_GO,)
    assert disjoint.obligations == EXCLUSIVE_RANKS


def test_go_disjointness_assumes_unique_rooms():
    once, twice = (BY_ID[f"allocation.room-go.disjoint{suffix}"] for suffix in ("", ".with-a-room-twice"))
    assert once.sentence == "MACHINE_ROOM (Go client): No queue is given to two consumers."
    assert once.assumes[0] == ROOMS_ONCE
    assert (twice.expected, twice.world) == (Verdict.REFUTED, ROOM_TWICE)
    assert twice.sentence.endswith("even if consumeridcs lists a room twice.")
    assert any("no queue is selected twice" in world for world in STATED.given)


STATED = EXCLUSIVE_RANKS[0].statement(MACHINE_ROOM_GO.encoding)


@pytest.mark.parametrize("name", ["room", "room-rust"])
def test_other_clients_take_exactly_the_listed_queues(name):
    claim = BY_ID[f"allocation.{name}.listed"]
    assert (claim.expected, claim.obligations) == (Verdict.PROVED, LISTED.obligations(AGREED))


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_proved_claim_is_unbounded_and_has_obligations(claim):
    proved = claim.expected is Verdict.PROVED
    assert claim.scope.startswith(UNBOUNDED if proved else EXISTS)
    assert (ROOMS_ONCE in claim.scope) is (ROOMS_ONCE in claim.assumes) is (claim.id == "allocation.room-go.disjoint")
    assert bool(claim.obligations) is proved
    for name, client in (("room-go", "Go client"), ("room-rust", "Rust client")):
        assert (client in claim.sentence) is (claim.subjects[0].name == name)
