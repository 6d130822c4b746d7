"""Every action from every state of a member at a broker: all agree, and a difference is noticed."""

from dataclasses import replace

import numpy as np
import pytest

from rebalance_proofs.model.registry.clients import CLIENTS
from rebalance_proofs.model.registry.consumer_group_info import ConsumerGroupInfo
from rebalance_proofs.model.registry.producer_manager import ProducerManager
from rebalance_proofs.spark_enum.registry import steps
from rebalance_proofs.spark_enum.registry.space import SIZE, states
from rebalance_proofs.spark_enum.registry.steps import MOVES, Steps

MUTANTS = [
    pytest.param(client, one, id=f"{client.name}-{one.name}") for client in CLIENTS[1:] for one in client.mutants
]


def test_the_states_are_as_many_as_the_closed_form_says_and_all_different():
    rows = np.stack(list(states().values()), axis=1)
    assert rows.shape[0] == SIZE
    assert len(np.unique(rows, axis=0)) == SIZE


@pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.name)
def test_code_and_terms_agree_in_every_state(client):
    possible = 0
    for place in range(len(MOVES)):
        totals = Steps(client.name)(place)
        assert (totals.counted, totals.differing) == (SIZE, 0)
        possible += any(states())
    assert possible == len(MOVES)


@pytest.mark.parametrize(("client", "mutant"), MUTANTS)
def test_a_mutant_differs_from_the_code(client, mutant, monkeypatch):
    wrong = replace(client)
    object.__setattr__(wrong, "encoding", mutant.encoding)
    monkeypatch.setattr(steps, "CLIENTS", (wrong,))
    changed = {
        move.action
        for move in MOVES
        if getattr(mutant.encoding, move.action) is not getattr(client.encoding, move.action)
    }
    places = [place for place, move in enumerate(MOVES) if move.action in changed]
    assert places
    assert any(totals.differing and totals.first for totals in map(Steps(client.name), places))


@pytest.mark.parametrize("action", ["puts", "lags"])
def test_a_heartbeat_whose_time_is_not_noted_is_noticed(action, monkeypatch):
    right = ConsumerGroupInfo.update_channel

    def forgets(self, info, now):
        known = self.channel_info_table.get(info.channel)
        return right(self, info, known.last_update_timestamp if known else now)

    monkeypatch.setattr(ConsumerGroupInfo, "update_channel", forgets)
    monkeypatch.setattr(ProducerManager, "register_producer", lambda self, group, info, now: None)
    places = [place for place, move in enumerate(MOVES) if move.action == action]
    assert any(Steps(CLIENTS[0].name)(place).differing for place in places)
