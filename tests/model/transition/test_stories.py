"""Failures of the clients' own code: one story for each test, in rounds of one or two queues."""

from dataclasses import replace

import pytest

from rebalance_proofs.model.client.effects import (
    DROP,
    IN,
    LOCK,
    OUT,
    PERSIST,
    PULL_REQUEST,
    READ_OFFSET,
    RELEASE_CONSUME_LOCK,
    REMOVE_OFFSET,
    SCHEDULE_UNLOCK,
    TRY_CONSUME_LOCK,
    TRY_UNLOCK_TIMES,
    UNLOCK,
    UPDATE_OFFSET,
    WRITE_OFFSET,
)
from rebalance_proofs.model.client.environment import EXC, OK, THROW
from rebalance_proofs.model.client.process_queue import HELD
from rebalance_proofs.model.transition.client import BROADCAST, LITES, ORDERLY, PULLS, PUSH
from rebalance_proofs.model.transition.clients import CLIENTS, NODE, V4_9, V4_9_0, V4_9_1, V4_9_5, V5_0, V5_2
from rebalance_proofs.model.transition.numbers import BROKER_ERROR, NO_OFFSET, UNANSWERED
from rebalance_proofs.model.transition.rounds import queue_of, run, run_unsubscribed
from rebalance_proofs.model.transition.variables import NOT_FOUND, THROWN
from tests.model.transition.handmade import case

JAVA = (V4_9, V5_0, V5_2)
AWAY, FAILS = {"in_set": 0}, {"in_set": 0, "persist": 2}
ABSENT, RUNNING, CACHED = {"present": 0}, {"consume_lock": HELD}, {"cached": 1}
OVERDUE, NOT_RENEWED = {"pull_age": 120_001}, {"lock_age": 20_001}
OFFSET_THROWS = {"stored": THROWN}
OWN = PUSH.with_own_store()
SENT = (PERSIST, UPDATE_OFFSET)

each_client = pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.name)
every_java = pytest.mark.parametrize("client", JAVA, ids=lambda client: client.name)


def names(seen) -> list[str]:
    """What was done to a queue."""
    return [effect[0] for effect in seen.effects]


def played(client, mode, queues, *rounds, **consumer):
    """The rounds of a case that is benign but for what is told."""
    return run(client, mode, case(queues, rounds, **consumer)).rounds


# -- the dropped entry


@every_java
def test_a_dropped_entry_blocks_the_queues_return(client):
    """Its listener runs while the queue is taken away; when it is given back, nobody pulls from it."""
    away, back = played(client, ORDERLY, [RUNNING], [AWAY], [{}])
    (left,), (returned,) = away.queues, back.queues
    assert not left.did(OUT)
    assert left.after.dropped
    assert returned.after == left.after
    assert returned.effects == ()
    assert back.changed is False


@every_java
def test_an_offset_that_cannot_be_persisted_leaves_a_dropped_entry_behind_too(client):
    """However the client is used, if the offset store is the user's own; what the client ships throws nothing."""
    for mode in client.modes:
        away, back = played(client, mode, [{}], [FAILS], [{}])
        if mode.own_store:
            assert away.thrown == "persist"
            assert (back.queues[0].after.dropped, back.effects) == (True, ())
        else:
            assert (away.thrown, away.queues[0].after) == ("", None)
            assert (back.queues[0].after.dropped, back.queues[0].after.fresh) == (False, True)


@every_java
def test_a_push_consumers_dropped_entry_heals_when_its_pull_has_expired(client):
    (healed,) = played(client, PUSH, [{"dropped": 1, **OVERDUE}], [{}])
    (seen,) = healed.queues
    assert (seen.after.dropped, seen.after.fresh) == (False, True)
    assert seen.did(PULL_REQUEST)


@every_java
@pytest.mark.parametrize("mode", [*PULLS, *LITES], ids=lambda mode: mode.name)
def test_a_pull_consumers_dropped_entry_never_heals(client, mode):
    for round_ in played(client, mode, [{"dropped": 1, "pull_age": 10**9}], [{}], [{}]):
        (seen,) = round_.queues
        assert (seen.after.dropped, seen.after.fresh, seen.effects) == (True, False, ())


def test_a_dropped_entry_never_comes_into_being_in_node():
    away, back = played(NODE, PUSH, [{}], [FAILS], [{}])
    assert (away.thrown, away.queues[0].after) == ("scripted update", None)
    assert (back.queues[0].after.dropped, back.queues[0].after.fresh) == (False, True)


# -- the broker's locks


def test_the_lock_is_given_back_under_a_running_listener_when_it_was_not_renewed_for_20_seconds():
    (forced,) = played(V5_2, ORDERLY, [RUNNING | NOT_RENEWED], [AWAY])
    (seen,) = forced.queues
    assert names(seen) == [DROP, *SENT, *SENT, REMOVE_OFFSET, "pqLocked", UNLOCK, OUT]
    assert not seen.did(TRY_CONSUME_LOCK)
    assert seen.consume_lock == HELD


