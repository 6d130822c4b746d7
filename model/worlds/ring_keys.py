"""The texts (keys) that clients hash to place a consumer's virtual nodes on the ring."""

from collections.abc import Callable, Sequence

from rebalance_proofs.model.allocation.consistent_hash_go import CONSISTENT_HASH_GO
from rebalance_proofs.model.allocation.strategy import Strategy

Keys = Callable[[Sequence[str], int], list[tuple[str, str]]]
"""``keys(ids, virtual_nodes)`` returns for each listed id its pairs of key and client id.

The nodes are in the order in which the client adds them.
"""


def keys_of(strategy: Strategy) -> Keys:
    """Return the function that gives the virtual nodes' keys in the strategy's client."""
    return go_keys if strategy.source == CONSISTENT_HASH_GO.source else java_keys


def java_keys(ids: Sequence[str], virtual_nodes: int) -> list[tuple[str, str]]:
    """Return the keys and client ids of all virtual nodes in Java, such as ``c0-3`` and ``c0``.

    A repeated id continues its replica numbers.
    """
    return [
        (f"{client_id}-{replica}", client_id)
        for client_id, first in replicas(ids, virtual_nodes)
        for replica in range(first, first + virtual_nodes)
    ]


def go_keys(ids: Sequence[str], virtual_nodes: int) -> list[tuple[str, str]]:
    """Return the keys and client ids of all virtual nodes in Go, such as ``3c0`` and ``c0``.

    A repeated id has the same keys again.
    """
    return [(f"{replica}{client_id}", client_id) for client_id in ids for replica in range(virtual_nodes)]


def replicas(ids: Sequence[str], virtual_nodes: int) -> list[tuple[str, int]]:
    """Return for each listed id the id and the number of its first virtual node in Java."""
    return [(client_id, virtual_nodes * ids[:place].count(client_id)) for place, client_id in enumerate(ids)]
