"""The shortest ways to what must not be: by exploration, by the solver's unrolling, and as the code runs them."""

import pytest

from rebalance_proofs.model.offsets.clients import CLIENTS
from rebalance_proofs.proofs.offsets.brokers import COMMITTED
from rebalance_proofs.proofs.offsets.claims import claims
from rebalance_proofs.proofs.offsets.explore import shortest
from rebalance_proofs.proofs.offsets.guarantees import BAD
from rebalance_proofs.proofs.offsets.search import explored, smallest
from tests.proofs.offsets.unrolled import fewest

CLAIMS = claims()
LENGTHS = {"not-skipped": 6, "once": 10, "never-back": 12}
"""Actions, by guarantee."""


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_what_is_refuted_takes_so_many_actions_and_is_run_by_the_code(claim):
    found = smallest(claim)
    if claim.holds:
        assert found is None
        return
    assert found.departures == LENGTHS[claim.guarantee.name]
    assert len(found.group.seen) == found.departures
    assert claim.guarantee.violation(found.group)


@pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.name)
def test_every_mutant_comes_to_what_it_is_to_break(client):
    assert client.mutants
    of = {claim.guarantee.name: claim for claim in CLAIMS if claim.subjects == (client,) and claim.world is COMMITTED}
    for mutant in client.mutants:
        assert explored(mutant.encoding, of[mutant.breaks]), mutant.name


def test_no_more_actions_than_allowed_are_tried():
    once = LENGTHS["once"]
    assert "once" not in shortest(CLIENTS[-1].encoding, COMMITTED, BAD, once - 1)
    assert len(shortest(CLIENTS[-1].encoding, COMMITTED, BAD, once)["once"]) == once


@pytest.mark.slow
@pytest.mark.parametrize("claim", [claim for claim in CLAIMS if not claim.holds], ids=lambda claim: claim.id)
def test_the_solver_finds_none_that_is_shorter(claim):
    client, length = claim.subjects[0], LENGTHS[claim.guarantee.name]
    assert fewest(client.encoding, claim.world, BAD[claim.guarantee.name], length) == length


@pytest.mark.slow
@pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.name)
def test_in_no_state_of_two_consumers_is_what_is_proved_not_so(client):
    proved = {claim.guarantee.name for claim in CLAIMS if claim.holds and claim.world is COMMITTED}
    assert len(proved) == 3
    assert shortest(client.encoding, COMMITTED, {name: BAD[name] for name in proved}, limit=99) == {}
