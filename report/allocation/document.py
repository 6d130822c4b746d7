"""Counterexample groups as JSON: the record in results.json, and the states of the trace."""

from typing import Any

from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.report.allocation.caption import Assignment, Comparison, Row, assigned, caption, notes
from rebalance_proofs.report.names import label, readable

LARGEST = 2**53 - 1
"""Largest integer that a trace has as a plain number.

JSON parsers may round larger integers.
"""

TYPES = {
    "side": "Str",
    "notes": "Seq(Str)",
    "queues": "Seq({ topic: Str, broker: Str, id: Int })",
    "consumers": "Seq({ clientId: Str, strategy: Str, cidAll: Seq(Str), mqAll: Seq(Int), result: Seq(Int), "
    "elsewhere: Seq(Str), throws: Str, subscribes: Bool })",
    "readers": "Int -> Set(Int)",
}
"""Variables of a trace, with types: the group's stage, inputs, queues, consumers, readers of queues."""


def document(example: Counterexample) -> dict[str, Any]:
    """Return the counterexample's record in results.json, without the path of its trace.

    The schema describes it under ``counterexample``.
    """
    found, compared = assigned(example.group)
    return {
        "sentence": readable(example.sentence),
        "notes": list(notes(example)),
        "caption": list(caption(example)),
        "digits": list(example.values),
        "queues": [queue._asdict() for queue in example.group.queues],
        "consumers": _consumers(found),
        "owned_by_nobody": list(found.nobody),
        "owned_by_several": list(found.several),
        "compared_with": _compared(compared) if compared else None,
    }


def _compared(compared: Comparison) -> dict[str, Any]:
    return {
        "kind": compared.kind,
        "titles": list(compared.titles),
        "consumers": _consumers(compared.before),
        "at_first": _consumers(compared.earlier) if compared.earlier else None,
        "places": list(compared.places),
        "changes": [
            {"queue": change.queue, "before": list(change.before), "after": list(change.after)}
            for change in compared.changes
        ],
    }


def _consumers(found: Assignment) -> list[dict[str, Any]]:
    return [
        {
            "client_id": row.consumer.client_id,
            "strategy": row.consumer.strategy.name,
            "strategy_label": label(row.consumer.strategy),
            "subscribes": row.consumer.subscribes,
            "cid_all": list(row.consumer.cid_all),
            "mq_all": list(row.sees),
            "result": list(row.takes),
            "elsewhere": list(row.elsewhere),
            "throws": row.throws,
        }
        for row in found.rows
    ]


def states(example: Counterexample) -> list[dict[str, Any]]:
    """Return the states of the trace, one for each stage of the group.

    A group without a reference has one state, a group with a reference two, a group that changes twice three.
    """
    found, compared = assigned(example.group)
    if not compared:
        return [_state(example, "", found)]
    sides = zip(("at first", *compared.titles), (compared.earlier, compared.before, found), strict=True)
    return [_state(example, title, side) for title, side in sides if side]


def _state(example: Counterexample, side: str, found: Assignment) -> dict[str, Any]:
    return {
        "side": side,
        "notes": list(notes(example)),
        "queues": [
            {"topic": queue.topic, "broker": queue.broker_name, "id": _number(queue.queue_id)}
            for queue in example.group.queues
        ],
        "consumers": [_traced(row) for row in found.rows],
        "readers": {"#map": [[queue, {"#set": list(places)}] for queue, places in enumerate(found.readers)]},
    }


def _traced(row: Row) -> dict[str, Any]:
    return {
        "clientId": row.consumer.client_id,
        "strategy": label(row.consumer.strategy),
        "cidAll": list(row.consumer.cid_all),
        "mqAll": list(row.sees),
        "result": list(row.takes),
        "elsewhere": list(row.elsewhere),
        "throws": row.throws,
        "subscribes": row.consumer.subscribes,
    }


def _number(value: int) -> int | dict[str, str]:
    return value if abs(value) <= LARGEST else {"#bigint": str(value)}
