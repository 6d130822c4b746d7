"""Shortest traces to bad states: by exploration, and replayed on the code."""

import numpy as np
import pytest
import z3

from rebalance_proofs.model.subscriptions.clients import CLIENTS, PULLS_AT_ONCE, PULLS_LATER
from rebalance_proofs.proofs.happens import times_of
from rebalance_proofs.proofs.subscriptions import explore
from rebalance_proofs.proofs.subscriptions.claims import claims
from rebalance_proofs.proofs.subscriptions.examples import shown
from rebalance_proofs.proofs.subscriptions.explore import weights
from rebalance_proofs.proofs.subscriptions.guarantees import sought
from rebalance_proofs.proofs.subscriptions.inductive import ACTIONS
from rebalance_proofs.proofs.subscriptions.schedule import MOVES
from rebalance_proofs.proofs.subscriptions.search import explored, reached, smallest
from rebalance_proofs.proofs.subscriptions.variables import FLAGS, NAMES, OWN

CLAIMS = claims()
REFUTED = [claim for claim in CLAIMS if not claim.holds]
LENGTHS = {
    "subscriptions.java_v4_9_to_v5_3.calm.without-alike": 1,
    "subscriptions.java_v4_9_to_v5_3.accepted-soon.without-free": 6,
    "subscriptions.java_v4_9_to_v5_3.accepted.without-alike": 6,
    "subscriptions.java_v4_9_to_v5_3.answered.without-room": 4,
    "subscriptions.java_v4_9_to_v5_3.own-tags.without-same-tags": 2,
    "subscriptions.java_v4_9_to_v5_3.all-tags.without-same-tags": 1,
    "subscriptions.java_v5_1_3_heartbeat_v2.accepted": 10,
    "subscriptions.java_v5_1_3_heartbeat_v2.accepted.forgotten": 6,
    "subscriptions.java_v5_1_3_heartbeat_v2.answered": 7,
    "subscriptions.java_v4_9.first-pull": 2,
    "subscriptions.java_v5_0_to_v5_3.first-pull.without-free": 6,
    "subscriptions.java_v5_0_to_v5_3.first-pull.without-soon": 2,
}
"""Actions."""
OF_FIRST_PULLS = (PULLS_AT_ONCE, PULLS_LATER)
"""Clients of which nothing else is claimed."""


def test_all_that_is_refuted_is_counted():
    assert {claim.id for claim in REFUTED} == LENGTHS.keys()


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_what_is_refuted_takes_so_many_actions_and_is_run_by_the_code(claim):
    found = smallest(claim)
    if claim.holds:
        assert found is None
        return
    assert found.departures == len(found.group.seen) == LENGTHS[claim.id]
    assert claim.guarantee.violation(found.group)


@pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.name)
def test_every_mutant_comes_to_what_it_is_to_break(client):
    for mutant in client.mutants:
        noticing = [one for one in CLAIMS if one.subjects == (client,) and one.holds and mutant in one.mutants]
        refuted = [one for one in REFUTED if one.subjects == (client,) and mutant in one.mutants]
        assert noticing or refuted or client in OF_FIRST_PULLS
        assert all(explored(mutant.encoding, one) for one in noticing), mutant.name


def test_a_client_that_does_not_put_first_pulls_off_is_refused():
    (claim,) = (one for one in CLAIMS if one.subjects == (PULLS_LATER,) and one.holds)
    assert [mutant.name for mutant in claim.mutants] == ["at-once"]


@pytest.mark.parametrize("claim", REFUTED, ids=lambda claim: claim.id)
def test_the_times_are_the_earliest(claim):
    """A millisecond less, and it is not so yet."""
    found = smallest(claim)
    schedule = tuple(seen.happens for seen in found.group.seen)
    times = times_of(schedule)
    end = reached(claim.subjects[0].encoding, claim, schedule, times)
    solver = z3.Solver()
    solver.add(*end.constraints.values(), claim.guarantee.violated(end), times[-1] < found.group.end)
    assert solver.check() == z3.unsat


def test_what_has_no_room_in_one_number_is_refused():
    with pytest.raises(ValueError, match="bits are no number of 63 bits"):
        weights(explore.COLUMNS)


@pytest.mark.parametrize("claim", [one for one in CLAIMS if sought(one)], ids=lambda claim: claim.id)
def test_what_is_not_told_apart_changes_nothing_that_is(claim):
    encoding, world = claim.subjects[0].encoding, claim.world
    told = explore.matters(encoding, world, explore.bad_of(claim))
    source = np.random.default_rng(1)
    given = {name: source.integers(0, 2 if name in FLAGS else 4, 200) for name in NAMES}
    others = {name: source.integers(0, 2 if name in FLAGS else 4, 200) for name in OWN if name not in told}
    assert others
    kernels = [explore._bad(explore.bad_of(claim)), explore._waits(world)]
    kernels += [explore._action(getattr(encoding, action), action, world) for action in ACTIONS]
    for kernel in kernels:
        one, other = (kernel(*(values[name] for name in NAMES)) for values in (given, given | others))
        possible = np.broadcast_to(one[0], 200).astype(bool)
        assert (np.broadcast_to(other[0], 200) == possible).all()
        for name, left, right in zip(OWN, one[1:], other[1:], strict=False):
            same = np.broadcast_to(left, 200) == np.broadcast_to(right, 200)
            assert name not in told or same[possible].all()


@pytest.mark.slow
@pytest.mark.parametrize("claim", [one for one in REFUTED if LENGTHS[one.id] <= 4], ids=lambda one: one.id)
def test_the_solver_finds_none_that_is_shorter(claim):
    schedules = [()]
    for _ in range(LENGTHS[claim.id] - 1):
        schedules = [(*schedule, move) for schedule in schedules for move in MOVES]
        for schedule in schedules:
            times = times_of(schedule)
            end = reached(claim.subjects[0].encoding, claim, schedule, times, shown(claim.world))
            if any(z3.is_false(one) for one in end.constraints.values()):
                continue
            solver = z3.Solver()
            solver.add(*end.constraints.values(), claim.guarantee.violated(end))
            assert solver.check() == z3.unsat
