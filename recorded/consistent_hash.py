"""``consistent_hash.jsonl``: who owns which queue by CONSISTENT_HASH; and the files that refer to its configurations.

Java computed the owners, and Rust the same. ``consistent_hash_go.tsv`` has the Go client's owners, which are others,
and ``ring_dump.tsv`` the whole ring of the Java client, virtual node by virtual node.
"""

import re

from rebalance_proofs.model.allocation.consistent_hash import build_ring, md5_hash
from rebalance_proofs.model.profiles import Profile
from rebalance_proofs.model.profiles.go import GO
from rebalance_proofs.model.profiles.java_v5 import JAVA_V5
from rebalance_proofs.model.profiles.rust import RUST
from rebalance_proofs.recorded.format import Format, Part
from rebalance_proofs.recorded.hash_configurations import (
    OWNER_ROWS,
    OWNERS,
    Configuration,
    Configurations,
    configuration_of,
    read_configuration,
)
from rebalance_proofs.recorded.jsonl import whole_number
from rebalance_proofs.recorded.rows import Row, anything, expect
from rebalance_proofs.recorded.shares import computed_owners, owners_text, shipped
from rebalance_proofs.recorded.text import quoted
from rebalance_proofs.recorded.tsv import Table, number

__all__ = ["FORMAT"]

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
"""Whose owners stand beside the configurations."""
PANIC = "panic: "
RING_ENTRY = re.compile(r"[0-9]+=.+")


def check_owners(row: Row, configurations: Configurations) -> None:
    """The owner of every queue has to be the recorded one."""
    id_, owners = row.read("id", "own")
    expect(owners, "own has no queue")
    configuration = read_configuration(row, len(owners))
    recorded = owners_text([whole_number(owner, "own") for owner in owners], configuration.cid_all)
    expect(id_ not in configurations, f"configuration {id_} stands here twice")
    configurations[id_] = configuration
    for profile in CLIENTS:
        compare_owners(row, profile, id_, configuration, recorded)


def check_go(row: Row, configurations: Configurations) -> None:
    """The Go client's owner of every queue, or its panic, has to be the recorded one."""
    id_, recorded = row
    configuration = configuration_of(id_, configurations)
    if not recorded.startswith(PANIC):
        owners, q = [number(owner, "owner") for owner in recorded.split(",")], len(configuration.mq_all)
        expect(len(owners) == q, f"{len(owners)} owners, the configuration has {q} queues")
        recorded = owners_text(owners, configuration.cid_all)
    compare_owners(row, GO, id_, configuration, recorded)


def compare_owners(row: Row, profile: Profile, id_: int, configuration: Configuration, recorded: str) -> None:
    """One client's owners of the queues of a configuration, or what it throws."""
    strategy = shipped(profile, "CONSISTENT_HASH", virtual_nodes=configuration.virtual_nodes)
    computed = computed_owners(profile, strategy, configuration.mq_all, configuration.cid_all)
    row.compare(profile, f"CONSISTENT_HASH of configuration {id_}", recorded, computed)


def check_ring(row: Row, configurations: Configurations) -> None:
    """Every hash and key, in the recorded order."""
    id_, recorded = row
    configuration = configuration_of(id_, configurations)
    fits = not recorded or RING_ENTRY.match(recorded)
    expect(fits, f"the ring is {quoted(recorded)}, which does not begin with hash=vnodeKey")
    ring = build_ring(tuple(configuration.cid_all), configuration.virtual_nodes, md5_hash)
    computed = " ".join(f"{hash_}={node.key}" for hash_, node in zip(ring.hashes, ring.nodes, strict=True))
    row.compare(JAVA_V5, f"ring of configuration {id_}", recorded, computed)


FORMAT = Format(
    (
        Part(OWNERS, OWNER_ROWS, check_owners, uses=(OWNERS,)),
        Part("consistent_hash_go.tsv", GO_ROWS, check_go, uses=(OWNERS,)),
        Part("ring_dump.tsv", RING_ROWS, check_ring, uses=(OWNERS,)),
    )
)
