"""One consumer's offsets with an ordered listener, as its code keeps them."""

import pytest

from rebalance_proofs.model.client.pull_from_where import ConsumeFromWhere
from rebalance_proofs.model.offsets.broker import Broker
from rebalance_proofs.model.offsets.clients import ORDERLY
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
def test_its_first_pull_begins_at_what_is_committed_then(client):
    found = begun(client)
    found.broker.commit_offset(2)
    with pytest.raises(Impossible):
        found.pulls(offset=3, found=(2,))
    found.fixes()
    assert (found.began, found.held.next, found.memory) == (2, 2, 2)
    with pytest.raises(Impossible):
        found.fixes()


@pytest.mark.parametrize(("client", "next_"), [(V4_9, -1), (V5_0, 0), (V5_2, 0)], ids=["4.9", "5.0", "5.2"])
def test_a_first_pull_without_an_answer_is_from_nowhere_in_4_9_and_is_tried_again_in_5(client, next_):
    found = begun(client)
    found.fixes(silent=True)
    assert found.held.next == next_
    with pytest.raises(Impossible):
        found.pulls(offset=1, found=(0,))
    if client is not V4_9:
        found.fixes()
        found.pulls(offset=1, found=(0,))


@pytest.mark.parametrize(("client", "next_"), [(V4_9, 3), (V5_0, 0), (V5_2, 0)], ids=["4.9", "5.0", "5.2"])
def test_a_brokers_error_at_the_first_pull_is_none_to_4_9_alone(client, next_):
    found = begun(client)
    found.fixes(error=True)
    assert found.held.next == next_


@each_client
def test_batches_are_taken_in_order_and_noted_one_after_the_other(client):
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
def test_a_batch_that_is_to_be_tried_again_comes_first_again(client):
    found = pulled(client, 0, 1)
    found.starts(message=0)
    found.fails(message=0)
    with pytest.raises(Impossible):
        found.others(message=1)
    found.starts(message=0)


@each_client
def test_a_marked_entry_notes_nothing(client):
    found = pulled(client, 0)
    found.starts(message=0)
    found.marks()
    found.ends(message=0)
    assert found.noting is None
    with pytest.raises(Impossible):
        found.notes()
    assert found.held.owed == {0}


@each_client
def test_what_is_noted_sets_the_memory_back_where_more_is_there(client):
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
def test_under_its_listener_an_entry_stays_marked_and_up_to_5_1_its_offset_is_forgotten(client, memory):
    found = pulled(client, 0)
    found.starts(message=0)
    found.revokes()
    assert found.held.entry.dropped
    assert found.memory == memory
    assert [commit.offset for commit in found.commits_under_way] == [0]


@pytest.mark.parametrize(("client", "stays"), [(V4_9, True), (V5_0, True), (V5_2, False)], ids=["4.9", "5.0", "5.2"])
def test_from_5_2_on_an_entry_goes_under_its_listener_where_its_lock_is_old(client, stays):
    found = pulled(client, 0)
    found.starts(message=0)
    found.revokes(stale=True)
    assert (found.held is not None) is stays
    assert found.concerned


@each_client
def test_a_queue_stays_taken_while_persist_all_may_send_its_offset(client):
    found = pulled(client, 0)
    found.copies()
    found.revokes()
    found.commits()
    assert found.held is None
    assert found.concerned
    found.finishes()
    assert not found.concerned


@each_client
def test_a_first_pull_that_was_left_behind_puts_what_it_hears_into_the_memory(client):
    found = begun(client, committed=2)
    found.overtaken(offset=1)
    assert found.memory == 1


@each_client
def test_a_call_that_is_interrupted_can_be_half_done_and_the_next_one_not(client):
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
def test_where_the_interrupt_status_stays_set_the_batch_stays(client):
    found = pulled(client, 0, 1)
    found.starts(message=1)
    found.interrupts()
    found.returns_interrupted(message=1)
    assert (found.noting, found.held.consuming, found.memory) == (None, {0, 1}, 0)
    assert (found.broker.consumed[0], found.broker.consumed[1]) == (1, 1)


@each_client
def test_what_an_interrupted_call_leaves_is_noted_with_the_next_batch(client):
    """``commit`` is behind the last message that was taken, and takes all of them out."""
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
def test_where_the_next_batch_is_to_be_tried_again_it_is_consumed_again_too(client):
    found = pulled(client, 0, 1)
    found.starts(message=0)
    found.interrupts()
    found.returns_interrupted(message=0, half=True)
    found.others_fail(message=0)
    assert (sorted(found.held.tree), found.memory) == ([0, 1], 0)
    found.starts(message=0)
