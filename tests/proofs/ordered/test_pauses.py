"""Longest pauses of a queue in ticks: pinned, and replayed by the code if they are short."""

from dataclasses import replace

import numpy as np
import pytest

from rebalance_proofs.model.machines.ordered.actions import CLIENTS, GO, V4_9, V4_9_0, V5_0, V5_2
from rebalance_proofs.model.machines.ordered.state import DEFAULTS, TICKS
from rebalance_proofs.model.ordered.consumer import RebalanceLockManager
from rebalance_proofs.model.possible import Impossible
from rebalance_proofs.proofs.ordered import pauses
from rebalance_proofs.proofs.ordered.passing import NEVER_ENDS, Way
from rebalance_proofs.proofs.ordered.pauses import hurries_unbalanced, longest

TICK = 10_000
"""ms."""
PAUSES = {
    Way.FREE: {V4_9_0: 4, V4_9: 2, V5_0: 2, V5_2: 2, GO: 4},
    Way.SHUT: {V4_9_0: 4, V4_9: 2, V5_0: 7, V5_2: 7, GO: 10},
    Way.CRASHED: {V4_9_0: 10, V4_9: 8, V5_0: 7, V5_2: 7, GO: 10},
    Way.ALIVE: {V4_9_0: 10, V4_9: 8, V5_0: 7, V5_2: 5, GO: 12},
    Way.LOST: {V4_9_0: 14, V4_9: 12, V5_0: 9, V5_2: 9, GO: 12},
    Way.BACK: {V4_9_0: 16, V4_9: 14, V5_0: 14, V5_2: 13, GO: 4},
}


@pytest.fixture(autouse=True)
def uncached():
    """Tests of this file change the model."""
    pauses._longest.cache_clear()
    yield
    pauses._longest.cache_clear()


@pytest.mark.parametrize("way", Way)
def test_queue_pause_has_the_pinned_number_of_ticks(way):
    assert {client: longest(client, way).ticks for client in CLIENTS} == PAUSES[way]


@pytest.mark.parametrize(
    "way", [pytest.param(way, marks=[] if way is Way.CRASHED else [pytest.mark.slow]) for way in Way]
)
def test_queue_pauses_for_ever_without_the_timer(way):
    assert {longest(client, way, timer=False).ticks for client in CLIENTS} == {NEVER_ENDS}


def test_shorter_broker_lock_shortens_the_pause_after_a_crash(monkeypatch):
    monkeypatch.setattr(pauses, "TICKS", replace(TICKS, broker=5))
    assert longest(V5_2, Way.CRASHED).ticks == 6


def test_denied_consumer_asks_again_soon_from_5_0_on(monkeypatch):
    monkeypatch.setattr(pauses, "SOON", pauses.PERIOD)
    at_the_timer = {way: {client: longest(client, way).ticks for client in CLIENTS} for way in Way}
    sooner = {
        (way, client): at_the_timer[way][client] - PAUSES[way][client]
        for way in Way
        for client in CLIENTS
        if at_the_timer[way][client] != PAUSES[way][client]
    }
    denied = (Way.SHUT, Way.CRASHED, Way.ALIVE, Way.LOST)
    assert sooner == {(way, client): 1 for way in denied for client in (V5_0, V5_2)} | {(Way.BACK, V5_2): 1}


def test_dropped_entry_makes_a_consumer_hurry_from_5_2_on_only():
    assert [client for client in CLIENTS if hurries_unbalanced(client)] == [V5_2]


def test_unrepresentable_limits_are_refused(monkeypatch):
    monkeypatch.setattr(pauses, "TICKS", replace(TICKS, broker=7))
    with pytest.raises(ValueError, match="exceeds the range of ticks"):
        longest(V5_2, Way.CRASHED)


def test_stuck_model_is_not_a_short_pause(monkeypatch):
    monkeypatch.setattr(pauses._Pauses, "_may_pass", lambda self, rows, ages: np.zeros(len(rows), dtype=bool))
    monkeypatch.setattr(pauses._Pauses, "_takes", lambda self, rows, ages: rows)
    with pytest.raises(RuntimeError, match="neither time passes"):
        longest(V5_2, Way.FREE)


@pytest.mark.parametrize("client", [V4_9, V5_0, V5_2], ids=lambda client: client.name)
def test_code_gets_the_queue_at_the_fourth_rebalance_after_a_crash(client):
    broker = RebalanceLockManager(DEFAULTS.broker)
    crashed, other = (client.consumer(client_id, broker, DEFAULTS) for client_id in (1, 2))
    crashed.locks()
    crashed.adds()
    crashed.crashes()
    for tick in (2, 4, 6):
        other.now = tick * TICK
        with pytest.raises(Impossible):
            other.locks()
    other.now = PAUSES[Way.CRASHED][client] * TICK
    other.locks()
    other.adds()
    assert other.entry is not None
    assert other.entry.locked


@pytest.mark.parametrize("client", [V4_9, V5_0, V5_2], ids=lambda client: client.name)
def test_returning_dropped_entry_stays_until_its_pull_expires(client):
    consumer = client.consumer(1, RebalanceLockManager(DEFAULTS.broker), DEFAULTS)
    consumer.locks()
    consumer.adds()
    consumer.now = consumer.pulls_from
    consumer.pulls()
    consumer.starts()
    consumer.revokes()
    consumer.ends()
    assert consumer.entry is not None
    assert consumer.entry.dropped
    with pytest.raises(Impossible):
        consumer.locks()
    consumer.now = PAUSES[Way.BACK][client] * TICK
    consumer.revokes(in_set=True)
    assert consumer.entry is None
    consumer.locks()
    consumer.adds()
    assert consumer.entry is not None
