"""Every action from every state: all agree, and a difference is noticed."""

from dataclasses import replace

import numpy as np
import pytest

from rebalance_proofs.model.ordered.clients import CLIENTS, V5_2
from rebalance_proofs.proofs.ordered.inductive import ACTIONS
from rebalance_proofs.spark_enum.ordered import transitions
from rebalance_proofs.spark_enum.ordered.space import MOVES, SIZE, STATES, states
from rebalance_proofs.spark_enum.ordered.transitions import Actions


def piece(name: str) -> int:
    return next(place for place, (action, _) in enumerate(MOVES) if action == name)


def test_the_states_are_as_many_as_the_closed_form_says_and_all_different():
    rows = np.stack([states()[name] for name in STATES], axis=1)
    assert rows.shape[0] == SIZE
    assert len(np.unique(rows, axis=0)) == SIZE


@pytest.mark.parametrize("name", ACTIONS)
def test_code_and_terms_of_5_2_agree_in_every_state(name):
    totals = Actions(V5_2.name)(piece(name))
    assert (totals.counted, totals.differing) == (SIZE, 0)


@pytest.mark.slow
@pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.name)
def test_code_and_terms_of_all_agree_in_every_state(client):
    assert not any(Actions(client.name)(place).differing for place in range(len(MOVES)))


@pytest.mark.parametrize("mutant", V5_2.mutants, ids=lambda mutant: mutant.name)
def test_a_mutant_differs_from_the_code(mutant, monkeypatch):
    wrong = replace(V5_2)
    object.__setattr__(wrong, "encoding", mutant.encoding)
    monkeypatch.setattr(transitions, "CLIENTS", (wrong,))
    monkeypatch.setattr(transitions, "_kernel", transitions._kernel.__wrapped__)
    found = (Actions(V5_2.name)(place) for place in range(len(MOVES)))
    assert any(totals.differing and totals.first for totals in found)


def test_rows_are_kept_with_what_was_found():
    kept = []
    Actions(V5_2.name)(piece("starts"), lambda **columns: kept.append(columns))
    (columns,) = kept
    assert len(columns["found"]) == SIZE
    assert len(set(columns["digest"].tolist())) > 1
    assert "nothing" in columns["found"]
