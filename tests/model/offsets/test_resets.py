"""A reset of a queue's offset in the code of the client that owns the queue."""

import pytest

from rebalance_proofs.model.client.pull_from_where import ConsumeFromWhere
from rebalance_proofs.model.machines.offsets.actions import CONCURRENT, ORDERLY
from rebalance_proofs.model.offsets.broker import Broker
from rebalance_proofs.model.possible import Impossible

each_client = pytest.mark.parametrize("client", [*CONCURRENT, *ORDERLY], ids=lambda client: client.name)


def called(client):
    """A consumer whose listener is called with the message at 1 of three."""
    found = client.consumer(Broker(1, 3), ConsumeFromWhere.LAST_OFFSET)
    found.asks()
    found.adds()
    if client in ORDERLY:
        found.fixes()
    found.pulls(offset=3, found=(1, 2))
    found.starts(message=1)
    return found


@each_client
def test_result_during_a_reset_is_not_recorded(client):
    found = called(client)
    found.suspends(offset=0)
    assert found.held.entry.dropped
    assert found.held.tree == set()
    found.ends(message=1)
    assert found.broker.consumed[1] == 1
    assert found.noted == []
    found.rewinds()
    found.retires()
    assert (found.held, found.missed) == (None, False)
    found.commits()
    assert found.broker.committed == 0


@each_client
def test_reset_removes_the_entry_under_its_listener(client):
    found = called(client)
    found.suspends(offset=0)
    found.rewinds()
    found.retires()
    assert found.held is None
    found.ends_late(message=1)
    assert found.noted == []


@each_client
def test_empty_pull_during_a_reset_records_its_own_next_offset(client):
    found = called(client)
    found.suspends(offset=0)
    found.rewinds()
    found.empty()
    found.records()
    found.retires()
    assert found.missed
    assert found.commits_under_way[0].offset == 3


@each_client
@pytest.mark.parametrize(("arrives", "ignored"), [(True, False), (False, True)])
def test_rebalance_after_a_reset_needs_the_arrived_commit(client, arrives, ignored):
    found = called(client)
    found.suspends(offset=0)
    found.rewinds()
    found.retires()
    if arrives:
        found.commits()
    found.asks()
    assert found.ignored is ignored


@each_client
def test_reset_actions_have_a_fixed_order(client):
    found = called(client)
    for action in (found.rewinds, found.retires):
        with pytest.raises(Impossible):
            action()
    found.suspends(offset=0)
    with pytest.raises(Impossible):
        found.suspends(offset=0)
    with pytest.raises(Impossible):
        found.retires()
    with pytest.raises(Impossible):
        called(client).suspends(offset=4)
