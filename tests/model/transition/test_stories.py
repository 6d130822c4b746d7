"""Failures of the clients' code: one story per test, in one or two rounds."""

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
from rebalance_proofs.model.client.process_queue_table import HELD
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
def test_dropped_entry_blocks_the_queues_return(client):
    """Its listener runs while the queue is removed; when it is assigned again, no consumer pulls from it."""
    away, back = played(client, ORDERLY, [RUNNING], [AWAY], [{}])
    (left,), (returned,) = away.queues, back.queues
    assert not left.did(OUT)
    assert left.after.dropped
    assert returned.after == left.after
    assert returned.effects == ()
    assert back.changed is False


@every_java
def test_unpersisted_offset_leaves_a_dropped_entry(client):
    """In every mode, if the offset store is user-defined; the default stores throw nothing."""
    for mode in client.modes:
        away, back = played(client, mode, [{}], [FAILS], [{}])
        if mode.own_store:
            assert away.thrown == "persist"
            assert (back.queues[0].after.dropped, back.effects) == (True, ())
        else:
            assert (away.thrown, away.queues[0].after) == ("", None)
            assert (back.queues[0].after.dropped, back.queues[0].after.fresh) == (False, True)


@every_java
def test_dropped_entry_of_a_push_consumer_is_repaired_after_the_expiry(client):
    (healed,) = played(client, PUSH, [{"dropped": 1, **OVERDUE}], [{}])
    (seen,) = healed.queues
    assert (seen.after.dropped, seen.after.fresh) == (False, True)
    assert seen.did(PULL_REQUEST)


@every_java
@pytest.mark.parametrize("mode", [*PULLS, *LITES], ids=lambda mode: mode.name)
def test_dropped_entry_of_a_pull_consumer_is_never_repaired(client, mode):
    for round_ in played(client, mode, [{"dropped": 1, "pull_age": 10**9}], [{}], [{}]):
        (seen,) = round_.queues
        assert (seen.after.dropped, seen.after.fresh, seen.effects) == (True, False, ())


def test_node_never_has_a_dropped_entry():
    away, back = played(NODE, PUSH, [{}], [FAILS], [{}])
    assert (away.thrown, away.queues[0].after) == ("scripted update", None)
    assert (back.queues[0].after.dropped, back.queues[0].after.fresh) == (False, True)


# -- the broker's locks


def test_old_lock_is_released_under_a_running_listener():
    (forced,) = played(V5_2, ORDERLY, [RUNNING | NOT_RENEWED], [AWAY])
    (seen,) = forced.queues
    assert names(seen) == [DROP, *SENT, *SENT, REMOVE_OFFSET, "pqLocked", UNLOCK, OUT]
    assert not seen.did(TRY_CONSUME_LOCK)
    assert seen.consume_lock == HELD


def test_young_lock_waits_for_the_listener():
    (waits,) = played(V5_2, ORDERLY, [RUNNING | {"lock_age": 20_000}], [AWAY])
    (seen,) = waits.queues
    assert names(seen) == [DROP, *SENT, TRY_CONSUME_LOCK, TRY_UNLOCK_TIMES]
    assert seen.did(TRY_CONSUME_LOCK, 500, 0)
    assert (seen.after.dropped, seen.after.tries) == (True, 1)


@pytest.mark.parametrize("client", [V4_9, V5_0], ids=lambda client: client.name)
def test_running_listener_delays_the_removal_before_5_2(client):
    (waits,) = played(client, ORDERLY, [RUNNING | NOT_RENEWED], [AWAY])
    (seen,) = waits.queues
    assert names(seen) == [DROP, *SENT, REMOVE_OFFSET, TRY_CONSUME_LOCK, TRY_UNLOCK_TIMES]
    assert seen.after.dropped


@pytest.mark.parametrize("client", [V4_9, V5_0], ids=lambda client: client.name)
def test_unlock_is_delayed_with_cached_messages_before_5_2(client):
    (later,) = played(client, ORDERLY, [CACHED], [AWAY])
    (seen,) = later.queues
    assert seen.did(SCHEDULE_UNLOCK, 20_000)
    assert not seen.did(UNLOCK)
    assert seen.after is None