def test_up_to_20_seconds_the_listener_is_waited_for():
    (waits,) = played(V5_2, ORDERLY, [RUNNING | {"lock_age": 20_000}], [AWAY])
    (seen,) = waits.queues
    assert names(seen) == [DROP, *SENT, TRY_CONSUME_LOCK, TRY_UNLOCK_TIMES]
    assert seen.did(TRY_CONSUME_LOCK, 500, 0)
    assert (seen.after.dropped, seen.after.tries) == (True, 1)


@pytest.mark.parametrize("client", [V4_9, V5_0], ids=lambda client: client.name)
def test_before_5_2_a_running_listener_is_waited_for_for_ever_and_its_offset_is_forgotten(client):
    (waits,) = played(client, ORDERLY, [RUNNING | NOT_RENEWED], [AWAY])
    (seen,) = waits.queues
    assert names(seen) == [DROP, *SENT, REMOVE_OFFSET, TRY_CONSUME_LOCK, TRY_UNLOCK_TIMES]
    assert seen.after.dropped


@pytest.mark.parametrize("client", [V4_9, V5_0], ids=lambda client: client.name)
def test_before_5_2_the_lock_of_a_queue_with_cached_messages_is_given_back_20_seconds_later(client):
    (later,) = played(client, ORDERLY, [CACHED], [AWAY])
    (seen,) = later.queues
    assert seen.did(SCHEDULE_UNLOCK, 20_000)
    assert not seen.did(UNLOCK)
    assert seen.after is None


def test_from_5_2_on_it_is_given_back_at_once():
    (now,) = played(V5_2, ORDERLY, [CACHED], [AWAY])
    (seen,) = now.queues
    assert names(seen)[-3:] == [UNLOCK, RELEASE_CONSUME_LOCK, OUT]
    assert not seen.did(SCHEDULE_UNLOCK)


@every_java
@pytest.mark.parametrize("answer", [{"stored": -2}, {"stored": NOT_FOUND, "queried": -1}], ids=["failed", "no maximum"])
def test_the_lock_leaks_when_the_offset_query_fails(client, answer):
    (leaked,) = played(client, ORDERLY, [ABSENT], [answer])
    (seen,) = leaked.queues
    assert seen.did(LOCK, OK)
    assert not seen.did(UNLOCK)
    assert not seen.did(SCHEDULE_UNLOCK)
    assert seen.after is None


@every_java
def test_ordered_broadcasting_asks_for_the_groups_locks_until_5_3_2(client):
    modes = [mode for mode in client.modes if mode.orderly and mode.broadcasting]
    assert len(modes) == (4 if client is V5_2 else 2)
    for mode in modes:
        (round_,) = played(client, mode, [ABSENT], [{}])
        (seen,) = round_.queues
        assert seen.did(LOCK) is (mode != replace(mode, order=0))
        assert seen.after


# -- pull requests


@pytest.mark.parametrize("client", [V5_0, V5_2], ids=lambda client: client.name)
def test_pull_requests_are_lost_when_a_later_queue_throws(client):
    (round_,) = played(client, OWN, [ABSENT, ABSENT], [{}, OFFSET_THROWS])
    one, two = round_.queues
    assert round_.thrown == "readOffset"
    assert (one.after.fresh, one.after.dropped) == (True, False)
    assert not one.did(PULL_REQUEST)
    assert two.after is None


@pytest.mark.parametrize("client", [V5_0, V5_2], ids=lambda client: client.name)
def test_only_the_queue_whose_pull_request_is_lost_is_pulled_from_again_after_its_idle_time(client):
    _, second = played(client, OWN, [ABSENT, ABSENT], [{}, OFFSET_THROWS], [{}, {}])
    one, two = second.queues
    assert (one.effects, two.did(PULL_REQUEST)) == ((), True)


def test_4_9_goes_on_with_the_next_queue():
    (round_,) = played(V4_9, OWN, [ABSENT, ABSENT, ABSENT], [{}, OFFSET_THROWS, {}])
    assert round_.thrown == ""
    assert [seen.did(PULL_REQUEST) for seen in round_.queues] == [True, False, True]


# -- what throws while entries are removed


@pytest.mark.parametrize("client", [V4_9, NODE], ids=lambda client: client.name)
def test_the_second_queue_is_not_marked_when_persisting_the_first_one_throws(client):
    (round_,) = played(client, PUSH if client is NODE else OWN, [{}, {}], [FAILS, AWAY])
    one, two = round_.queues
    assert one.did(DROP)
    assert two.effects == ()
    assert not two.after.dropped


@pytest.mark.parametrize("client", [V5_0, V5_2], ids=lambda client: client.name)
def test_from_5_0_on_it_is(client):
    (round_,) = played(client, OWN, [{}, {}], [FAILS, AWAY])
    assert [names(seen) for seen in round_.queues] == [[DROP, PERSIST], [DROP]]
    assert round_.queues[0].did(PERSIST, THROW)
    assert all(seen.after.dropped for seen in round_.queues)


