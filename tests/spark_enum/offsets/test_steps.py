"""Every action from every state: that all agree, and that a difference is noticed."""

from dataclasses import replace

import numpy as np
import pytest

from rebalance_proofs.model.offsets.clients import CLIENTS
from rebalance_proofs.spark_enum.offsets import steps
from rebalance_proofs.spark_enum.offsets.space import MOVES, SIZE, states
from rebalance_proofs.spark_enum.offsets.steps import Steps

V4_9, V5 = CLIENTS


def test_the_states_are_as_many_as_the_closed_form_says_and_all_different():
    rows = np.stack(list(states().values()), axis=1)
    assert rows.shape[0] == SIZE
    assert len(np.unique(rows, axis=0)) == SIZE


@pytest.mark.parametrize("name", sorted({action for action, _, _ in MOVES}))
def test_code_and_terms_of_5_2_agree_in_every_state(name):
    totals = Steps(V5.name)(next(place for place, (action, _, _) in enumerate(MOVES) if action == name))
    assert (totals.counted, totals.differing) == (SIZE, 0)


@pytest.mark.slow
@pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.name)
def test_code_and_terms_of_all_agree_in_every_state(client):
    assert not any(Steps(client.name)(place).differing for place in range(len(MOVES)))


@pytest.mark.parametrize("mutant", V5.mutants, ids=lambda mutant: mutant.name)
def test_a_mutant_differs_from_the_code(mutant, monkeypatch):
    wrong = replace(V5)
    object.__setattr__(wrong, "encoding", mutant.encoding)
    monkeypatch.setattr(steps, "CLIENTS", (wrong,))
    monkeypatch.setattr(steps, "_kernel", steps._kernel.__wrapped__)
    concerned = [
        place
        for place, (action, _, _) in enumerate(MOVES)
        if getattr(mutant.encoding, action) is not getattr(V5.encoding, action)
    ]
    found = [Steps(V5.name)(place) for place in concerned]
    assert any(totals.differing and totals.first for totals in found)


def test_rows_are_kept_with_what_was_found():
    kept = []
    Steps(V4_9.name)(0, lambda **columns: kept.append(columns))
    (columns,) = kept
    assert len(columns["found"]) == SIZE
    assert len(set(columns["digest"].tolist())) > 1
    assert "nothing" in columns["found"]
