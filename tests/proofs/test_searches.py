"""Which search a claim's premise asks for."""

import pytest

from rebalance_proofs.model.topics import TOPICS
from rebalance_proofs.model.transition.client import PUSH
from rebalance_proofs.model.worlds.agreed import AGREED
from rebalance_proofs.proofs import smallest
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.proofs.searches import searches
from rebalance_proofs.proofs.transition import search as transitions
from rebalance_proofs.proofs.transition.scenario import Scenario


def test_groups_are_searched_by_their_size():
    for world in (AGREED, TOPICS):
        assert searches(world) == (smallest.search, smallest.violation)


def test_rounds_are_searched_by_their_departures():
    found = searches(Scenario((PUSH,)))
    assert found == (transitions.search, transitions.violation)
    assert (found.search, found.violation) == found


def test_every_claim_of_the_ledger_can_be_searched():
    for claim in LEDGER:
        rounds = isinstance(claim.world, Scenario)
        assert rounds is claim.id.startswith("transition.")
        assert searches(claim.world).search is (transitions.search if rounds else smallest.search)


def test_another_premise_has_no_search():
    with pytest.raises(TypeError, match=r"^no search for a premise of type str$"):
        searches("all is well")
