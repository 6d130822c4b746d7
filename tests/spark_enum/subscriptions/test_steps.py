"""Every action from every state of a topic's subscription: all agree, and a difference is noticed."""

from dataclasses import replace

import numpy as np
import pytest

from rebalance_proofs.model.subscriptions.clients import CLIENTS
from rebalance_proofs.proofs.subscriptions.schedule import MOVES
from rebalance_proofs.spark_enum.subscriptions import steps
from rebalance_proofs.spark_enum.subscriptions.space import SIZE, states
from rebalance_proofs.spark_enum.subscriptions.steps import Steps

MUTANTS = [pytest.param(client, one, id=f"{client.name}-{one.name}") for client in CLIENTS for one in client.mutants]


def test_the_states_are_as_many_as_the_closed_form_says_and_all_different():
    rows = np.stack(list(states().values()), axis=1)
    assert rows.shape[0] == SIZE
    assert len(np.unique(rows, axis=0)) == SIZE


@pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.name)
def test_code_and_terms_agree_in_every_state(client):
    for place in range(len(MOVES)):
        totals = Steps(client.name)(place)
        assert (totals.counted, totals.differing) == (SIZE, 0)


@pytest.mark.parametrize(("client", "mutant"), MUTANTS)
def test_a_mutant_differs_from_the_code(client, mutant, monkeypatch):
    wrong = replace(client)
    object.__setattr__(wrong, "encoding", mutant.encoding)
    monkeypatch.setattr(steps, "CLIENTS", (wrong,))
    monkeypatch.setattr(steps, "_kernel", steps._kernel.__wrapped__)
    changed = [
        place
        for place, move in enumerate(MOVES)
        if getattr(mutant.encoding, move.action) is not getattr(client.encoding, move.action)
    ]
    found = [Steps(client.name)(place) for place in changed]
    assert any(totals.differing and totals.first for totals in found)
