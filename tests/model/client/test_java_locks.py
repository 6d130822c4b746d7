"""The broker's locks of all queues at once: lockAll and unlockAll."""

import pytest

from rebalance_proofs.model.client.effects import LOCK, LOCK_BATCH, PROCESS_QUEUE_LOCKED, UNLOCK, UNLOCK_BATCH
from rebalance_proofs.model.client.environment import DENIED, EXC, NO_BROKER, OK, UNLOCK_EXC, Answers
from rebalance_proofs.model.client.java_v4_9 import JavaV4_9
from rebalance_proofs.model.client.java_v5_0 import JavaV5_0, JavaV5_0_0
from rebalance_proofs.model.client.java_v5_2 import JavaV5_3_2
from rebalance_proofs.model.queues import MessageQueue
from tests.model.client.java_clients import NOW, A, B, C, client, entry, every_version

ELSEWHERE = MessageQueue("T", "broker-b", 0)


def locker(version, a=OK, b=OK, c=OK):
    """A holds its lock since long ago, B is dropped, C is not locked; and what the broker says to each."""
    found = client(version, {queue: Answers(lock=said) for queue, said in ((A, a), (B, b), (C, c))})
    found.process_queue_table |= {
        A: entry(last_lock_timestamp=0),
        B: entry(dropped=True, last_lock_timestamp=0),
        C: entry(locked=False, last_lock_timestamp=0),
    }
    return found


def locks(found):
    """Who is locked, and since when."""
    return {queue: (each.locked, each.last_lock_timestamp) for queue, each in found.process_queue_table.items()}


def test_lock_all_4_9_renews_dropped_entries_and_records_granted_first():
    found = locker(JavaV4_9, a=DENIED, b=OK, c=OK)
    found.lock_all()
    assert found.environment.effects == [
        (LOCK_BATCH, None, (A, B, C), (B, C)),
        (PROCESS_QUEUE_LOCKED, B, 1),
        (PROCESS_QUEUE_LOCKED, C, 1),
        (PROCESS_QUEUE_LOCKED, A, 0),
    ]
    assert locks(found) == {A: (False, 0), B: (True, NOW), C: (True, NOW)}


@pytest.mark.parametrize("version", [JavaV5_0, JavaV5_3_2])
def test_lock_all_5_skips_dropped_entries(version):
    found = locker(version, a=DENIED, b=OK, c=UNLOCK_EXC)
    found.lock_all()
    assert found.environment.effects == [
        (LOCK_BATCH, None, (A, C), (C,)),
        (PROCESS_QUEUE_LOCKED, A, 0),
        (PROCESS_QUEUE_LOCKED, C, 1),
    ]
    assert locks(found) == {A: (False, 0), B: (True, 0), C: (True, NOW)}


def test_lock_all_5_0_0_skips_dropped_entries_and_records_granted_first():
    found = locker(JavaV5_0_0, a=DENIED, b=OK, c=OK)
    found.lock_all()
    assert found.environment.effects == [
        (LOCK_BATCH, None, (A, C), (C,)),
        (PROCESS_QUEUE_LOCKED, C, 1),
        (PROCESS_QUEUE_LOCKED, A, 0),
    ]
    assert locks(found) == {A: (False, 0), B: (True, 0), C: (True, NOW)}


@every_version
def test_failed_lock_call_changes_nothing(version):
    found = locker(version, a=EXC)
    before = locks(found)
    found.lock_all()
    assert [(effect[0], effect[-1]) for effect in found.environment.effects] == [(LOCK_BATCH, EXC)]
    assert locks(found) == before


@every_version
@pytest.mark.parametrize(("said", "locked"), [(OK, True), (DENIED, False)])
def test_lock_all_of_one_queue_records_the_response(version, said, locked):
    found = client(version, {A: Answers(lock=said)}, held=[A])
    found.lock_all()
    assert found.environment.effects == [(LOCK, A, said), (PROCESS_QUEUE_LOCKED, A, int(locked))]


@every_version
def test_lock_all_asks_each_broker_for_its_queues(version):
    found = client(version, {ELSEWHERE: Answers(lock=EXC)}, held=[A, ELSEWHERE, B])
    found.lock_all()
    assert [effect[:2] for effect in found.environment.effects] == [
        (LOCK_BATCH, None),
        (PROCESS_QUEUE_LOCKED, A),
        (PROCESS_QUEUE_LOCKED, B),
        (LOCK, ELSEWHERE),
    ]


@every_version
def test_broker_without_an_address_is_not_asked(version):
    found = client(version, {A: Answers(lock=NO_BROKER)}, held=[A])
    found.lock_all()
    found.unlock_all()
    assert found.environment.effects == []


@every_version
def test_unlock_all_sends_the_queues_of_each_broker(version):
    found = locker(version)
    found.unlock_all()
    told = (A, B, C) if version is JavaV4_9 else (A, C)
    assert found.environment.effects == [
        (UNLOCK_BATCH, None, told),
        *((PROCESS_QUEUE_LOCKED, queue, 0) for queue in told),
    ]
    assert found.process_queue_table[B].locked == (version is not JavaV4_9)


@every_version
def test_unlock_all_of_one_queue_sends_it(version):
    found = client(version, held=[A])
    found.unlock_all()
    assert found.environment.effects == [(UNLOCK, A), (PROCESS_QUEUE_LOCKED, A, 0)]


@every_version
@pytest.mark.parametrize(("held", "effect"), [([A], (UNLOCK, A, EXC)), ([A, B], (UNLOCK_BATCH, None, (A, B), EXC))])
def test_failed_unlock_all_keeps_entries_locked(version, held, effect):
    found = client(version, {A: Answers(lock=UNLOCK_EXC)}, held=held)
    found.unlock_all()
    assert found.environment.effects == [effect]
    assert all(each.locked for each in found.process_queue_table.values())