def test_nodes_offset_is_lost_when_the_update_fails():
    """The entry is out of the table, and a new one begins where the broker's offset is."""
    away, back = played(NODE, PUSH, [{"memory": 55}], [FAILS], [{"stored": 40}])
    (gone,), (come,) = away.queues, back.queues
    assert gone.effects[-1] == (UPDATE_OFFSET, queue_of(0, 1), 55, EXC)
    assert gone.after is None
    assert come.effects[-1] == (PULL_REQUEST, queue_of(0, 1), 40)


def test_a_broadcasting_node_forgets_its_offset_with_the_entry():
    _, back = played(NODE, BROADCAST, [{"memory": 55}], [AWAY], [{"queried": 77}])
    (come,) = back.queues
    assert come.did(READ_OFFSET, NOT_FOUND)
    assert come.did(PULL_REQUEST, 77)


# -- the offset stores that a Java client ships


@every_java
def test_an_offset_that_cannot_be_sent_is_forgotten_all_the_same(client):
    (round_,) = played(client, PUSH, [{"memory": 55}], [FAILS])
    (seen,) = round_.queues
    assert seen.effects[2] == (UPDATE_OFFSET, queue_of(0, 1), 55, EXC)
    assert (seen.memory, seen.after, round_.thrown) == ((55, NO_OFFSET), None, "")


@pytest.mark.parametrize(("client", "writes"), [(V4_9_5, False), (V4_9, True), (V5_0, False), (V5_2, True)])
def test_a_broadcasting_consumer_writes_the_offset_of_a_single_queue_in_4_9_8_and_from_5_2_on(client, writes):
    (round_,) = played(client, BROADCAST, [{"memory": 55}], [AWAY])
    (seen,) = round_.queues
    assert seen.did(WRITE_OFFSET, 55) is seen.did(PERSIST) is seen.did(REMOVE_OFFSET) is writes
    assert seen.memory == (55, NO_OFFSET if writes else 55)


@pytest.mark.parametrize(("client", "offset"), [(V4_9, 77), (V5_0, None), (V5_2, None)])
def test_up_to_4_9_8_every_error_of_a_broker_counts_as_no_offset(client, offset):
    """So that a group begins at the largest offset (rocketmq#2944)."""
    (round_,) = played(client, PUSH, [ABSENT], [{"stored": BROKER_ERROR}])
    pulled = [effect[2] for effect in round_.queues[0].effects if effect[0] == PULL_REQUEST]
    assert pulled == ([] if offset is None else [offset])


@every_java
def test_a_query_without_an_answer_never_counts_as_no_offset(client):
    (round_,) = played(client, PUSH, [ABSENT], [{"stored": UNANSWERED}])
    assert round_.queues[0].after is None


@pytest.mark.parametrize(("client", "begins"), [(V4_9_5, 55), (V4_9, 100), (V5_0, 55), (V5_2, 100)])
def test_a_broadcasting_lite_pull_consumer_remembers_the_offset_of_a_queue_that_comes_back(client, begins):
    """Where ``removeOffset`` does nothing, the memory is newer than the file."""
    first, second = played(client, LITES[1], [{"memory": 55}], [AWAY], [{"stored": 100}])
    assert first.queues[0].after is None
    assert second.queues[0].did(READ_OFFSET, "MS", begins)


@pytest.mark.parametrize(("client", "locked"), [(V4_9_0, False), (V4_9_1, False), (V4_9_5, True), (V4_9, True)])
def test_up_to_4_9_4_a_new_entry_does_not_know_its_lock(client, locked):
    (round_,) = played(client, ORDERLY, [ABSENT], [{}])
    assert round_.queues[0].after.locked is locked


@pytest.mark.parametrize(("client", "throws"), [(V4_9_0, True), (V4_9_1, False)])
def test_4_9_0_expects_nothing_but_its_own_exceptions_of_an_offset_store(client, throws):
    (round_,) = played(client, OWN, [ABSENT, ABSENT], [{}, OFFSET_THROWS])
    assert bool(round_.thrown) is throws
    assert round_.queues[0].did(PULL_REQUEST) is not throws


# -- unsubscribing


@every_java
def test_unsubscribing_saves_no_offset_and_gives_no_lock_back(client):
    (round_,) = run_unsubscribed(client, ORDERLY, case([{}, ABSENT], [[{}, {}]])).rounds
    one, two = round_.queues
    assert one.before.locked
    assert (names(one), one.after) == ([OUT, DROP], None)
    assert two.effects == ()


def test_unsubscribing_leaves_nodes_table_alone():
    (round_,) = run_unsubscribed(NODE, PUSH, case([{}], [[{}]])).rounds
    (seen,) = round_.queues
    assert (seen.effects, seen.after) == ((), seen.before)


# -- queues of other topics


@each_client
def test_an_allocation_that_gives_queues_of_other_topics_touches_them(client):
    (round_,) = played(client, PUSH, [{"mine": 0, **ABSENT}, {"mine": 0}], [{}, AWAY])
    new, old = round_.queues
    assert new.did(IN)
    assert old.effects == ()
