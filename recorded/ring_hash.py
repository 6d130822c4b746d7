"""Check ``ring_hash.tsv``: texts that Java's CONSISTENT_HASH hashes, and hash values."""

import re
from collections.abc import Callable, Mapping

from rebalance_proofs.model.allocation.consistent_hash import CONSISTENT_HASH, VirtualNode, md5_hash, queue_key
from rebalance_proofs.model.profiles.java_v5 import JAVA_V5
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.recorded.format import Format, Part
from rebalance_proofs.recorded.rows import Row, RowError, Table, anything, expect, int32, number, quoted

ROWS = Table({"kind": anything, "hash_decimal": number, "hash_hex": anything, "string_hashed": anything})


def key_of_queue(topic: str, broker_name: str, queue_id: str) -> str:
    """Return the text that the model hashes for a queue."""
    return queue_key(MessageQueue(topic, broker_name, int32(number(queue_id, "queueId"))))


def key_of_virtual_node(client_id: str, replica: str) -> str:
    """Return the text that the model hashes for a virtual node of a consumer."""
    return VirtualNode(client_id, number(replica, "replica")).key


KEYS: Mapping[str, tuple[re.Pattern[str], Callable[..., str]]] = {
    "queue": (re.compile(r"\w+ \[\w+=(.*), \w+=(.*), \w+=([^,\]]+)\]"), key_of_queue),
    "vnode": (re.compile(r"(.*)-(\d+)"), key_of_virtual_node),
}
"""Kind of text -> (pattern of its parts, function from these parts to the model's key)."""


def check_row(row: Row) -> None:
    """Check that the model hashes the same text as the client, with the same hash value."""
    kind, decimal, hexadecimal, hashed = row
    expect(kind in KEYS, f"kind is {quoted(kind)}, neither queue nor vnode")
    pattern, key_of = KEYS[kind]
    parts = pattern.fullmatch(hashed)
    if parts is None:
        raise RowError(f"string_hashed is {quoted(hashed)}, which is not the key of a {kind}")
    key = key_of(*parts.groups())
    hash_ = md5_hash(key)
    recorded = f"{decimal}\t{hexadecimal}\t{hashed}"
    row.compare(JAVA_V5, f"hash of a {kind}", recorded, f"{hash_}\t{hash_:08x}\t{key}", [CONSISTENT_HASH.name])


FORMAT = Format((Part("ring_hash.tsv", ROWS, check_row),))
