"""The smallest counterexample found without a solver is as large as the solvers'."""

import pytest

from rebalance_proofs.proofs.claim import Verdict
from rebalance_proofs.proofs.ledger import LEDGER, select
from rebalance_proofs.report.kinds import smallest


def test_smallest_counterexample_has_the_size_found_by_solvers(green):
    for result in green.claims:
        if result.verdict is Verdict.REFUTED:
            found, own = smallest(result.claim), result.search.counterexample
            assert (found.consumers, found.queues, found.values) == (own.consumers, own.queues, own.values)


def test_claim_that_holds_has_none():
    (claim,) = select(["allocation.circle.disjoint"])
    with pytest.raises(LookupError, match=r"allocation\.circle\.disjoint: no counterexample with up to 4 consumers"):
        smallest(claim)


@pytest.mark.parametrize("room", ["allocation", "clients", "topics", "movement"])
def test_every_room_is_searched(room):
    claim = next(claim for claim in LEDGER if claim.expected is Verdict.REFUTED and claim.id.startswith(room))
    assert smallest(claim).sentence


def test_refuted_claim_about_a_shipped_client_has_a_shipped_example():
    """With a user-defined offset store the example would concern a client that few people have."""
    transitions = [claim for claim in LEDGER if claim.id.startswith("transition.")]
    refuted = [claim for claim in transitions if claim.expected is Verdict.REFUTED]
    shipped = [claim for claim in refuted if any(not mode.own_store for mode in claim.world.modes)]
    assert shipped
    assert [claim.id for claim in shipped if smallest(claim).group.mode.own_store] == []
