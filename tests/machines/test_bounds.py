"""Each time limit in a proved claim is attained by some run: no shorter limit would hold."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from rebalance_proofs.model.machine.bound import Bound
from rebalance_proofs.model.machine.values import limit, longer, twice
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.proofs.machine.kind import explored
from tests.machines.registered import MACHINES

PROMISED = [
    pytest.param(machine.configuration, claim, bound, id=f"{claim.id}{number or ''}")
    for machine in MACHINES
    for claim in LEDGER
    if claim.world.kind == machine.kind and claim.holds
    for number, bound in enumerate(machine.configuration.bounds(claim))
]


def test_three_kinds_of_claims_guarantee_time_limits():
    assert {param.values[1].kind for param in PROMISED} == {"settling", "registry", "subscriptions"}
    assert len(PROMISED) >= 23


@pytest.mark.parametrize(("configuration", "claim", "bound"), PROMISED)
def test_guaranteed_limit_is_attained(configuration, claim, bound):
    """By a run in ticks, found by exploration; the guarantee itself is proved for all time limits."""
    at_the_end = replace(configuration, bad=lambda claim: bound.attained)
    assert explored(at_the_end, claim.subjects[0].encoding, claim)


@pytest.mark.parametrize(("sooner", "last"), [(False, 13), (True, 12)])
def test_limit_expires_only_after_its_last_millisecond(sooner, last):
    """To the millisecond; an action that is not pending is neither late, early nor attained."""
    bound = Bound(limit("wait", "the wait"), lambda s: s.pending, lambda s: s.begun, sooner=sooner)
    limits = SimpleNamespace(wait=3)
    for now in range(10, 16):
        state = SimpleNamespace(now=now, begun=10, pending=True)
        found = [getattr(bound, name)(state, limits) for name in ("undercut", "attained", "exceeded")]
        assert found == [now < last, now == last, now > last]
        idle = SimpleNamespace(now=now, begun=10, pending=False)
        assert not any(getattr(bound, name)(idle, limits) for name in ("undercut", "attained", "exceeded"))


def test_words_of_a_duration_match_its_number():
    wait, loop = limit("wait", "the wait"), limit("loop", "the loop")
    limits = SimpleNamespace(wait=3, loop=5)
    for span, words, number in (
        (wait + twice(loop), "the wait + 2 x the loop", 13),
        (longer(wait, loop), "max(the wait, the loop)", 5),
        (longer(loop, wait), "max(the loop, the wait)", 5),
    ):
        assert (span.words, span.of(limits)) == (words, number)
