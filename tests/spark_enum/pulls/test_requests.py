"""Every action from every state: that all agree, and that a difference is noticed."""

from dataclasses import replace

import numpy as np
import pytest

from rebalance_proofs.model.pulls.clients import CLIENTS
from rebalance_proofs.spark_enum.pulls import requests
from rebalance_proofs.spark_enum.pulls.requests import Requests
from rebalance_proofs.spark_enum.pulls.space import MOVES, SIZE, states

LAST = CLIENTS[-1]


def test_the_states_are_as_many_as_the_closed_form_says_and_all_different():
    rows = np.stack(list(states().values()), axis=1)
    assert rows.shape[0] == SIZE == (1 + 2 * 3 * 2**3 + 12 + 1 + 4 + 2**4) * (2**3 + 1) * 3 * 2
    assert len(np.unique(rows, axis=0)) == SIZE


@pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.name)
def test_code_and_terms_agree_in_every_state(client):
    found = [Requests(client.name)(place) for place in range(len(MOVES))]
    assert {(totals.counted, totals.differing) for totals in found} == {(SIZE, 0)}


@pytest.mark.parametrize("mutant", LAST.mutants, ids=lambda mutant: mutant.name)
def test_a_mutant_differs_from_the_code(mutant, monkeypatch):
    wrong = replace(LAST)
    object.__setattr__(wrong, "encoding", mutant.encoding)
    monkeypatch.setattr(requests, "CLIENTS", (wrong,))
    monkeypatch.setattr(requests, "_kernel", requests._kernel.__wrapped__)
    concerned = [
        place
        for place, (action, _) in enumerate(MOVES)
        if getattr(mutant.encoding, action) is not getattr(LAST.encoding, action)
    ]
    found = [Requests(LAST.name)(place) for place in concerned]
    assert any(totals.differing and totals.first for totals in found)


def test_rows_are_kept_with_what_was_found():
    kept = []
    Requests(LAST.name)(0, lambda **columns: kept.append(columns))
    (columns,) = kept
    assert len(columns["found"]) == SIZE
    assert len(set(columns["digest"].tolist())) > 1
    assert "nothing" in columns["found"]
