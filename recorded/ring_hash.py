"""``ring_hash.tsv``: the texts that the Java client's CONSISTENT_HASH hashes, and the numbers that come out."""

import re

from rebalance_proofs.model.allocation.consistent_hash import VirtualNode, md5_hash, queue_key
from rebalance_proofs.model.profiles.java_v5 import JAVA_V5
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.recorded.format import Format, Part
from rebalance_proofs.recorded.rows import Row, RowError, anything
from rebalance_proofs.recorded.text import quoted
from rebalance_proofs.recorded.tsv import Table, number
from rebalance_proofs.recorded.values import int32

__all__ = ["FORMAT"]

ROWS = Table({"kind": anything, "hash_decimal": number, "hash_hex": anything, "string_hashed": anything})
QUEUE = re.compile(r"\w+ \[\w+=(.*), \w+=(.*), \w+=([^,\]]+)\]")
"""A queue as the client writes it, whatever it calls the parts."""
VIRTUAL_NODE = re.compile(r"(.*)-(\d+)")


def check_row(row: Row) -> None:
    """The model writes what the client hashes, and hashes it to the same number."""
    kind, decimal, hexadecimal, hashed = row
    key = key_of(kind, hashed)
    hash_ = md5_hash(key)
    recorded = f"{decimal}\t{hexadecimal}\t{hashed}"
    row.compare(JAVA_V5, f"hash of a {kind}", recorded, f"{hash_}\t{hash_:08x}\t{key}")


def key_of(kind: str, hashed: str) -> str:
    """The key that the model makes of the queue or virtual node that ``hashed`` is the key of."""
    match kind:
        case "queue":
            if parts := QUEUE.fullmatch(hashed):
                topic, broker_name, queue_id = parts.groups()
                return queue_key(MessageQueue(topic, broker_name, int32(number(queue_id, "queueId"))))
        case "vnode":
            if parts := VIRTUAL_NODE.fullmatch(hashed):
                client_id, replica = parts.groups()
                return VirtualNode(client_id, number(replica, "replica")).key
        case _:
            raise RowError(f"kind is {quoted(kind)}, neither queue nor vnode")
    raise RowError(f"string_hashed is {quoted(hashed)}, which is no key of a {kind}")


FORMAT = Format((Part("ring_hash.tsv", ROWS, check_row),))
