"""One consumer's offsets with an ordered listener, as in the client's code."""

import pytest

from rebalance_proofs.model.client.pull_from_where import ConsumeFromWhere
from rebalance_proofs.model.machines.offsets.actions import ORDERLY
from rebalance_proofs.model.offsets.broker import Broker
from rebalance_proofs.model.possible import Impossible

each_client = pytest.mark.parametrize("client", ORDERLY, ids=lambda client: client.name)
V4_9, V5_0, V5_2 = ORDERLY


def begun(client, committed=0, end=3, where=ConsumeFromWhere.LAST_OFFSET):
    found = client.consumer(Broker(committed, end), where)
    found.asks()
    found.adds()
    return found


def pulled(client, *messages, **settings):
    found = begun(client, **settings)
    found.fixes()
    found.pulls(offset=max(messages) + 1, found=messages)
    return found


@each_client
def test_first_ordered_pull_reads_the_committed_offset_again(client):
    found = begun(client)
    found.broker.commit_offset(2)
    with pytest.raises(Impossible):
        found.pulls(offset=3, found=(2,))
    found.fixes()
    assert (found.began, found.held.next, found.memory) == (2, 2, 2)
    with pytest.raises(Impossible):
        found.fixes()


@pytest.mark.parametrize(("client", "next_"), [(V4_9, -1), (V5_0, 0), (V5_2, 0)], ids=["4.9", "5.0", "5.2"])
def test_failed_first_pull_query_starts_at_minus_one_in_4_9_only(client, next_):
    found = begun(client)
    found.fixes(silent=True)
    assert found.held.next == next_
    with pytest.raises(Impossible):
        found.pulls(offset=1, found=(0,))
    if client is not V4_9:
        found.fixes()
        found.pulls(offset=1, found=(0,))


@pytest.mark.parametrize(("client", "next_"), [(V4_9, 3), (V5_0, 0), (V5_2, 0)], ids=["4.9", "5.0", "5.2"])
def test_broker_error_at_the_first_pull_is_no_offset_in_4_9_only(client, next_):
    found = begun(client)
    found.fixes(error=True)
    assert found.held.next == next_


@each_client
def test_batches_are_consumed_and_recorded_in_order(client):
    found = pulled(client, 0, 1, 2)
    with pytest.raises(Impossible):
        found.others(message=1)
    found.starts(message=1)
    with pytest.raises(Impossible):
        found.starts(message=2)
    found.ends(message=1)
    assert (found.noting, found.memory) == (2, 0)
    assert [found.broker.consumed[message] for message in range(3)] == [1, 1, 0]
    with pytest.raises(Impossible):
        found.starts(message=2)
    found.notes()
    assert (found.memory, found.broker.kept) == (2, 2)
    found.starts(message=2)


@each_client
def test_batch_to_retry_comes_first_again(client):
    found = pulled(client, 0, 1)
    found.starts(message=0)
    found.fails(message=0)
    with pytest.raises(Impossible):
        found.others(message=1)
    found.starts(message=0)


@each_client
def test_dropped_ordered_entry_records_nothing(client):
    found = pulled(client, 0)
    found.starts(message=0)
    found.marks()
    found.ends(message=0)
    assert found.noting is None
    with pytest.raises(Impossible):
        found.notes()
    assert found.held.owed == {0}


@each_client
def test_recorded_offset_overwrites_a_higher_memory(client):
    found = pulled(client, 0)
    found.starts(message=0)
    found.ends(message=0)
    found.pulls(offset=3, found=())
    found.empty()
    found.records()
    assert found.memory == 3
    found.notes()
    assert found.memory == 1


@pytest.mark.parametrize(("client", "memory"), [(V4_9, None), (V5_0, None), (V5_2, 0)], ids=["4.9", "5.0", "5.2"])
def test_entry_stays_dropped_under_its_listener(client, memory):
    found = pulled(client, 0)
    found.starts(message=0)
    found.revokes()
    assert found.held.entry.dropped
    assert found.memory == memory
    assert [commit.offset for commit in found.commits_under_way] == [0]


@pytest.mark.parametrize(("client", "stays"), [(V4_9, True), (V5_0, True), (V5_2, False)], ids=["4.9", "5.0", "5.2"])
def test_entry_with_an_old_lock_is_removed_under_its_listener_from_5_2_on(client, stays):
    found = pulled(client, 0)
    found.starts(message=0)
    found.revokes(stale=True)
    assert (found.held is not None) is stays
    assert found.concerned


@each_client
def test_queue_in_persist_all_is_still_sent_after_its_removal(client):
    found = pulled(client, 0)
    found.copies()
    found.revokes()
    found.commits()
    assert found.held is None
    assert found.concerned
    found.finishes()
    assert not found.concerned


@each_client
def test_late_first_pull_query_is_stored_in_memory(client):
    found = begun(client, committed=2)
    found.overtaken(offset=1)
    assert found.memory == 1


@each_client
def test_only_the_interrupted_call_is_half_done(client):
    found = pulled(client, 0, 1)
    found.starts(message=0)
    found.interrupts()
    found.ends(message=0, half=True)
    found.notes()
    found.starts(message=1)
    with pytest.raises(Impossible):
        found.ends(message=1, half=True)
    found.ends(message=1)
    found.notes()
    assert (found.memory, found.broker.finished) == (2, {1})


@each_client
def test_set_interrupt_status_keeps_the_batch(client):
    found = pulled(client, 0, 1)
    found.starts(message=1)
    found.interrupts()
    found.returns_interrupted(message=1)
    assert (found.noting, found.held.consuming, found.memory) == (None, {0, 1}, 0)
    assert (found.broker.consumed[0], found.broker.consumed[1]) == (1, 1)


@each_client
def test_interrupted_batch_is_recorded_with_the_next_one(client):
    """``commit`` uses the offset after the last message that was taken, and removes all of them."""
    found = pulled(client, 0, 1)
    found.starts(message=0)
    found.interrupts()
    found.returns_interrupted(message=0, half=True)
    with pytest.raises(Impossible):
        found.starts(message=0)
    found.starts(message=1)
    found.ends(message=1)
    found.notes()
    assert (found.memory, found.broker.finished) == (2, {1})
    assert (found.broker.consumed[0], found.broker.consumed[1]) == (1, 1)


@each_client
def test_interrupted_batch_is_consumed_again_with_a_retried_next_batch(client):
    found = pulled(client, 0, 1)
    found.starts(message=0)
    found.interrupts()
    found.returns_interrupted(message=0, half=True)
    found.others_fail(message=0)
    assert (sorted(found.held.tree), found.memory) == ([0, 1], 0)
    found.starts(message=0)
