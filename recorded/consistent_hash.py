"""Check ``consistent_hash.jsonl`` (each queue's owner by CONSISTENT_HASH) and related files.

Java and Rust computed the same owners. ``consistent_hash_go.tsv`` has the Go client's owners, which differ.
``ring_dump.tsv`` has the Java client's whole ring, one virtual node per row.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from rebalance_proofs.model.allocation.consistent_hash import (
    CONSISTENT_HASH,
    VirtualNode,
    build_ring,
    md5_hash,
    queue_key,
)
from rebalance_proofs.model.profiles import GO, JAVA_V5, RUST, Profile
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.recorded.avg import computed_owners, owners_text, shipped
from rebalance_proofs.recorded.jsonl import (
    Objects,
    client_ids,
    is_whole_number,
    of_type,
    text,
    virtual_nodes,
    whole_number,
)
from rebalance_proofs.recorded.rows import (
    Row,
    RowError,
    Table,
    anything,
    expect,
    fitting,
    in_turn,
    int32,
    number,
    quoted,
)
from rebalance_proofs.recorded.tally import Format, Part

# Check ``ring_hash.tsv``: texts that Java's CONSISTENT_HASH hashes, and hash values.

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


RING_HASH_FORMAT = Format((Part("ring_hash.tsv", ROWS, check_row),))


OWNERS = "consistent_hash.jsonl"
named_ids = fitting(lambda ids: ids and all(ids), "not a list of client ids of which none is empty")
OWNER_ROWS = Objects(
    {
        "id": whole_number,
        "own": of_type(list, "not a list of consumers"),
        "cid": in_turn(client_ids, named_ids),
        "v": in_turn(virtual_nodes, fitting(lambda number: number >= 0, "which the clients refuse")),
        "b": anything,
        "topic": text,
    }
)
broker_list = of_type(list, "not a list of brokers")
GO_ROWS = Table(
    {"id": number, "owners": anything},
    headings=(
        "id",
        "go_owner_index_per_queue "
        "(same id, queues and sorted cids as consistent_hash.jsonl; panic text when it panics)",
    ),
)
RING_ROWS = Table({"config_id": number, "ring_entries_ascending: hash=vnodeKey": anything})
CLIENTS = (JAVA_V5, RUST)
"""Clients whose queue owners are recorded in ``consistent_hash.jsonl``."""
PANIC = "panic: "
RING_ENTRY = re.compile(r"[0-9]+=.+")


class Configuration(NamedTuple):
    """Inputs of one row: queues, client ids and settings of CONSISTENT_HASH."""

    virtual_nodes: int
    mq_all: list[MessageQueue]
    cid_all: list[str]


Configurations = dict[int, Configuration]
"""Id of a row of ``consistent_hash.jsonl`` -> its inputs; rows of other files use the id."""


def configuration_of(id_: int, configurations: Configurations) -> Configuration:
    """Return the inputs to which a row of another file refers by the id ``id_``."""
    expect(id_ in configurations, f"configuration {id_} is not in {OWNERS}")
    return configurations[id_]


def read_configuration(row: Row, q: int) -> Configuration:
    """Return the inputs of a row with ``q`` queues."""
    cid_all, nodes, brokers, topic = row.read("cid", "v", "b", "topic")
    return Configuration(nodes, read_brokers(brokers, topic, q), cid_all)


def read_brokers(found: Any, topic: str, q: int) -> list[MessageQueue]:
    """Return queues 0 to n-1 of each broker in ``[[brokerName, n], ...]``.

    ``q`` is their number.
    """
    for item in broker_list(found, "b"):
        match item:
            case [str(), n] if is_whole_number(n) and 0 <= n <= q:
                continue
        raise RowError(f"b has {quoted(item)}, which is not [brokerName, n] with n from 0 to {q}")
    count = sum(n for _, n in found)
    expect(count == q, f"own has {q} queues, b has {count}")
    return [MessageQueue(topic, broker_name, queue_id) for broker_name, n in found for queue_id in range(n)]


def check_owners(row: Row, configurations: Configurations) -> None:
    """Check that every queue has the recorded owner in the model."""
    id_, owners = row.read("id", "own")
    expect(owners, "own has no queue")
    configuration = read_configuration(row, len(owners))
    recorded = owners_text([whole_number(owner, "own") for owner in owners], configuration.cid_all)
    expect(id_ not in configurations, f"configuration {id_} occurs twice")
    configurations[id_] = configuration
    for profile in CLIENTS:
        compare_owners(row, profile, id_, configuration, recorded)


def check_go(row: Row, configurations: Configurations) -> None:
    """Check the Go client's owners, or its recorded panic."""
    id_, recorded = row
    configuration = configuration_of(id_, configurations)
    if not recorded.startswith(PANIC):
        owners, q = [number(owner, "owner") for owner in recorded.split(",")], len(configuration.mq_all)
        expect(len(owners) == q, f"{len(owners)} owners, the configuration has {q} queues")
        recorded = owners_text(owners, configuration.cid_all)
    compare_owners(row, GO, id_, configuration, recorded)


def compare_owners(row: Row, profile: Profile, id_: int, configuration: Configuration, recorded: str) -> None:
    """Compare one client's recorded owners of the queues, or its error, with the model's."""
    strategy = shipped(profile, "CONSISTENT_HASH", virtual_nodes=configuration.virtual_nodes)
    computed = computed_owners(profile, strategy, configuration.mq_all, configuration.cid_all)
    row.compare(profile, f"CONSISTENT_HASH of configuration {id_}", recorded, computed, [strategy.name])


def check_ring(row: Row, configurations: Configurations) -> None:
    """Check every hash value and key of the Java client's ring, in order."""
    id_, recorded = row
    configuration = configuration_of(id_, configurations)
    fits = not recorded or RING_ENTRY.match(recorded)
    expect(fits, f"the ring is {quoted(recorded)}, which does not begin with hash=vnodeKey")
    ring = build_ring(tuple(configuration.cid_all), configuration.virtual_nodes, md5_hash)
    computed = " ".join(f"{hash_}={node.key}" for hash_, node in zip(ring.hashes, ring.nodes, strict=True))
    row.compare(JAVA_V5, f"ring of configuration {id_}", recorded, computed, [CONSISTENT_HASH.name])


FORMAT = Format(
    (
        Part(OWNERS, OWNER_ROWS, check_owners, uses=(OWNERS,)),
        Part("consistent_hash_go.tsv", GO_ROWS, check_go, uses=(OWNERS,)),
        Part("ring_dump.tsv", RING_ROWS, check_ring, uses=(OWNERS,)),
    )
)