def test_unlock_is_immediate_from_5_2_on():
    (now,) = played(V5_2, ORDERLY, [CACHED], [AWAY])
    (seen,) = now.queues
    assert names(seen)[-3:] == [UNLOCK, RELEASE_CONSUME_LOCK, OUT]
    assert not seen.did(SCHEDULE_UNLOCK)


@every_java
@pytest.mark.parametrize("answer", [{"stored": -2}, {"stored": NOT_FOUND, "queried": -1}], ids=["failed", "no maximum"])
def test_failed_offset_query_leaks_the_lock(client, answer):
    (leaked,) = played(client, ORDERLY, [ABSENT], [answer])
    (seen,) = leaked.queues
    assert seen.did(LOCK, OK)
    assert not seen.did(UNLOCK)
    assert not seen.did(SCHEDULE_UNLOCK)
    assert seen.after is None


@every_java
def test_ordered_broadcasting_takes_group_locks_until_5_3_2(client):
    modes = [mode for mode in client.modes if mode.orderly and mode.broadcasting]
    assert len(modes) == (4 if client is V5_2 else 2)
    for mode in modes:
        (round_,) = played(client, mode, [ABSENT], [{}])
        (seen,) = round_.queues
        assert seen.did(LOCK) is (mode != replace(mode, order=0))
        assert seen.after


# -- pull requests


@pytest.mark.parametrize("client", [V5_0, V5_2], ids=lambda client: client.name)
def test_exception_of_a_later_queue_loses_pull_requests(client):
    (round_,) = played(client, OWN, [ABSENT, ABSENT], [{}, OFFSET_THROWS])
    one, two = round_.queues
    assert round_.thrown == "readOffset"
    assert (one.after.fresh, one.after.dropped) == (True, False)
    assert not one.did(PULL_REQUEST)
    assert two.after is None


@pytest.mark.parametrize("client", [V5_0, V5_2], ids=lambda client: client.name)
def test_lost_pull_request_is_replaced_after_the_idle_time(client):
    _, second = played(client, OWN, [ABSENT, ABSENT], [{}, OFFSET_THROWS], [{}, {}])
    one, two = second.queues
    assert (one.effects, two.did(PULL_REQUEST)) == ((), True)


def test_client_4_9_continues_with_the_next_queue():
    (round_,) = played(V4_9, OWN, [ABSENT, ABSENT, ABSENT], [{}, OFFSET_THROWS, {}])
    assert round_.thrown == ""
    assert [seen.did(PULL_REQUEST) for seen in round_.queues] == [True, False, True]


# -- what throws while entries are removed


@pytest.mark.parametrize("client", [V4_9, NODE], ids=lambda client: client.name)
def test_first_persist_exception_leaves_the_second_queue_unmarked(client):
    (round_,) = played(client, PUSH if client is NODE else OWN, [{}, {}], [FAILS, AWAY])
    one, two = round_.queues
    assert one.did(DROP)
    assert two.effects == ()
    assert not two.after.dropped


@pytest.mark.parametrize("client", [V5_0, V5_2], ids=lambda client: client.name)
def test_second_queue_is_marked_from_5_0_on(client):
    (round_,) = played(client, OWN, [{}, {}], [FAILS, AWAY])
    assert [names(seen) for seen in round_.queues] == [[DROP, PERSIST], [DROP]]
    assert round_.queues[0].did(PERSIST, THROW)
    assert all(seen.after.dropped for seen in round_.queues)


def test_failed_update_loses_nodes_offset():
    """The entry is removed, and a new one begins at the broker's offset."""
    away, back = played(NODE, PUSH, [{"memory": 55}], [FAILS], [{"stored": 40}])
    (gone,), (come,) = away.queues, back.queues
    assert gone.effects[-1] == (UPDATE_OFFSET, queue_of(0, 1), 55, EXC)
    assert gone.after is None
    assert come.effects[-1] == (PULL_REQUEST, queue_of(0, 1), 40)


def test_broadcasting_node_forgets_the_offset_with_the_entry():
    _, back = played(NODE, BROADCAST, [{"memory": 55}], [AWAY], [{"queried": 77}])
    (come,) = back.queues
    assert come.did(READ_OFFSET, NOT_FOUND)
    assert come.did(PULL_REQUEST, 77)


