"""A counterexample in the Informal Trace Format of Apalache, for tools that show or replay traces.

https://apalache-mc.org/docs/adr/015adr-trace.html
"""

from typing import Any

from proofs.results import ClaimResult, Counterexample
from report.assignment import Row, assignment

LARGEST = 2**53 - 1
"""The format allows plain JSON numbers only where every reader keeps them exact."""


def trace(result: ClaimResult, example: Counterexample) -> dict[str, Any]:
    """The trace of one state: the topic's queues, each consumer with its view and result, and each queue's readers."""
    found = assignment(example.group)
    state = {
        "#meta": {"index": 0},
        "queues": [
            {"topic": queue.topic, "broker": queue.broker_name, "id": _number(queue.queue_id)}
            for queue in example.group.queues
        ],
        "consumers": [_consumer(row) for row in found.rows],
        "readers": {"#map": [[queue, {"#set": list(places)}] for queue, places in enumerate(found.readers)]},
    }
    meta = {
        "format": "ITF",
        "format-description": "https://apalache-mc.org/docs/adr/015adr-trace.html",
        "source": result.claim.id,
        "description": f"{result.claim.sentence} {example.sentence}",
        "varTypes": {
            "queues": "Seq({ topic: Str, broker: Str, id: Int })",
            "consumers": "Seq({ clientId: Str, strategy: Str, cidAll: Seq(Str), mqAll: Seq(Int), result: Seq(Int), "
            "throws: Str })",
            "readers": "Int -> Set(Int)",
        },
    }
    return {"#meta": meta, "vars": ["queues", "consumers", "readers"], "states": [state]}


def _consumer(row: Row) -> dict[str, Any]:
    return {
        "clientId": row.consumer.client_id,
        "strategy": row.consumer.strategy.rocketmq_name,
        "cidAll": list(row.consumer.cid_all),
        "mqAll": list(row.sees),
        "result": list(row.takes),
        "throws": row.throws,
    }


def _number(value: int) -> int | dict[str, str]:
    return value if abs(value) <= LARGEST else {"#bigint": str(value)}
