"""A counterexample in the Informal Trace Format of Apalache, for tools that show or replay traces.

https://apalache-mc.org/docs/adr/015adr-trace.html
"""

from typing import Any

from proofs.results import ClaimResult, Counterexample
from report.assignment import Assignment, Row, assignment
from report.caption import notes, told
from report.comparison import comparison
from report.names import label, readable

LARGEST = 2**53 - 1
"""The format allows plain JSON numbers only where every reader keeps them exact."""

TYPES = {
    "side": "Str",
    "notes": "Seq(Str)",
    "queues": "Seq({ topic: Str, broker: Str, id: Int })",
    "consumers": "Seq({ clientId: Str, strategy: Str, cidAll: Seq(Str), mqAll: Seq(Int), result: Seq(Int), "
    "elsewhere: Seq(Str), throws: Str })",
    "readers": "Int -> Set(Int)",
}
"""The variables: which side of a comparison it is, what else the strategy goes by, and who has what."""


def trace(result: ClaimResult, example: Counterexample) -> dict[str, Any]:
    """The topic's queues, each consumer with its view and result, and each queue's readers.

    One state; two where the group is compared with another one, which comes first: before a consumer joins, after it.
    """
    compared = comparison(example.group)
    sides = zip(compared.titles, (compared.before, compared.after), strict=True) if compared else None
    sides = sides or [("", assignment(example.group))]
    meta = {
        "format": "ITF",
        "format-description": "https://apalache-mc.org/docs/adr/015adr-trace.html",
        "source": result.claim.id,
        "description": f"{readable(result.claim.sentence)} {told(example)}",
        "varTypes": TYPES,
    }
    states = [_state(example, number, side, found) for number, (side, found) in enumerate(sides)]
    return {"#meta": meta, "vars": list(TYPES), "states": states}


def _state(example: Counterexample, number: int, side: str, found: Assignment) -> dict[str, Any]:
    return {
        "#meta": {"index": number},
        "side": side,
        "notes": list(notes(example)),
        "queues": [
            {"topic": queue.topic, "broker": queue.broker_name, "id": _number(queue.queue_id)}
            for queue in example.group.queues
        ],
        "consumers": [_consumer(row) for row in found.rows],
        "readers": {"#map": [[queue, {"#set": list(places)}] for queue, places in enumerate(found.readers)]},
    }


def _consumer(row: Row) -> dict[str, Any]:
    return {
        "clientId": row.consumer.client_id,
        "strategy": label(row.consumer.strategy),
        "cidAll": list(row.consumer.cid_all),
        "mqAll": list(row.sees),
        "result": list(row.takes),
        "elsewhere": list(row.elsewhere),
        "throws": row.throws,
    }


def _number(value: int) -> int | dict[str, str]:
    return value if abs(value) <= LARGEST else {"#bigint": str(value)}
