"""The rebalance of every client may be split in two, including clients without locks."""

import pytest

from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.solver import Solver, unsat
from rebalance_proofs.model.transition.clients import CLIENTS
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.proofs.ordered.halves import HALVES


@pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.name)
def test_a_rebalance_may_be_cut_where_it_asks_for_the_lock(client):
    statement = HALVES.statement(client.encoding)
    solver = Solver()
    solver.add(*statement.given.values(), smt.Not(statement.then))
    assert solver.check() == unsat


def test_what_is_proved_of_ordered_consumers_rests_on_it():
    """Their machine asks for the lock at another time than the rest of a rebalance is done."""
    ordered = [claim for claim in LEDGER if claim.kind == "ordered"]
    assert {claim.holds for claim in ordered} == {True, False}
    for claim in ordered:
        assert claim.lemmas == ((HALVES,) if claim.holds else ()), claim.id
