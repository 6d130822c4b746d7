"""Shortest traces to bad states: by exploration, by the solver's unrolling, and replayed on the code."""

import pytest
import z3

from rebalance_proofs.model.registry.clients import CLIENTS
from rebalance_proofs.model.registry.limits import DEFAULTS
from rebalance_proofs.proofs.happens import times_of
from rebalance_proofs.proofs.registry.claims import claims
from rebalance_proofs.proofs.registry.examples import FEW, SHIPPED
from rebalance_proofs.proofs.registry.guarantees import BAD
from rebalance_proofs.proofs.registry.search import explored, smallest
from rebalance_proofs.proofs.registry.situation import situation
from tests.proofs.registry.unrolled import fewest

CLAIMS = claims()
REFUTED = [claim for claim in CLAIMS if not claim.holds]
LENGTHS = {
    "listed": 6,
    "again.without-heartbeats": 2,
    "again.without-alone": 5,
    "gone": 20,
    "at-once": 5,
    "not-started": 18,
    "once.without-close": 7,
    "once.without-order": 6,
    "agree": 15,
    "told.without-close": 6,
    "told.without-notifications": 5,
    "told-late": 9,
    "anew": 5,
    "routed": 2,
}
"""Actions, by guarantee, or by guarantee and circumstances."""


def length(claim):
    name = claim.guarantee.name
    return LENGTHS.get(f"{name}.{claim.variant}") or LENGTHS[name]


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_what_is_refuted_takes_so_many_actions_and_is_run_by_the_code(claim):
    found = smallest(claim)
    if claim.holds:
        assert found is None
        return
    assert found.departures == len(found.group.seen) == length(claim)
    assert found.group.limits == DEFAULTS
    assert claim.guarantee.violation(found.group)


@pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.name)
def test_every_mutant_comes_to_what_it_is_to_break(client):
    for mutant in client.mutants:
        broken = [claim for claim in CLAIMS if claim.subjects == (client,) and mutant in claim.mutants and claim.holds]
        assert all(explored(mutant.encoding, claim) for claim in broken), mutant.name


def test_every_proved_guarantee_has_a_mutant():
    named = {claim.guarantee.name for claim in CLAIMS if claim.holds and claim.mutants}
    assert named == {claim.guarantee.name for claim in CLAIMS if claim.holds} - {"as-long", "route-as-long"}


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


@pytest.mark.parametrize("example", [SHIPPED, FEW])
def test_ticks_are_ten_seconds_of_the_limits(example):
    assert {name: -(-value // 10_000) for name, value in vars(example.limits).items()} == vars(example.ticks)


def test_one_looks_for_longer_than_anything_is_promised_to_take():
    for example in (SHIPPED, FEW):
        ticks = example.ticks
        assert example.end > max(ticks.beat, ticks.expired + ticks.scan, ticks.collect, ticks.poll)


@pytest.mark.slow
@pytest.mark.parametrize("claim", [one for one in REFUTED if length(one) < 8], ids=lambda claim: claim.id)
def test_the_solver_finds_none_that_is_shorter(claim):
    bad = BAD[claim.guarantee.name]
    assert fewest(claim.subjects[0].encoding, claim.world, bad, length(claim)) == length(claim)
