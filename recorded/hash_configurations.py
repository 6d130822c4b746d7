"""``consistent_hash.jsonl``: who owns which queue by CONSISTENT_HASH; the configurations that other files refer to.

Java computed the owners, and Rust the same.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rebalance_proofs.model.profiles.java_v5 import JAVA_V5
from rebalance_proofs.model.profiles.rust import RUST
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.recorded.files import Line, VectorFile
from rebalance_proofs.recorded.jsonl import Row, client_ids, row_object, text, value, whole_number
from rebalance_proofs.recorded.owners import owners_text, read_owners
from rebalance_proofs.recorded.records import FileReport
from rebalance_proofs.recorded.shipped import configured
from rebalance_proofs.recorded.tally import RowError, Tally, check_rows
from rebalance_proofs.recorded.text import quoted
from rebalance_proofs.recorded.values import virtual_nodes

STRATEGY = "CONSISTENT_HASH"
CLIENTS = (JAVA_V5, RUST)
"""Whose owners are recorded; Go's, which are others, have a file of their own."""


@dataclass(frozen=True)
class Configuration:
    """The inputs of one row."""

    virtual_nodes: int
    mq_all: list[MessageQueue]
    cid_all: list[str]


Configurations = Mapping[int, Configuration]
"""By the ids of the rows."""


def check_configurations(vectors: VectorFile) -> tuple[FileReport, Configurations]:
    """The owner of every queue has to be the recorded one."""
    configurations: dict[int, Configuration] = {}

    def check_row(tally: Tally, line: Line) -> None:
        row = row_object(line.text)
        id_ = whole_number(value(row, "id"), "id")
        owners = value(row, "own")
        if not isinstance(owners, list):
            raise RowError(f"own is {quoted(owners)}, not a list of consumers")
        if not owners:
            raise RowError("own has no queue")
        configuration = read_configuration(row, len(owners))
        recorded = read_owners([whole_number(owner, "own") for owner in owners], configuration.cid_all)
        if id_ in configurations:
            raise RowError(f"configuration {id_} stands here twice")
        configurations[id_] = configuration
        for profile in CLIENTS:
            strategy = configured(profile, STRATEGY, virtual_nodes=configuration.virtual_nodes)
            computed = owners_text(profile, strategy, configuration.mq_all, configuration.cid_all)
            tally.compare(line, profile, f"{STRATEGY} of configuration {id_}", recorded, computed)

    return check_rows(vectors, check_row), configurations


def read_configuration(row: Row, q: int) -> Configuration:
    """The inputs of a row with ``q`` queues."""
    cid_all = client_ids(value(row, "cid"), "cid")
    if not cid_all or not all(cid_all):
        raise RowError(f"cid is {quoted(cid_all)}, not a list of client ids of which none is empty")
    nodes = virtual_nodes(whole_number(value(row, "v"), "v"))
    if nodes < 0:
        raise RowError(f"v is {nodes}, which the clients refuse")
    return Configuration(nodes, read_brokers(value(row, "b"), text(value(row, "topic"), "topic"), q), cid_all)


def read_brokers(found: Any, topic: str, q: int) -> list[MessageQueue]:
    """``[[brokerName, n], ...]``: queues 0 .. n-1 of each broker, ``q`` in all."""
    if not isinstance(found, list):
        raise RowError(f"b is {quoted(found)}, not a list of brokers")
    counts: list[tuple[str, int]] = []
    for item in found:
        match item:
            case [str() as broker_name, int() as count] if not isinstance(count, bool) and 0 <= count <= q:
                counts.append((broker_name, count))
            case _:
                raise RowError(f"b has {quoted(item)}, which is not [brokerName, n] with n from 0 to {q}")
    if sum(count for _, count in counts) != q:
        raise RowError(f"own has {q} queues, b has {sum(count for _, count in counts)}")
    return [MessageQueue(topic, broker_name, queue_id) for broker_name, count in counts for queue_id in range(count)]
