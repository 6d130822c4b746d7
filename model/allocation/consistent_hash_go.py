"""CONSISTENT_HASH of the Go client: other hash and keys.

A queue goes to the first node strictly after its hash. The client uses the library stathat.com/c/consistent for the
ring.
"""

from bisect import bisect_right
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple
from zlib import crc32

from rebalance_proofs.model.allocation.consistent_hash import VIRTUAL_NODES, HashFunction, hashable
from rebalance_proofs.model.allocation.ring import MUTANTS_GO, RING_GO
from rebalance_proofs.model.allocation.strategy import Allocate, Fault, Strategy, check
from rebalance_proofs.model.queues import MessageQueue, to_string


@lru_cache(maxsize=1 << 16)
def crc32_hash(key: str) -> int:
    """Return ``hashKeyCRC32``: the CRC-32 of IEEE 802.3."""
    return crc32(key.encode("utf-8", "replace"))


class Circle(NamedTuple):
    """``Consistent``: the client ids, sorted by the hashes of their replicas."""

    hashes: tuple[int, ...]
    """The hashes of the replicas, ascending."""
    owners: tuple[str, ...]
    """The client id at each hash, in the same order as ``hashes``."""


@lru_cache(maxsize=256)  # Cached for the same reasons as the Java client's ring.
def build_circle(cid_all: tuple[str | None, ...], virtual_nodes: int, hash_function: HashFunction) -> Circle:
    """Return the circle after adding each id in turn.

    Of two replicas with the same hash, the later replaces the earlier. A repeated id replaces its own replicas.
    """
    if virtual_nodes == 0:
        # The library divides by the number of replicas to check its free space.
        raise Fault("runtime error: integer divide by zero")
    circle: dict[int, str] = {}
    for client_id in cid_all:
        text = client_id or ""  # Go has no null string.
        for replica in range(virtual_nodes):
            circle[hash_function(f"{replica}{text}")] = text
    hashes = tuple(sorted(circle))
    return Circle(hashes, tuple([circle[hash_] for hash_ in hashes]))


def get(circle: Circle, hash_function: HashFunction, key: str) -> str:
    """Return the owner of the first replica after the key's hash (``Get``).

    If there is none, return the owner of the circle's first replica.
    """
    if not circle.hashes:
        return ""  # The library returns an error, which the client only logs.
    place = bisect_right(circle.hashes, hash_function(key))
    return circle.owners[place if place < len(circle.owners) else 0]


@lru_cache(maxsize=1 << 12)
def queue_key(queue: MessageQueue) -> str:
    """Return the text that is hashed to find a queue's owner."""
    return to_string(queue._replace(broker_name=queue.broker_name or ""))


def consistent_hash_go(virtual_nodes: int = VIRTUAL_NODES, hash_function: HashFunction = crc32_hash) -> Allocate:
    """Return the strategy of ``AllocateByConsistentHash(virtualNodeCnt)``.

    The client has no ``hash_function`` argument: its users cannot choose the function.
    """
    hash_function = hashable(hash_function)

    def allocate(current_cid: str, mq_all: Sequence[MessageQueue], cid_all: Sequence[str]) -> list[MessageQueue]:
        """Mirror of the function that ``AllocateByConsistentHash`` returns."""
        result: list[MessageQueue] = []
        if not check(current_cid, mq_all, cid_all):
            return result
        circle = build_circle(tuple(cid_all), virtual_nodes, hash_function)
        for queue in mq_all:
            if queue is None:
                raise Fault("runtime error: invalid memory address or nil pointer dereference")
            if get(circle, hash_function, queue_key(queue)) == current_cid:
                result.append(queue)
        return result

    return allocate


CONSISTENT_HASH_GO = Strategy(
    name="hash-go",
    rocketmq_name="CONSISTENT_HASH",
    source="github.com/apache/rocketmq-client-go/v2/consumer.AllocateByConsistentHash",
    allocate=consistent_hash_go(),
    encoding=RING_GO,
    holds=frozenset(),
    mutants=MUTANTS_GO,
    configure=consistent_hash_go,
)
