"""The shortest ways to what must not be: by exploration, by the solver's unrolling, and as the code runs them."""

import pytest

from rebalance_proofs.model.pulls.clients import CLIENTS
from rebalance_proofs.proofs.pulls.claims import claims
from rebalance_proofs.proofs.pulls.explore import shortest
from rebalance_proofs.proofs.pulls.guarantees import BAD
from rebalance_proofs.proofs.pulls.search import explored, smallest
from tests.proofs.pulls.unrolled import fewest

CLAIMS = claims()
REFUTED = [claim for claim in CLAIMS if not claim.holds]
LENGTHS = {
    "one-request": 2,
    "has-request": 2,
    "has-request.without-callback": 3,
    "has-request.without-interrupt": 3,
    "healed": 4,
    "hits-own-entry": 6,
    "repairs-while-held": 5,
    "dies": 4,
    "only-lost": 3,
    "lets-go": 3,
}
"""Actions, by guarantee, or by guarantee and circumstances."""


def length(claim):
    name = claim.guarantee.name
    return LENGTHS.get(f"{name}.{claim.variant}", LENGTHS[name])


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_what_is_refuted_takes_so_many_actions_and_is_run_by_the_code(claim):
    found = smallest(claim)
    if claim.holds:
        assert found is None
        return
    assert found.departures == length(claim)
    assert len(found.group.seen) == found.departures
    assert claim.guarantee.violation(found.group)


@pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.name)
def test_every_mutant_comes_to_what_it_is_to_break(client):
    assert client.mutants
    for mutant in client.mutants:
        broken = [claim for claim in CLAIMS if claim.subjects == (client,) and mutant in claim.mutants and claim.holds]
        assert broken
        assert all(explored(mutant.encoding, claim) for claim in broken), mutant.name


def test_no_more_actions_than_allowed_are_tried():
    (claim,) = (claim for claim in REFUTED if claim.id == "pulls.java_v5_3_3.only-lost")
    name, encoding = claim.guarantee.name, claim.subjects[0].encoding
    assert name not in shortest(encoding, claim.world, {name: BAD[name]}, LENGTHS[name] - 1)
    assert len(shortest(encoding, claim.world, {name: BAD[name]}, LENGTHS[name])[name]) == LENGTHS[name]


def test_after_an_error_the_new_request_is_stuck_after_the_expiry_too():
    """The run that operators see; the shortest one takes no two minutes."""
    (claim,) = (claim for claim in REFUTED if claim.id == "pulls.java_v5_3_0.healed.without-error")
    found = claim.subjects[0].consumer()
    found.adds()
    found.errs()
    found.waits(span=120_001)
    found.revokes(in_set=True)
    found.adds()
    assert found.service.ended
    assert found.service.waiting[found.entry] == 1


@pytest.mark.slow
@pytest.mark.parametrize("claim", REFUTED, ids=lambda claim: claim.id)
def test_the_solver_finds_none_that_is_shorter(claim):
    bad = BAD[claim.guarantee.name]
    assert fewest(claim.subjects[0].encoding, claim.world, bad, length(claim)) == length(claim)


@pytest.mark.slow
@pytest.mark.parametrize("claim", [claim for claim in CLAIMS if claim.holds], ids=lambda claim: claim.id)
def test_in_no_state_with_up_to_two_of_a_kind_is_what_is_proved_not_so(claim):
    name = claim.guarantee.name
    assert shortest(claim.subjects[0].encoding, claim.world, {name: BAD[name]}, limit=99) == {}
