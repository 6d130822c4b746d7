"""The shortest ways to what must not be: by exploration, and as the code runs them."""

import pytest
import z3

from rebalance_proofs.model.settling.clients import CLIENTS
from rebalance_proofs.model.settling.limits import DEFAULTS
from rebalance_proofs.proofs.happens import times_of
from rebalance_proofs.proofs.settling.claims import claims
from rebalance_proofs.proofs.settling.schedule import MOVES, OBSERVES, happens
from rebalance_proofs.proofs.settling.search import explored, smallest
from rebalance_proofs.proofs.settling.situation import situation

CLAIMS = claims()
REFUTED = [claim for claim in CLAIMS if not claim.holds]
LENGTHS = {"settles": 4, "woken": 6, "apart": 8}
"""Actions, by guarantee."""


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_what_is_refuted_takes_so_many_actions_and_is_run_by_the_code(claim):
    found = smallest(claim)
    if claim.holds:
        assert found is None
        return
    assert found.departures == len(found.group.seen) == LENGTHS[claim.guarantee.name]
    assert claim.guarantee.violation(found.group)


@pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.name)
def test_every_mutant_comes_to_what_it_is_to_break(client):
    proved = {one.guarantee.name: one for one in CLAIMS if one.subjects == (client,) and one.holds and not one.variant}
    for mutant in client.mutants:
        assert explored(mutant.encoding, proved[mutant.breaks]), mutant.name


@pytest.mark.parametrize("claim", REFUTED, ids=lambda claim: claim.id)
def test_the_times_are_the_earliest(claim):
    """A millisecond less, and it is not so yet."""
    found = smallest(claim)
    schedule = tuple(seen.happens for seen in found.group.seen)
    times = times_of(schedule)
    reached = situation(claim.subjects[0].encoding, claim.world, DEFAULTS, schedule, times)
    solver = z3.Solver()
    solver.add(*reached.constraints.values(), claim.guarantee.violated(reached), times[-1] < found.group.end)
    assert solver.check() == z3.unsat


@pytest.mark.slow
@pytest.mark.parametrize("claim", [one for one in REFUTED if one.guarantee.name == "settles"], ids=lambda one: one.id)
def test_the_solver_finds_none_that_is_shorter(claim):
    schedules = [()]
    for _ in range(LENGTHS["settles"] - 1):
        for schedule in schedules:
            ended = (*schedule, happens(OBSERVES))
            times = times_of(ended)
            reached = situation(claim.subjects[0].encoding, claim.world, DEFAULTS, ended, times)
            solver = z3.Solver()
            solver.add(*reached.constraints.values(), claim.guarantee.violated(reached))
            assert solver.check() == z3.unsat
        schedules = [(*schedule, move) for schedule in schedules for move in MOVES]
