"""The part of the ledger that is judged in every run has every feature of the ledger's claims."""

from dataclasses import replace

from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.proofs.obligation import Obligation
from rebalance_proofs.report.kinds import family
from tests.machines.test_machines import PROVED
from tests.proofs.some import NAMED, SOME, made_of, proved_by_one_solver, some
from tests.proofs.transition.random_cases import CLAIMS


def test_selected_claims_have_every_feature():
    assert {*SOME} <= {*LEDGER}
    assert {claim.id for claim in SOME} >= {*NAMED}
    assert set().union(*map(made_of, SOME)) == set().union(*map(made_of, LEDGER))
    assert len(SOME) < len(LEDGER) / 2


def test_selected_claims_have_every_family_verdict_and_obligation():
    for part in (
        lambda claim: {(family(claim), claim.expected)},
        lambda claim: {step.name for step in claim.obligations if not proved_by_one_solver(claim)},
    ):
        names = set().union(*map(part, LEDGER))
        paths = {name for name in names if str(name).startswith("path-")}
        assert names - paths <= set().union(*map(part, SOME))


def test_new_obligation_is_selected():
    """A new obligation of any claim, unless another default test proves it."""
    for by_another in (False, True):
        claim = next(one for one in LEDGER if one not in SOME and one.holds and proved_by_one_solver(one) is by_another)
        step = Obligation("new", "Nothing.", (), lambda encoding, v: None)
        changed = replace(claim, obligations=(*claim.obligations, step))
        assert (changed in some([changed if other is claim else other for other in LEDGER])) is not by_another


def test_obligations_that_are_not_selected_are_proved_by_one_solver():
    """Of each guarantee of a machine at least for one client, and of every claim about transitions."""
    by_one = {(claim.kind, claim.guarantee.name) for claim in LEDGER if claim.holds and proved_by_one_solver(claim)}
    machines = {(machine.kind, claim.guarantee.name) for machine, claim in PROVED}
    assert by_one == machines | {(claim.kind, claim.guarantee.name) for claim in CLAIMS if claim.holds}
