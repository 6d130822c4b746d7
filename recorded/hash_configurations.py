"""``consistent_hash.jsonl``: who owns which queue by CONSISTENT_HASH; the configurations that other files refer to.

Java computed the owners, and Rust the same.
"""

from dataclasses import dataclass
from typing import Any

from rebalance_proofs.model.profiles import Profile
from rebalance_proofs.model.profiles.java_v5 import JAVA_V5
from rebalance_proofs.model.profiles.rust import RUST
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.recorded.files import Line
from rebalance_proofs.recorded.jsonl import Objects, client_ids, is_whole_number, of_type, text, whole_number
from rebalance_proofs.recorded.owners import owners_text, read_owners
from rebalance_proofs.recorded.readers import Row, anything, in_turn, unfit
from rebalance_proofs.recorded.shipped import configured
from rebalance_proofs.recorded.tally import RowError, Tally
from rebalance_proofs.recorded.text import quoted
from rebalance_proofs.recorded.values import virtual_nodes

OWNERS = "consistent_hash.jsonl"
OWNER_ROWS = Objects(
    {
        "id": whole_number,
        "own": of_type(list, "not a list of consumers"),
        "cid": client_ids,
        "v": in_turn(whole_number, virtual_nodes),
        "b": anything,
        "topic": text,
    }
)
CLIENTS = (JAVA_V5, RUST)
"""Whose owners are recorded; Go's, which are others, have a file of their own."""


@dataclass(frozen=True)
class Configuration:
    """The inputs of one row."""

    virtual_nodes: int
    mq_all: list[MessageQueue]
    cid_all: list[str]


Configurations = dict[int, Configuration]
"""By the ids of the rows."""


def check_owners(tally: Tally, line: Line, row: Row, configurations: Configurations) -> None:
    """The owner of every queue has to be the recorded one."""
    id_, owners = row["id"], row["own"]
    if not owners:
        raise RowError("own has no queue")
    configuration = read_configuration(row, len(owners))
    recorded = read_owners([whole_number(owner, "own") for owner in owners], configuration.cid_all)
    if id_ in configurations:
        raise RowError(f"configuration {id_} stands here twice")
    configurations[id_] = configuration
    for profile in CLIENTS:
        compare_owners(tally, line, profile, id_, configuration, recorded)


def compare_owners(
    tally: Tally, line: Line, profile: Profile, id_: int, configuration: Configuration, recorded: str
) -> None:
    """One client's owners of the queues of a configuration, or what it throws."""
    strategy = configured(profile, "CONSISTENT_HASH", virtual_nodes=configuration.virtual_nodes)
    computed = owners_text(profile, strategy, configuration.mq_all, configuration.cid_all)
    tally.compare(line, profile, f"CONSISTENT_HASH of configuration {id_}", recorded, computed)


def configuration_of(id_: int, configurations: Configurations) -> Configuration:
    """The one that a row of another file refers to."""
    if id_ not in configurations:
        raise RowError(f"configuration {id_} is not in {OWNERS}")
    return configurations[id_]


def read_configuration(row: Row, q: int) -> Configuration:
    """The inputs of a row with ``q`` queues."""
    cid_all = row["cid"]
    if not cid_all or not all(cid_all):
        raise unfit(cid_all, "cid", "not a list of client ids of which none is empty")
    nodes = row["v"]
    if nodes < 0:
        raise RowError(f"v is {nodes}, which the clients refuse")
    return Configuration(nodes, read_brokers(row["b"], row["topic"], q), cid_all)


def read_brokers(found: Any, topic: str, q: int) -> list[MessageQueue]:
    """``[[brokerName, n], ...]``: queues 0 .. n-1 of each broker, ``q`` in all."""
    if not isinstance(found, list):
        raise unfit(found, "b", "not a list of brokers")
    counts: list[tuple[str, int]] = []
    for item in found:
        match item:
            case [str() as broker_name, count] if is_whole_number(count) and 0 <= count <= q:
                counts.append((broker_name, count))
            case _:
                raise RowError(f"b has {quoted(item)}, which is not [brokerName, n] with n from 0 to {q}")
    if sum(count for _, count in counts) != q:
        raise RowError(f"own has {q} queues, b has {sum(count for _, count in counts)}")
    return [MessageQueue(topic, broker_name, queue_id) for broker_name, count in counts for queue_id in range(count)]