# -- the offset stores that a Java client ships


@every_java
def test_unsent_offset_is_forgotten(client):
    (round_,) = played(client, PUSH, [{"memory": 55}], [FAILS])
    (seen,) = round_.queues
    assert seen.effects[2] == (UPDATE_OFFSET, queue_of(0, 1), 55, EXC)
    assert (seen.memory, seen.after, round_.thrown) == ((55, NO_OFFSET), None, "")


@pytest.mark.parametrize(("client", "writes"), [(V4_9_5, False), (V4_9, True), (V5_0, False), (V5_2, True)])
def test_broadcasting_offset_is_written_in_4_9_8_and_from_5_2_on(client, writes):
    (round_,) = played(client, BROADCAST, [{"memory": 55}], [AWAY])
    (seen,) = round_.queues
    assert seen.did(WRITE_OFFSET, 55) is seen.did(PERSIST) is seen.did(REMOVE_OFFSET) is writes
    assert seen.memory == (55, NO_OFFSET if writes else 55)


@pytest.mark.parametrize(("client", "offset"), [(V4_9, 77), (V5_0, None), (V5_2, None)])
def test_broker_error_counts_as_no_offset_up_to_4_9_8(client, offset):
    """So that a group begins at the maximum offset (rocketmq#2944)."""
    (round_,) = played(client, PUSH, [ABSENT], [{"stored": BROKER_ERROR}])
    pulled = [effect[2] for effect in round_.queues[0].effects if effect[0] == PULL_REQUEST]
    assert pulled == ([] if offset is None else [offset])


@every_java
def test_unanswered_query_never_counts_as_no_offset(client):
    (round_,) = played(client, PUSH, [ABSENT], [{"stored": UNANSWERED}])
    assert round_.queues[0].after is None


@pytest.mark.parametrize(("client", "begins"), [(V4_9_5, 55), (V4_9, 100), (V5_0, 55), (V5_2, 100)])
def test_broadcasting_lite_pull_consumer_remembers_a_returning_queues_offset(client, begins):
    """Where ``removeOffset`` does nothing, the memory is newer than the file."""
    first, second = played(client, LITES[1], [{"memory": 55}], [AWAY], [{"stored": 100}])
    assert first.queues[0].after is None
    assert second.queues[0].did(READ_OFFSET, "MS", begins)


@pytest.mark.parametrize(("client", "locked"), [(V4_9_0, False), (V4_9_1, False), (V4_9_5, True), (V4_9, True)])
def test_new_entry_is_not_marked_as_locked_up_to_4_9_4(client, locked):
    (round_,) = played(client, ORDERLY, [ABSENT], [{}])
    assert round_.queues[0].after.locked is locked


@pytest.mark.parametrize(("client", "throws"), [(V4_9_0, True), (V4_9_1, False)])
def test_client_4_9_0_expects_only_its_own_exceptions(client, throws):
    (round_,) = played(client, OWN, [ABSENT, ABSENT], [{}, OFFSET_THROWS])
    assert bool(round_.thrown) is throws
    assert round_.queues[0].did(PULL_REQUEST) is not throws


# -- unsubscribing


@every_java
def test_unsubscribing_saves_no_offset_and_releases_no_lock(client):
    (round_,) = run_unsubscribed(client, ORDERLY, case([{}, ABSENT], [[{}, {}]])).rounds
    one, two = round_.queues
    assert one.before.locked
    assert (names(one), one.after) == ([OUT, DROP], None)
    assert two.effects == ()


def test_unsubscribing_leaves_nodes_table_unchanged():
    (round_,) = run_unsubscribed(NODE, PUSH, case([{}], [[{}]])).rounds
    (seen,) = round_.queues
    assert (seen.effects, seen.after) == ((), seen.before)


# -- queues of other topics


@each_client
def test_allocation_of_another_topics_queues_changes_them(client):
    (round_,) = played(client, PUSH, [{"mine": 0, **ABSENT}, {"mine": 0}], [{}, AWAY])
    new, old = round_.queues
    assert new.did(IN)
    assert old.effects == ()
