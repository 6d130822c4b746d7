"""Longest time that a consumer without an entry holds a lock in the code; the proof detects each conjunct."""

from dataclasses import replace

import pytest

from rebalance_proofs.model.machines.ordered.actions import CLIENTS
from rebalance_proofs.model.machines.ordered.assumptions import NOT_LATER
from rebalance_proofs.model.machines.ordered.claims import OF_UNUSED
from rebalance_proofs.model.machines.ordered.state import DEFAULTS
from rebalance_proofs.model.ordered.consumer import RebalanceLockManager
from rebalance_proofs.model.possible import Impossible
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.solver import Solver, unsat
from rebalance_proofs.proofs.machine.declared import induced

each_client = pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.name)


@each_client
def test_late_request_keeps_the_lock_until_expiry(client):
    broker = RebalanceLockManager(DEFAULTS.broker)
    one, other = (client.consumer(client_id, broker, DEFAULTS) for client_id in (1, 2))
    one.locks()
    one.adds()
    one.revokes()
    assert one.entry is None
    if client.gives_back:
        one.unlocked()
        assert broker.entry is None
    one.now = DEFAULTS.late
    one.renews(heard=False)
    other.now = DEFAULTS.late + DEFAULTS.broker
    with pytest.raises(Impossible):
        other.locks()
    other.now += 1
    other.locks()
    other.adds()
    assert other.entry is not None


@each_client
def test_no_release_conjunct_can_be_left_out(client):
    let_go = induced("ordered", client, "let-go")
    whole = let_go.induction(NOT_LATER)

    def failing(conjuncts) -> bool:
        for obligation in let_go.made(replace(whole, invariant=tuple(conjuncts))):
            statement = obligation.statement(client.encoding)
            solver = Solver()
            solver.add(*statement.given.values(), smt.Not(statement.then))
            if solver.check() != unsat:
                return True
        return False

    assert not failing(OF_UNUSED)
    for one in OF_UNUSED:
        assert failing([other for other in OF_UNUSED if other is not one]), one.name
