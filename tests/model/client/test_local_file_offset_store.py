"""The offset store of a broadcasting Java consumer."""

import pytest

from rebalance_proofs.model.client.effects import PERSIST, READ_OFFSET, REMOVE_OFFSET, WRITE_OFFSET
from rebalance_proofs.model.client.environment import EXC, MEMORY_FIRST, NOT_FOUND, STORE, THROW, THROWS, Answers
from rebalance_proofs.model.client.java_v4_9 import JavaV4_9, JavaV4_9_0, JavaV4_9_5
from rebalance_proofs.model.client.java_v5_0 import JavaV5_0
from rebalance_proofs.model.client.java_v5_2 import JavaV5_2, JavaV5_3_2
from rebalance_proofs.model.client.offset_stores import LocalFileOffsetStore
from tests.model.client.java_clients import NOW, A, B


def store(answers=None, persists=True, **memory):
    """A store; ``a`` and ``b`` are what it remembers of both queues."""
    found = LocalFileOffsetStore(answers or {}, NOW, persists=persists)
    found.offset_table |= {{"a": A, "b": B}[name]: offset for name, offset in memory.items()}
    return found


def test_single_offset_persistence_depends_on_the_version():
    assert [made.local_file_persists for made in (JavaV4_9, JavaV5_2, JavaV5_3_2)] == [True] * 3
    assert [made.local_file_persists for made in (JavaV4_9_0, JavaV4_9_5, JavaV5_0)] == [False] * 3


def test_remembered_offset_is_written_and_removed():
    found = store(a=55)
    for queue in (A, B):
        found.persist(queue)
        found.remove_offset(queue)
    assert found.effects == [(PERSIST, A), (WRITE_OFFSET, A, 55), (REMOVE_OFFSET, A), (PERSIST, B), (REMOVE_OFFSET, B)]
    assert found.offset_table == {}


def test_failed_file_write_is_only_logged():
    found = store({A: Answers(persist=THROW)}, a=55)
    found.persist(A)
    assert found.effects == [(PERSIST, A), (WRITE_OFFSET, A, 55, EXC)]


def test_empty_methods_have_no_effect():
    found = store(persists=False, a=55)
    found.persist(A)
    found.remove_offset(A)
    assert (found.effects, found.offset_table) == ([], {A: 55})


@pytest.mark.parametrize("stored", [NOT_FOUND, -2, THROWS])
def test_missing_file_offset_leaves_the_memory_unchanged(stored):
    found = store({A: Answers(stored=stored)}, a=55)
    assert found.read_offset(A, STORE) == NOT_FOUND
    assert found.offset_table == {A: 55}


def test_file_offset_is_remembered():
    found = store({A: Answers(stored=100), B: Answers(stored=200)}, a=55)
    assert [found.read_offset(queue, MEMORY_FIRST) for queue in (A, B)] == [55, 200]
    assert found.read_offset(A, STORE) == 100
    assert found.offset_table == {A: 100, B: 200}
    assert found.effects[-1] == (READ_OFFSET, A, STORE, 100)
