"""Every action from every state: all agree, and a difference is noticed."""

from dataclasses import replace

import numpy as np
import pytest

from rebalance_proofs.model.offsets.clients import BY_LOOP, CLIENTS, CONCURRENT, ORDERLY
from rebalance_proofs.model.offsets.ways import Way
from rebalance_proofs.spark_enum.offsets import steps
from rebalance_proofs.spark_enum.offsets.space import moves, size, states
from rebalance_proofs.spark_enum.offsets.steps import Steps

V4_9, V5 = CONCURRENT
LAST = (V5, *BY_LOOP, ORDERLY[-1])


@pytest.mark.parametrize("way", list(Way))
def test_the_states_are_as_many_as_the_closed_form_says_and_all_different(way):
    rows = np.stack(list(states(way).values()), axis=1)
    assert rows.shape[0] == size(way)
    assert len(np.unique(rows, axis=0)) == size(way)


@pytest.mark.parametrize(
    ("client", "name"),
    [(client, name) for client in LAST for name in sorted({action for action, _, _ in moves(client.way)})],
    ids=lambda one: getattr(one, "name", one),
)
def test_code_and_terms_of_the_last_ones_agree_in_every_state(client, name):
    piece = next(place for place, (action, _, _) in enumerate(moves(client.way)) if action == name)
    totals = Steps(client.name)(piece)
    assert (totals.counted, totals.differing) == (size(client.way), 0)


@pytest.mark.slow
@pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.name)
def test_code_and_terms_of_all_agree_in_every_state(client):
    assert not any(Steps(client.name)(place).differing for place in range(len(moves(client.way))))


@pytest.mark.parametrize(
    ("client", "mutant"),
    [(client, mutant) for client in LAST for mutant in client.mutants],
    ids=lambda one: one.name,
)
def test_a_mutant_differs_from_the_code(client, mutant, monkeypatch):
    wrong = replace(client)
    object.__setattr__(wrong, "encoding", mutant.encoding)
    monkeypatch.setattr(steps, "CLIENTS", (wrong,))
    monkeypatch.setattr(steps, "_kernel", steps._kernel.__wrapped__)
    concerned = [
        place
        for place, (action, _, _) in enumerate(moves(client.way))
        if getattr(mutant.encoding, action) is not getattr(client.encoding, action)
    ]
    found = (Steps(client.name)(place) for place in concerned)
    assert any(totals.differing and totals.first for totals in found)


def test_rows_are_kept_with_what_was_found():
    kept = []
    Steps(V4_9.name)(0, lambda **columns: kept.append(columns))
    (columns,) = kept
    assert len(columns["found"]) == size(Way.CONCURRENTLY)
    assert len(set(columns["digest"].tolist())) > 1
    assert "nothing" in columns["found"]
