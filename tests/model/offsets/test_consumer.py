"""One consumer's offsets, as in the client's code."""

import pytest

from rebalance_proofs.model.client.pull_from_where import ConsumeFromWhere
from rebalance_proofs.model.machines.offsets.actions import CONCURRENT
from rebalance_proofs.model.offsets.broker import Broker
from rebalance_proofs.model.possible import Impossible

each_client = pytest.mark.parametrize("client", CONCURRENT, ids=lambda client: client.name)
V4_9, V5 = CONCURRENT


def consumer(client, committed=0, end=3, where=ConsumeFromWhere.LAST_OFFSET):
    return client.consumer(Broker(committed, end), where)


def begun(client, **settings):
    found = consumer(client, **settings)
    found.asks()
    found.adds()
    return found


@each_client
def test_consumer_starts_at_the_committed_offset_and_remembers_it(client):
    found = begun(client, committed=2)
    assert (found.began, found.memory) == (2, 2)


@each_client
@pytest.mark.parametrize(
    ("where", "began"),
    [(ConsumeFromWhere.LAST_OFFSET, 3), (ConsumeFromWhere.FIRST_OFFSET, 0)],
    ids=lambda one: str(one),
)
def test_consumer_without_an_offset_starts_at_the_setting_and_remembers_nothing(client, where, began):
    found = begun(client, committed=None, where=where)
    assert (found.began, found.memory) == (began, None)


@each_client
def test_unanswered_query_adds_no_queue(client):
    found = consumer(client)
    found.asks(silent=True)
    found.adds()
    assert found.held is None


@pytest.mark.parametrize(("client", "began"), [(V4_9, 3), (V5, None)], ids=["4.9", "5"])
def test_broker_error_is_no_offset_in_4_9_only(client, began):
    found = consumer(client)
    found.asks(error=True)
    found.adds()
    assert found.began == began


@each_client
def test_recorded_offset_is_the_first_remaining_message(client):
    found = begun(client)
    found.pulls(offset=3, found=(0, 1, 2))
    for message in (1, 0, 2):
        found.starts(message=message)
        found.ends(message=message)
    assert found.noted == [3, 2, 0]
    found.records()
    found.records()
    assert found.memory == 3


@each_client
def test_dropped_entry_records_nothing_and_calls_no_listener(client):
    found = begun(client)
    found.pulls(offset=2, found=(0, 1))
    found.starts(message=0)
    found.marks()
    with pytest.raises(Impossible):
        found.starts(message=1)
    found.ends(message=0)
    assert found.noted == []
    assert found.broker.consumed[0] == 1


@each_client
def test_removed_queue_leaves_a_commit_and_a_call_behind(client):
    found = begun(client, committed=1)
    found.pulls(offset=2, found=(1,))
    found.starts(message=1)
    found.revokes()
    assert (found.held, found.memory) == (None, None)
    assert [(commit.offset, commit.origin) for commit in found.commits_under_way] == [(1, 1)]
    with pytest.raises(Impossible):
        found.ends(message=1)
    found.ends_late(message=1)
    assert found.broker.consumed[1] == 1
    assert found.noted == []


@each_client
def test_late_result_is_recorded_after_the_queue_returned(client):
    found = begun(client)
    found.pulls(offset=1, found=(0,))
    found.starts(message=0)
    found.ends(message=0)
    found.revokes()
    found.asks()
    found.adds()
    assert (found.began, found.memory) == (0, 0)
    found.records()
    assert found.memory == 1


@each_client
def test_broker_accepts_any_commit(client):
    found = begun(client, committed=2)
    found.sends()
    found.broker.commit_offset(3)
    found.commits()
    assert found.broker.committed == 2
    assert found.broker.went_back


@each_client
def test_pull_finds_the_requested_messages(client):
    found = begun(client, committed=1)
    for wrong in ({"offset": 2, "found": (0,)}, {"offset": 4, "found": (1,)}, {"offset": 1, "found": ()}):
        with pytest.raises(Impossible):
            found.pulls(**wrong)
    found.pulls(offset=3, found=())
    found.empty()
    found.records()
    assert found.memory == 3


