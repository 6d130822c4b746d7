"""Shortest runs to two listeners: the solver's unrolling finds no shorter ones, at any millisecond."""

from dataclasses import replace

import pytest

from rebalance_proofs.model.machines.ordered.actions import GO, OLDER, V4_9, V5_0, V5_2
from rebalance_proofs.model.machines.ordered.assumptions import ALIKE, BY_DEFAULT, WITHOUT, needed
from rebalance_proofs.proofs.kinds import KINDS
from rebalance_proofs.proofs.machine.kind import explored, timed_runs
from rebalance_proofs.proofs.ordered.two import CONFIGURATION
from tests.machines.registered import MACHINES
from tests.proofs.ordered.unrolled import fewest

claims = KINDS["ordered"].claims
ORDERED = next(machine for machine in MACHINES if machine.kind == "ordered")
REFUTED = [claim for claim in claims() if not claim.holds and claim.guarantee.name == "exclusive"]
SOME = (V4_9, V5_2, GO)
"""Clients with every mutant that any of them has."""


def named(found):
    return [pytest.param(claim, id=claim.id) for claim in found]


def test_assumption_is_needed_if_its_claim_is_refuted():
    assert {claim.subjects[0] for claim in REFUTED} == {V4_9, V5_0, V5_2, GO}
    for claim in claims():
        client, world = claim.subjects[0], claim.world
        if claim.guarantee.name == "exclusive" and world in (*WITHOUT, BY_DEFAULT):
            assert client not in OLDER
            assert needed(client, world) is (claim in REFUTED)


def test_some_clients_have_all_mutants():
    every = {mutant.name for client in ORDERED.clients for mutant in client.mutants}
    assert {mutant.name for client in SOME for mutant in client.mutants} == every


@pytest.mark.parametrize("client", [V5_0, V5_2], ids=lambda client: client.name)
def test_one_tick_more_is_too_long_with_delayed_first_pulls(client):
    (claim,) = (claim for claim in claims() if claim.subjects == (client,) and claim.world is ALIKE)
    shown, limits = CONFIGURATION.of_claim(claim)
    longer = limits.but(listener=limits.listener + 1, wait=limits.wait + 1)
    found = explored(replace(CONFIGURATION, fits=lambda claim: (shown, longer)), client.encoding, claim)
    assert found
    assert len(found) == (11 if client.forces else 9)


@pytest.mark.parametrize("claim", named(REFUTED))
def test_both_listeners_run_only_in_the_final_state(claim):
    found = timed_runs(CONFIGURATION).smallest(claim)
    both = [all(state.runs for state in seen.states) for seen in found.group.seen]
    assert both == [False] * (len(both) - 1) + [True]


QUICKLY = 11
"""Actions up to which the solver says in a few seconds that there is nothing."""


@pytest.mark.slow
@pytest.mark.parametrize("claim", named(claim for claim in REFUTED if ORDERED.length(claim) <= QUICKLY))
def test_solver_finds_no_shorter_run_in_milliseconds(claim):
    assert fewest(claim, ORDERED.length(claim)) == ORDERED.length(claim)


@pytest.mark.slow
@pytest.mark.parametrize("claim", named(claim for claim in REFUTED if ORDERED.length(claim) > QUICKLY))
def test_solver_finds_no_run_within_decidable_lengths(claim):
    assert fewest(claim, QUICKLY) is None
