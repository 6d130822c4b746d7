"""Entries that are reused, and requests after a denied lock."""

from rebalance_proofs.model.client.effects import REBALANCE_LATER
from rebalance_proofs.model.client.node import NodeProcessQueue
from rebalance_proofs.model.client.process_queue_table import ProcessQueue
from rebalance_proofs.model.transition.client import PUSH
from rebalance_proofs.model.transition.clients import NODE, V4_9, V5_0, V5_2
from rebalance_proofs.model.transition.rounds import queue_of
from rebalance_proofs.model.transition.variables import QUEUE
from rebalance_proofs.spark_enum.transition.columns import Became, Consumer, asks_again, restore, state_of

BENIGN = {variable.name: variable.benign for variable in QUEUE}


def test_entry_state_has_every_attribute():
    entry = ProcessQueue()
    states = [name for name in ProcessQueue.__slots__ if name != "pull_max_idle_time"]  # which is a setting
    for number, name in enumerate(states, 10):
        setattr(entry, name, number)
    assert sorted(state_of(entry)) == list(range(10, 10 + len(states)))
    assert NodeProcessQueue.__slots__ == ("next_offset",)  # a rebalance never changes that of an entry it has
    other = ProcessQueue()
    restore(other, state_of(entry))
    assert state_of(other) == state_of(entry)


def test_entry_is_created_without_side_effects():
    consumer = Consumer(NODE, PUSH)
    entry = consumer.entry(BENIGN | {"pull_age": 7})
    assert entry is not None
    assert not consumer.table
    assert not consumer.memory
    assert consumer.entry(BENIGN | {"present": 0}) is None


def test_outcome_of_a_queue_is_recorded():
    consumer, queue = Consumer(NODE, PUSH), queue_of(0, 1)
    entry = consumer.table[queue] = consumer.entry(BENIGN)
    consumer.memory[queue] = 3
    assert consumer.became(queue, entry) == Became(state_of(entry), state_of(entry), False, 3)
    assert consumer.became(queue, None) == Became(None, state_of(entry), True, 3)
    consumer.table.clear()
    assert consumer.became(queue, entry).after is None


def test_clients_that_request_another_rebalance_are_listed():
    assert asks_again(V4_9) == asks_again(NODE) == ()
    assert asks_again(V5_0) == asks_again(V5_2) == ((REBALANCE_LATER, None, 500),)
