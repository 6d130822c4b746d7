"""That the proofs about the registry notice what their conjuncts say, and that the code keeps what is promised."""

import random
from dataclasses import fields

import pytest
import z3

from rebalance_proofs.model.possible import Impossible
from rebalance_proofs.model.registry.clients import ALL, GREETING, SILENT
from rebalance_proofs.model.registry.limits import Limits
from rebalance_proofs.proofs.happens import Happens
from rebalance_proofs.proofs.registry import guarantees, invariant
from rebalance_proofs.proofs.registry import membership as worlds
from rebalance_proofs.proofs.registry.claims import claims
from rebalance_proofs.proofs.registry.inductive import kept
from rebalance_proofs.proofs.registry.membership import Membership
from rebalance_proofs.proofs.registry.run import run
from rebalance_proofs.proofs.registry.schedule import ACTIONS, OBSERVES, happens, moves

CONJUNCTS = {
    guarantees.LISTED: invariant.LISTED,
    guarantees.AGAIN: invariant.AGAIN,
    guarantees.GONE: invariant.GONE,
    guarantees.AT_ONCE: invariant.AT_ONCE,
    guarantees.ONCE: invariant.ONCE,
    guarantees.ONCE_AGAIN: invariant.ONCE_AGAIN,
    guarantees.AGREE: invariant.AGREE,
    guarantees.TOLD: invariant.TOLD,
    guarantees.TOLD_LATE: invariant.TOLD_LATE,
    guarantees.ANEW: invariant.ANEW,
    guarantees.ROUTED: invariant.ROUTED,
}
INDUCTIVE = [claim for claim in claims() if claim.holds and claim.guarantee in CONJUNCTS]
EACH = [
    pytest.param(claim, name, id=f"{claim.guarantee.name}-{name}")
    for claim in INDUCTIVE
    for name in CONJUNCTS[claim.guarantee]
]


def fails(obligation, of) -> bool:
    statement = obligation.statement(of)
    solver = z3.Solver()
    solver.add(*statement.given.values(), z3.Not(statement.then))
    return solver.check() != z3.unsat


@pytest.mark.parametrize(("claim", "name"), EACH)
def test_no_conjunct_can_be_left_out(claim, name):
    less = {one: conjunct for one, conjunct in CONJUNCTS[claim.guarantee].items() if one != name}
    proved = kept(less, claim.world, guarantees.BAD[claim.guarantee.name])
    assert any(fails(obligation, claim.subjects[0].encoding) for obligation in proved)


def test_every_guarantee_that_is_proved_by_induction_is_tried():
    other = {guarantees.AS_LONG, guarantees.ROUTE_AS_LONG}
    assert {claim.guarantee for claim in claims() if claim.holds} == {*CONJUNCTS, *other}


def test_what_is_the_same_in_all_releases_is_one_encoding():
    for part in fields(ALL.encoding):
        same = getattr(ALL.encoding, part.name) is getattr(GREETING.encoding, part.name)
        assert same is (part.name not in ("starts", "reconnects"))


ROUTED = ("moves", "polls")


def test_what_a_proof_about_members_leaves_out_is_about_routes_and_what_is_collected():
    """In the worlds of all that can happen to a member nothing is missing that could touch one."""
    assert set(worlds.REACHED.actions) == set(ACTIONS) - {"copies", "replaces", *ROUTED}
    assert set(worlds.COLLECTED.actions) == set(ACTIONS) - set(ROUTED)
    assert set(worlds.POLLED.actions) == set(ROUTED)


@pytest.mark.parametrize("claim", INDUCTIVE, ids=lambda claim: claim.guarantee.name)
def test_actions_that_a_world_leaves_out_for_being_about_something_else_keep_its_invariant(claim):
    """So what is proved without them is proved with them."""
    apart = ROUTED if claim.guarantee is not guarantees.ROUTED else worlds.REACHED.actions
    if claim.guarantee not in (guarantees.ROUTED, guarantees.TOLD, guarantees.TOLD_LATE):
        apart = (*apart, "copies", "replaces")
    more = Membership(**vars(claim.world) | {"actions": tuple(dict.fromkeys((*claim.world.actions, *apart)))})
    proved = kept(CONJUNCTS[claim.guarantee], more, guarantees.BAD[claim.guarantee.name])
    assert not any(fails(obligation, claim.subjects[0].encoding) for obligation in proved)


def walked(claim, source: random.Random, client=None) -> bool:
    """Anything that can happen, as long as world and limits have it; whether nothing that is promised was broken."""
    small = {"beat": 6, "expired": 8, "scan": 3, "collect": 3, "poll": 3}
    limits = Limits(**{name: source.randint(1, most) for name, most in small.items()})
    if claim.world.often:
        limits = Limits(**vars(limits) | {"expired": limits.beat + limits.expired})
    world, now = claim.world, 0
    possible = moves(world.actions, off=world.off, later=world.later)
    done: list[tuple[Happens, int]] = []
    for _ in range(60):
        tried = source.choice(possible)
        at = now + source.choice((0, 0, 0, 1, 1, 2))
        schedule, times = zip(*done, (tried, at), (happens(OBSERVES), at), strict=True)
        if not allowed(claim, schedule, times, limits):
            continue
        try:
            found = run(client or claim.subjects[0], world, schedule, times, limits)
        except Impossible:
            continue
        done.append((tried, at))
        now = at
        if claim.guarantee.violation(found):
            return False
    return True


def allowed(claim, schedule, times, limits) -> bool:
    """The premises: they speak of states, which terms have."""
    reached = guarantees_situation(claim, schedule, times, limits)
    return all(z3.is_true(one) for one in reached.constraints.values())


def guarantees_situation(claim, schedule, times, limits):
    from rebalance_proofs.proofs.registry.situation import situation

    at = [z3.IntVal(one) for one in times]
    return situation(claim.subjects[0].encoding, claim.world, limits, schedule, at)


@pytest.mark.slow
@pytest.mark.parametrize("claim", INDUCTIVE, ids=lambda claim: claim.guarantee.name)
def test_the_code_keeps_what_is_promised_whatever_the_limits_are(claim):
    for seed in range(12):
        assert walked(claim, random.Random(seed))


@pytest.mark.slow
def test_such_a_walk_notices_what_is_not_kept():
    broken = [claim for claim in claims() if not claim.holds and claim.guarantee.name in ("once", "told", "listed")]
    assert len(broken) >= 6
    for claim in broken:
        assert not all(walked(claim, random.Random(seed)) for seed in range(60)), claim.id
    assert SILENT.encoding is not GREETING.encoding
