"""The kinds of claims: each claim belongs to one, which knows how to look for a counterexample."""

from rebalance_proofs.proofs.allocation.search import LookingAtGroups
from rebalance_proofs.proofs.kinds import KINDS
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.proofs.transition.search import LookingAtTables
from tests.proofs.solvers.pools import Scripted

LOOKING = {"allocation": LookingAtGroups, "transition": LookingAtTables}


def test_every_claim_is_of_a_kind_that_can_look_for_a_counterexample():
    assert {claim.kind for claim in LEDGER} == set(KINDS) == set(LOOKING)
    for claim in LEDGER:
        looking = KINDS[claim.kind].looking(claim, Scripted([]))
        assert type(looking) is LOOKING[claim.kind]
        assert next(iter(looking.sizes())) in ((1,), (1, 1))
        assert claim.id.startswith("transition.") is (claim.kind == "transition")


def test_an_id_is_made_of_what_the_claim_is_about():
    for claim in LEDGER:
        parts = claim.id.split(".")
        assert parts[:2] == [claim.room, "+".join(one.name for one in claim.subjects)]
        assert ".".join(parts[2:]) in (
            f"{claim.guarantee.name}{'.' * bool(claim.variant)}{claim.variant}",
            claim.variant,
        )
