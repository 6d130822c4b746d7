"""The Java client's default offset store in clustering mode."""

import pytest

from rebalance_proofs.model.client.effects import PERSIST, QUERY_OFFSET, READ_OFFSET, REMOVE_OFFSET, UPDATE_OFFSET
from rebalance_proofs.model.client.environment import EXC, MEMORY, MEMORY_FIRST, STORE, THROW, Answers
from rebalance_proofs.model.client.java_v4_9 import JavaV4_9
from rebalance_proofs.model.client.java_v5_0 import JavaV5_0
from rebalance_proofs.model.client.offset_stores import RemoteBrokerOffsetStore
from tests.model.client.java_clients import NOW, A, B, client, every_version


def store(answers=None, broker_exception_is_not_found=False, **memory):
    """A store; ``a`` and ``b`` are what it remembers of both queues."""
    found = RemoteBrokerOffsetStore(answers or {}, NOW, broker_exception_is_not_found=broker_exception_is_not_found)
    found.offset_table |= {{"a": A, "b": B}[name]: offset for name, offset in memory.items()}
    return found


def test_broker_offset_is_remembered():
    found = store({A: Answers(stored=100)}, a=55)
    assert found.read_offset(A, STORE) == 100
    assert found.offset_table == {A: 100}
    assert found.effects == [(QUERY_OFFSET, A, 100), (READ_OFFSET, A, STORE, 100)]


@pytest.mark.parametrize(
    ("said", "strict", "lenient"),
    [("notfound", -1, -1), ("brokerexc", -2, -1), ("timeout", -2, -2), ("interrupted", -2, -2), ("rt", -2, -2)],
)
def test_invalid_broker_answer_is_no_offset(said, strict, lenient):
    for lenience, offset in ((False, strict), (True, lenient)):
        found = store({A: Answers(stored=said)}, lenience, a=55)
        assert found.read_offset(A, STORE) == offset
        assert found.offset_table == {A: 55}


def test_client_4_9_reads_any_broker_exception_as_not_found():
    assert JavaV4_9.broker_exception_is_not_found
    assert not JavaV5_0.broker_exception_is_not_found


def test_read_types_use_memory_or_the_broker():
    found = store({A: Answers(stored=100), B: Answers(stored=200)}, a=55)
    assert [found.read_offset(queue, MEMORY) for queue in (A, B)] == [55, -1]
    assert QUERY_OFFSET not in [effect[0] for effect in found.effects]
    assert [found.read_offset(queue, MEMORY_FIRST) for queue in (A, B)] == [55, 200]
    assert [found.read_offset(queue, MEMORY) for queue in (A, B)] == [55, 200]


def test_only_remembered_offsets_are_sent():
    found = store(a=55)
    found.persist(A)
    found.persist(B)
    assert found.effects == [(PERSIST, A), (UPDATE_OFFSET, A, 55), (PERSIST, B)]


def test_failed_update_is_only_logged():
    found = store({A: Answers(persist=THROW)}, a=55)
    found.persist(A)
    assert found.effects == [(PERSIST, A), (UPDATE_OFFSET, A, 55, EXC)]
    assert found.offset_table == {A: 55}


def test_remove_offset_clears_the_memory():
    found = store(a=55)
    found.remove_offset(A)
    found.remove_offset(B)
    found.persist(A)
    assert found.offset_table == {}
    assert found.effects == [(REMOVE_OFFSET, A), (REMOVE_OFFSET, B), (PERSIST, A)]


@every_version
def test_client_uses_its_default_offset_store(version):
    environment = store({B: Answers(stored=200)}, a=55)
    found = client(version, held=[A], environment=environment)
    assert found.update_process_queue_table_in_rebalance("T", [B], False)
    assert environment.offset_table == {B: 200}
    assert (UPDATE_OFFSET, A, 55) in environment.effects
