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


def test_what_is_proved_of_two_listeners_rests_on_it():
    """Its machine asks for the lock at another time than the rest of a rebalance is done."""
    exclusive = [claim for claim in LEDGER if claim.room == "ordered" and claim.guarantee.name == "exclusive"]
    assert {claim.holds for claim in exclusive} == {True, False}
    for claim in exclusive:
        assert claim.lemmas == ((HALVES,) if claim.holds else ()), claim.id
