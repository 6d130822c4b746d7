"""CONSISTENT_HASH: each consumer has virtual nodes on a ring.

A queue goes to the first node at or after its hash.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from hashlib import md5
from typing import NamedTuple
from zlib import crc32

from rebalance_proofs.model.allocation.ring import MUTANTS, MUTANTS_GO, RING, RING_GO
from rebalance_proofs.model.allocation.strategy import Allocate, AllocationError, Fault, Strategy, check
from rebalance_proofs.model.queues import MessageQueue, to_string

HashFunction = Callable[[str], int]
"""``HashFunction.hash(key)``. It must return the same number for the same key."""

VIRTUAL_NODES = 10
"""``virtualNodeCnt`` of the constructor without arguments."""


@lru_cache(maxsize=1 << 16)
def md5_hash(key: str, charset: str = "utf-8") -> int:
    """Return ``MD5Hash.hash``: the first four bytes of the digest, as an unsigned number."""
    # Half of a surrogate pair has no UTF-8 bytes, and other charsets lack more characters. String.getBytes replaces
    # such characters by a question mark.
    return int.from_bytes(md5(key.encode(charset, "replace"), usedforsecurity=False).digest()[:4], "big")


def hashable(hash_function: HashFunction) -> HashFunction:
    """Return an object for the hash function that can be a cache key.

    This is the function itself, or a ``partial`` of it if it is unhashable (then equal only to itself).
    """
    try:
        hash(hash_function)
    except TypeError:
        return partial(hash_function)
    return hash_function


class VirtualNode(NamedTuple):
    """A virtual node: one of a client id's positions on the ring."""

    client_id: str | None
    replica: int

    @property
    def key(self) -> str:
        """The text that is hashed to place the node."""
        return f"{'null' if self.client_id is None else self.client_id}-{self.replica}"


class Ring(NamedTuple):
    """``ConsistentHashRouter``: the virtual nodes, sorted by hash."""

    hashes: tuple[int, ...]
    """The hashes of the nodes, ascending."""
    nodes: tuple[VirtualNode, ...]
    """The node at each hash, in the same order as ``hashes``."""


# A client rebuilds the ring in each call. The ring depends only on the arguments, so all consumers of a group can share
# a cached ring. The cache is bounded so that hash functions that were used once are released.
@lru_cache(maxsize=256)
def build_ring(cid_all: tuple[str | None, ...], virtual_nodes: int, hash_function: HashFunction) -> Ring:
    """Return the ring after adding each id in turn.

    Of two nodes with the same hash, the later replaces the earlier.
    """
    on_ring: dict[int, VirtualNode] = {}
    for client_id in cid_all:
        first = existing_replicas(on_ring, client_id)
        for replica in range(first, first + virtual_nodes):
            node = VirtualNode(client_id, replica)
            on_ring[hash_function(node.key)] = node
    hashes = tuple(sorted(on_ring))
    return Ring(hashes, tuple([on_ring[hash_] for hash_ in hashes]))


def existing_replicas(on_ring: dict[int, VirtualNode], client_id: str | None) -> int:
    """Return the number of the id's virtual nodes that are on the ring now.

    Replaced nodes do not count. Mirror of ``getExistingReplicas``.
    """
    replicas = 0
    for node in on_ring.values():
        if node.client_id is None:
            raise Fault("the ring has a virtual node of a null client id")
        if node.client_id == client_id:
            replicas += 1
    return replicas


def route(ring: Ring, hash_function: HashFunction, key: str) -> VirtualNode | None:
    """Return the first virtual node at or after the key's hash, else the ring's first node.

    Mirror of ``routeNode``. An empty ring returns None.
    """
    if not ring.hashes:
        return None
    place = bisect_left(ring.hashes, hash_function(key))
    return ring.nodes[place if place < len(ring.nodes) else 0]


@lru_cache(maxsize=1 << 12)
def queue_key(queue: MessageQueue) -> str:
    """Return the text that is hashed to find a queue's virtual node."""
    return to_string(queue)


def consistent_hash(virtual_nodes: int = VIRTUAL_NODES, hash_function: HashFunction = md5_hash) -> Allocate:
    """Return the strategy with a number of virtual nodes and a hash function.

    Mirror of ``AllocateMessageQueueConsistentHash(virtualNodeCnt, customHashFunction)``.
    """
    if virtual_nodes < 0:
        raise AllocationError(f"illegal virtualNodeCnt :{virtual_nodes}")
    hash_function = hashable(hash_function)

    def allocate(current_cid: str, mq_all: Sequence[MessageQueue], cid_all: Sequence[str]) -> list[MessageQueue]:
        """Mirror of ``AllocateMessageQueueConsistentHash.allocate``."""
        result: list[MessageQueue] = []
        if not check(current_cid, mq_all, cid_all):
            return result
        ring = build_ring(tuple(cid_all), virtual_nodes, hash_function)
        for queue in mq_all:
            if queue is None:
                raise Fault("mqAll has a null queue")
            node = route(ring, hash_function, queue_key(queue))
            if node is not None and node.client_id == current_cid:
                result.append(queue)
        return result

    return allocate


CONSISTENT_HASH = Strategy(
    name="hash",
    rocketmq_name="CONSISTENT_HASH",
    source="org.apache.rocketmq.client.consumer.rebalance.AllocateMessageQueueConsistentHash#allocate",
    allocate=consistent_hash(),
    encoding=RING,
    holds=frozenset(),
    mutants=MUTANTS,
    configure=consistent_hash,
)


# CONSISTENT_HASH of the Go client: other hash and keys.
# A queue goes to the first node strictly after its hash. The client uses the library stathat.com/c/consistent for the
# ring.


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
def go_queue_key(queue: MessageQueue) -> str:
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
            if get(circle, hash_function, go_queue_key(queue)) == current_cid:
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
