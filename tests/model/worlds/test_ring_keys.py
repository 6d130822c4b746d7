"""The keys that each client hashes for its consumers."""

import pytest

from rebalance_proofs.model.allocation.consistent_hash import CONSISTENT_HASH, CONSISTENT_HASH_GO
from rebalance_proofs.model.worlds.rings import go_keys, java_keys, keys_of


@pytest.mark.parametrize(
    ("ids", "java", "go"),
    [
        (["a", "b"], ["a-0", "a-1", "b-0", "b-1"], ["0a", "1a", "0b", "1b"]),
        (["a", "a"], ["a-0", "a-1", "a-2", "a-3"], ["0a", "1a", "0a", "1a"]),
    ],
)
def test_keys_equal_the_keys_by_hand(ids, java, go):
    assert [key for key, _ in java_keys(ids, 2)] == java
    assert [key for key, _ in go_keys(ids, 2)] == go
    assert [client_id for _, client_id in java_keys(ids, 2)] == [ids[0], ids[0], ids[1], ids[1]]


@pytest.mark.parametrize(("strategy", "keys"), [(CONSISTENT_HASH, java_keys), (CONSISTENT_HASH_GO, go_keys)])
def test_client_hashes_exactly_these_keys(strategy, keys):
    asked = []

    def hash_(key):
        asked.append(key)
        return 0

    allocate = strategy.configured(virtual_nodes=3, hash_function=hash_).allocate
    allocate("a", strategy.queues(1), ["a", "b"])
    assert asked[:-1] == [key for key, _ in keys_of(strategy)(["a", "b"], 3)]