@each_client
def test_unsubscribed_queue_stays_in_memory_until_it_is_removed(client):
    found = begun(client, committed=1)
    found.unsubscribes()
    assert (found.held, found.memory, found.commits_under_way) == (None, 1, [])
    with pytest.raises(Impossible):
        found.forgets()
    found.copies()
    found.forgets()
    assert found.memory is None


@each_client
def test_persist_all_removes_offsets_of_queues_added_meanwhile(client):
    found = consumer(client, committed=1)
    found.copies()
    found.asks()
    found.adds()
    found.pulls(offset=2, found=(1,))
    found.starts(message=1)
    found.ends(message=1)
    found.records()
    assert (found.began, found.memory) == (1, 2)
    found.forgets()
    assert (found.began, found.memory) == (1, None)
    with pytest.raises(Impossible):
        found.sends()
    with pytest.raises(Impossible):
        found.forgets()


@each_client
def test_finished_persist_all_removes_nothing(client):
    found = consumer(client, committed=1)
    found.copies()
    with pytest.raises(Impossible):
        found.copies()
    found.finishes()
    found.asks()
    found.adds()
    found.copies()
    with pytest.raises(Impossible):
        found.forgets()
    assert found.memory == 1


@each_client
def test_persist_all_sends_offsets_of_removed_entries(client):
    found = begun(client)
    found.pulls(offset=1, found=(0,))
    found.starts(message=0)
    found.ends(message=0)
    found.copies()
    found.revokes()
    found.commits()
    found.records()
    assert (found.held, found.memory, found.broker.committed) == (None, 1, 0)
    found.sends()
    found.commits()
    assert found.broker.committed == 1
    with pytest.raises(Impossible):
        found.sends()


@each_client
@pytest.mark.parametrize("ends", ["shuts", "crashes"])
def test_ended_consumer_starts_nothing(client, ends):
    found = begun(client, committed=1)
    getattr(found, ends)()
    assert len(found.commits_under_way) == (ends == "shuts")
    for action in ("asks", "sends", "shuts", "crashes"):
        with pytest.raises(Impossible):
            getattr(found, action)()


@each_client
def test_interrupted_listener_that_returns_success_is_believed(client):
    found = begun(client, committed=1)
    found.pulls(offset=2, found=(1,))
    found.starts(message=1)
    with pytest.raises(Impossible):
        found.ends(message=1, half=True)
    found.interrupts()
    found.ends(message=1, half=True)
    found.records()
    found.shuts()
    found.commits()
    assert (found.broker.committed, found.broker.finished) == (2, set())


@each_client
def test_set_interrupt_status_prevents_the_result(client):
    found = begun(client, committed=1)
    found.pulls(offset=3, found=(1, 2))
    found.starts(message=1)
    found.interrupts()
    found.returns_interrupted(message=1)
    assert (found.noted, found.held.tree, found.broker.consumed[1]) == ([], {1, 2}, 1)
    with pytest.raises(Impossible):
        found.starts(message=2)
    with pytest.raises(Impossible):
        found.interrupts()


@each_client
def test_replica_answers_with_its_copied_offset(client):
    found = consumer(client, committed=1)
    found.replicates()
    found.broker.commit_offset(2)
    found.asks(replica=True)
    found.adds()
    assert found.began == 1


@each_client
def test_commit_to_a_replica_is_overwritten_by_the_master(client):
    found = begun(client, committed=1)
    found.sends()
    found.commits(replica=True)
    found.broker.commit_offset(0)
    found.replicates()
    assert (found.broker.committed, found.broker.copied) == (0, 0)


@each_client
def test_replica_that_becomes_master_has_its_copied_offset(client):
    found = consumer(client, committed=2)
    found.broker.copied = None
    found.swaps()
    assert (found.broker.stored, found.broker.went_back, found.broker.copied) == (None, True, 2)
