"""Premises on actions and on time exclude, flag by flag, what is pinned, and nothing else."""

from dataclasses import fields, replace

import pytest

from rebalance_proofs.model.machine.values import And, Implies, Not
from tests.each import each
from tests.machines.narrowed import ABOUT_ONE, PINNED, PREMISED, TIME, beside, excluded, inductions, large, premised

INDUCTIONS = inductions()


def key(name: str) -> object:
    return pytest.param(name, id=name.replace(" ", "-"), marks=pytest.mark.slow if large(name) else ())


@pytest.mark.parametrize("client", [key(name) for name in PINNED])
def test_assumptions_exclude_exactly_the_pinned_flags(client):
    assert {world: excluded(one) for world, one in INDUCTIONS[client].items()} == PINNED[client]


def test_every_client_in_every_world_is_pinned():
    assert {client: [*worlds] for client, worlds in INDUCTIONS.items()} == {
        client: [*worlds] for client, worlds in PINNED.items()
    }


@each("claim", [claim for claim in ABOUT_ONE if beside(claim)], ids=lambda claim: claim.id)
def test_assumptions_of_single_obligations_exclude_the_pinned_flags(claim):
    """Those not made by the engine: premises of an invariant are about states, these are written beside it."""
    assert premised(claim) == PREMISED.get(claim.id)


def test_pinned_claims_exist():
    assert {*PREMISED} == {claim.id for claim in ABOUT_ONE if beside(claim)}


def narrower(world, **methods):
    """The world with other methods."""
    kind = type("Narrower", (type(world),), methods)
    return kind(**{field.name: getattr(world, field.name) for field in fields(world)})


def no_renewals_under_a_listener(self, action, state, choices, limits):
    allowed = super(type(self), self).allows(action, state, choices, limits)
    return And(allowed, Not(state.runs)) if action == "renews" else allowed


def no_time_under_a_return(self, state, until, limits):
    waits = super(type(self), self).waits(state, until, limits)
    return And(waits, Implies(state.unlocking, until == state.now))


@pytest.mark.parametrize(
    ("methods", "told"),
    [
        ({"allows": no_renewals_under_a_listener}, "renews runs=1"),
        ({"waits": no_time_under_a_return}, f"{TIME} unlocking=1"),
    ],
)
def test_stronger_assumption_is_detected(methods, told):
    right = INDUCTIONS["java_v5_2 of ordered"]["in-time"]
    wrong = replace(right, world=narrower(right.world, **methods))
    assert {*excluded(wrong)} - {*excluded(right)} == {told}
