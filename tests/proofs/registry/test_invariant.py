"""Proofs about the registry notice each conjunct of the invariant, and the code keeps what is promised."""

import random
from contextlib import suppress
from dataclasses import fields, replace

import numpy as np
import pytest
import z3

from rebalance_proofs.model.possible import Impossible
from rebalance_proofs.model.registry.clients import ALL, GREETING
from rebalance_proofs.model.registry.limits import Limits
from rebalance_proofs.proofs.registry import explore, guarantees, invariant, observed
from rebalance_proofs.proofs.registry import membership as worlds
from rebalance_proofs.proofs.registry.claims import claims
from rebalance_proofs.proofs.registry.inductive import kept
from rebalance_proofs.proofs.registry.membership import Membership
from rebalance_proofs.proofs.registry.run import did
from rebalance_proofs.proofs.registry.schedule import ACTIONS, moves
from rebalance_proofs.proofs.registry.variables import NAMES, OWN, SAID

CONJUNCTS = {
    guarantees.LISTED: invariant.LISTED,
    guarantees.AGAIN: invariant.AGAIN,
    guarantees.GONE: invariant.GONE,
    guarantees.NOT_STARTED: invariant.NOT_STARTED,
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
    assert set(worlds.REACHED.actions) == set(ACTIONS) - {"throws", "copies", "replaces", *ROUTED}
    assert set(worlds.COLLECTED.actions) == set(ACTIONS) - {"throws", *ROUTED}
    assert set(worlds.POLLED.actions) == set(ROUTED)


@pytest.mark.parametrize("claim", INDUCTIVE, ids=lambda claim: claim.guarantee.name)
def test_actions_that_a_world_leaves_out_for_being_about_something_else_keep_its_invariant(claim):
    """So what is proved without them is proved with them."""
    apart = ROUTED if claim.guarantee is not guarantees.ROUTED else worlds.REACHED.actions
    if claim.guarantee not in (guarantees.ROUTED, guarantees.TOLD, guarantees.TOLD_LATE):
        apart = (*apart, "copies", "replaces")
    apart = (*apart, "throws")
    more = Membership(**vars(claim.world) | {"actions": tuple(dict.fromkeys((*claim.world.actions, *apart)))})
    proved = kept(CONJUNCTS[claim.guarantee], more, guarantees.BAD[claim.guarantee.name])
    assert not any(fails(obligation, claim.subjects[0].encoding) for obligation in proved)


ENDS = ("leaves", "dies", "vanishes", "breaks", "restarts")
"""After these little happens, so they are tried less often than others."""


def walked(claim, seed: int) -> bool:
    """Anything that can happen, as long as world and limits have it: whether the code keeps what is promised."""
    source, world = random.Random(seed), claim.world
    limits = Limits(*(source.randint(1, most) for most in (4, 6, 3, 3, 3)))
    if world.often:
        limits = replace(limits, expired=limits.beat + limits.expired)
    group = claim.subjects[0].group(limits, off=world.off, later=world.later)
    row = observed._seen(group, dict.fromkeys(OWN, 0))
    ways = {action: moves((action,), off=world.off, later=world.later) for action in world.actions}
    for _ in range(120):
        if source.random() < 0.3 and said(explore._waits(world, 10**6), group, row, limits):
            group.now += 1
        action = source.choice(world.actions)
        if action in ENDS and source.random() < 0.8:
            continue
        move = source.choice(ways[action])
        if said(explore._allows(action, world), group, row, limits, **dict(move.said)):
            with suppress(Impossible):
                did(group, move)
        row = observed._seen(group, row)
        if said(explore._bad(guarantees.BAD[claim.guarantee.name]), group, row, limits):
            return False
    return True


def said(kernel, group, row, limits: Limits, **more: bool) -> bool:
    """What terms say of the state that the code is in."""
    given = dict.fromkeys(SAID, 0) | {"off": group._off, "later": group._later} | more
    known = {"now": group.now} | row | vars(limits) | given
    return bool(kernel(*(np.int64(known[name]) for name in NAMES))[0])


@pytest.mark.parametrize("claim", INDUCTIVE, ids=lambda claim: claim.guarantee.name)
def test_the_code_keeps_what_is_promised_whatever_the_limits_are(claim):
    assert all(walked(claim, seed) for seed in range(30))


WALKED = [
    claim for claim in claims() if not claim.holds and claim.guarantee.name in ("listed", "again", "once", "told")
]


@pytest.mark.parametrize("claim", WALKED, ids=lambda claim: claim.id)
def test_such_a_walk_notices_what_is_not_kept(claim):
    assert not all(walked(claim, seed) for seed in range(200))
