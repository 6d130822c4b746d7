"""The configurations of CONSISTENT_HASH: rows of ``consistent_hash.jsonl``, to which other files refer."""

from dataclasses import dataclass
from typing import Any

from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.recorded.jsonl import Objects, client_ids, is_whole_number, of_type, text, whole_number
from rebalance_proofs.recorded.rows import Row, RowError, anything, expect, fitting, in_turn
from rebalance_proofs.recorded.text import quoted
from rebalance_proofs.recorded.values import virtual_nodes

OWNERS = "consistent_hash.jsonl"
named_ids = fitting(lambda ids: ids and all(ids), "not a list of client ids of which none is empty")
OWNER_ROWS = Objects(
    {
        "id": whole_number,
        "own": of_type(list, "not a list of consumers"),
        "cid": in_turn(client_ids, named_ids),
        "v": in_turn(whole_number, virtual_nodes),
        "b": anything,
        "topic": text,
    }
)
broker_list = of_type(list, "not a list of brokers")


@dataclass(frozen=True)
class Configuration:
    """The inputs of one row."""

    virtual_nodes: int
    mq_all: list[MessageQueue]
    cid_all: list[str]


Configurations = dict[int, Configuration]
"""By the ids of the rows."""


def configuration_of(id_: int, configurations: Configurations) -> Configuration:
    """The one that a row of another file refers to."""
    expect(id_ in configurations, f"configuration {id_} is not in {OWNERS}")
    return configurations[id_]


def read_configuration(row: Row, q: int) -> Configuration:
    """The inputs of a row with ``q`` queues."""
    cid_all, nodes = row.read("cid", "v")
    expect(nodes >= 0, f"v is {nodes}, which the clients refuse")
    brokers, topic = row.read("b", "topic")
    return Configuration(nodes, read_brokers(brokers, topic, q), cid_all)


def read_brokers(found: Any, topic: str, q: int) -> list[MessageQueue]:
    """``[[brokerName, n], ...]``: queues 0 .. n-1 of each broker, ``q`` in all."""
    for item in broker_list(found, "b"):
        match item:
            case [str(), n] if is_whole_number(n) and 0 <= n <= q:
                continue
        raise RowError(f"b has {quoted(item)}, which is not [brokerName, n] with n from 0 to {q}")
    count = sum(n for _, n in found)
    expect(count == q, f"own has {q} queues, b has {count}")
    return [MessageQueue(topic, broker_name, queue_id) for broker_name, n in found for queue_id in range(n)]
