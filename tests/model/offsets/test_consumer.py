"""One consumer's offsets, as its code keeps them."""

import pytest

from rebalance_proofs.model.client.pull_from_where import ConsumeFromWhere
from rebalance_proofs.model.offsets.broker import Broker
from rebalance_proofs.model.offsets.clients import CONCURRENT
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
def test_it_begins_at_what_is_committed_and_remembers_it(client):
    found = begun(client, committed=2)
    assert (found.began, found.memory) == (2, 2)


@each_client
@pytest.mark.parametrize(
    ("where", "began"),
    [(ConsumeFromWhere.LAST_OFFSET, 3), (ConsumeFromWhere.FIRST_OFFSET, 0)],
    ids=lambda one: str(one),
)
def test_without_an_offset_it_begins_where_it_is_told_and_remembers_nothing(client, where, began):
    found = begun(client, committed=None, where=where)
    assert (found.began, found.memory) == (began, None)


@each_client
def test_an_unanswered_query_leaves_the_queue_alone(client):
    found = consumer(client)
    found.asks(silent=True)
    found.adds()
    assert found.held is None


@pytest.mark.parametrize(("client", "began"), [(V4_9, 3), (V5, None)], ids=["4.9", "5"])
def test_a_brokers_error_is_none_to_4_9_alone(client, began):
    found = consumer(client)
    found.asks(error=True)
    found.adds()
    assert found.began == began


@each_client
def test_what_is_noted_is_the_first_message_that_is_left(client):
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
def test_a_marked_entry_notes_nothing_and_calls_nobody(client):
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
def test_a_queue_that_is_taken_away_leaves_a_commit_and_a_call_behind(client):
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
def test_what_was_about_to_be_noted_comes_after_the_queue_has_come_back(client):
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
def test_the_broker_takes_whatever_comes(client):
    found = begun(client, committed=2)
    found.sends()
    found.broker.commit_offset(3)
    found.commits()
    assert found.broker.committed == 2
    assert found.broker.went_back


@each_client
def test_a_pull_finds_what_it_asked_for(client):
    found = begun(client, committed=1)
    for wrong in ({"offset": 2, "found": (0,)}, {"offset": 4, "found": (1,)}, {"offset": 1, "found": ()}):
        with pytest.raises(Impossible):
            found.pulls(**wrong)
    found.pulls(offset=3, found=())
    found.empty()
    found.records()
    assert found.memory == 3


@each_client
def test_unsubscribed_the_memory_stays_until_it_is_forgotten(client):
    found = begun(client, committed=1)
    found.unsubscribes()
    assert (found.held, found.memory, found.commits_under_way) == (None, 1, [])
    with pytest.raises(Impossible):
        found.forgets()
    found.copies()
    found.forgets()
    assert found.memory is None


@each_client
def test_persist_all_forgets_what_it_was_not_told_of_even_when_it_has_come_meanwhile(client):
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
def test_a_persist_all_that_is_over_forgets_nothing(client):
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
def test_persist_all_sends_what_it_was_told_of_even_when_its_entry_has_gone(client):
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
def test_a_consumer_that_has_ended_begins_nothing(client, ends):
    found = begun(client, committed=1)
    getattr(found, ends)()
    assert len(found.commits_under_way) == (ends == "shuts")
    for action in ("asks", "sends", "shuts", "crashes"):
        with pytest.raises(Impossible):
            getattr(found, action)()


@each_client
def test_a_listener_that_is_interrupted_and_returns_success_is_taken_at_its_word(client):
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
def test_where_the_interrupt_status_stays_set_nothing_is_taken_out(client):
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
def test_a_replica_answers_what_it_was_told(client):
    found = consumer(client, committed=1)
    found.replicates()
    found.broker.commit_offset(2)
    found.asks(replica=True)
    found.adds()
    assert found.began == 1


@each_client
def test_what_a_replica_was_sent_is_overwritten_by_the_master(client):
    found = begun(client, committed=1)
    found.sends()
    found.commits(replica=True)
    found.broker.commit_offset(0)
    found.replicates()
    assert (found.broker.committed, found.broker.copied) == (0, 0)


@each_client
def test_a_replica_that_takes_the_place_has_what_it_has(client):
    found = consumer(client, committed=2)
    found.broker.copied = None
    found.swaps()
    assert (found.broker.stored, found.broker.went_back, found.broker.copied) == (None, True, 2)
