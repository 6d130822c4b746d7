"""Each limit of time that a proved claim promises is attained by some run: no shorter one could be promised."""

from dataclasses import replace

import pytest

from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.proofs.machine.exploration import explored
from tests.machines.registered import MACHINES

PROMISED = [
    (machine.configuration, claim)
    for machine in MACHINES
    for claim in LEDGER
    if claim.world.kind == machine.kind and claim.holds and machine.configuration.bound(claim)
]


def test_claims_of_three_kinds_promise_limits():
    assert {claim.world.kind for _, claim in PROMISED} == {"settling", "registry", "subscriptions"}
    assert len(PROMISED) >= 15


@pytest.mark.parametrize(("configuration", "claim"), [pytest.param(*one, id=one[1].id) for one in PROMISED])
def test_a_limit_is_attained(configuration, claim):
    """By a run in ticks, found by exploration; the promise itself is proved for all limits of time."""
    bound = configuration.bound(claim)
    at_the_end = replace(configuration, bad=lambda claim: bound.attained)
    assert explored(at_the_end, claim.subjects[0].encoding, claim)
