"""The rebalance of every client may be split in two, including clients without locks."""

import pytest

from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.solver import Solver, unsat
from rebalance_proofs.model.transition.clients import CLIENTS
from rebalance_proofs.proofs.ledger import LEDGER

(HALVES,) = next(claim.lemmas for claim in LEDGER if claim.kind == "ordered" and claim.holds)


@pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.name)
def test_rebalance_can_be_split_at_the_lock_request(client):
    statement = HALVES.statement(client.encoding)
    solver = Solver()
    solver.add(*statement.given.values(), smt.Not(statement.then))
    assert solver.check() == unsat


def test_ordered_claims_depend_on_the_split():
    """Their machine requests the lock at another time than the rest of a rebalance."""
    ordered = [claim for claim in LEDGER if claim.kind == "ordered"]
    assert {claim.holds for claim in ordered} == {True, False}
    for claim in ordered:
        assert claim.lemmas == ((HALVES,) if claim.holds else ()), claim.id
