"""A counterexample in the Informal Trace Format of Apalache, for tools that show or replay traces.

https://apalache-mc.org/docs/adr/015adr-trace.html
"""

from functools import singledispatch
from typing import Any

from rebalance_proofs.model.group import Group
from rebalance_proofs.model.transition.rounds import Rounds
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.results import ClaimResult, Counterexample
from rebalance_proofs.report.assignment import Assignment, Row, assignment
from rebalance_proofs.report.caption import notes
from rebalance_proofs.report.comparison import comparison
from rebalance_proofs.report.names import label, readable
from rebalance_proofs.report.story import document
from rebalance_proofs.report.telling import lines

LARGEST = 2**53 - 1
"""The format allows plain JSON numbers only where every reader keeps them exact."""

TYPES = {
    "side": "Str",
    "notes": "Seq(Str)",
    "queues": "Seq({ topic: Str, broker: Str, id: Int })",
    "consumers": "Seq({ clientId: Str, strategy: Str, cidAll: Seq(Str), mqAll: Seq(Int), result: Seq(Int), "
    "elsewhere: Seq(Str), throws: Str, subscribes: Bool })",
    "readers": "Int -> Set(Int)",
}
"""The variables: which side of a comparison it is, what else the strategy goes by, and who has what."""


def trace(result: ClaimResult, example: Counterexample) -> dict[str, Any]:
    """Of a group: the topic's queues, each consumer with its view and result, and each queue's readers.

    One state; two where the group is compared with another one, which comes first: before a consumer joins, after it.
    Three where it has changed twice.
    Of a transition: the tables before, and after each round.
    """
    claim = result.claim
    types, states = _states(example.group, claim, example)
    meta = {
        "format": "ITF",
        "format-description": "https://apalache-mc.org/docs/adr/015adr-trace.html",
        "source": claim.id,
        "description": f"{readable(claim.sentence)} {lines(claim, example)[-1]}",
        "varTypes": types,
    }
    numbered = [{"#meta": {"index": number}} | state for number, state in enumerate(states)]
    return {"#meta": meta, "vars": list(types), "states": numbered}


@singledispatch
def _states(group: object, claim: Claim, example: Counterexample) -> tuple[dict[str, str], list[dict[str, Any]]]:
    """The variables with their types, and the states."""
    raise TypeError(f"a counterexample of type {type(group).__name__} is no trace")


@_states.register
def _(group: Rounds, claim: Claim, example: Counterexample) -> tuple[dict[str, str], list[dict[str, Any]]]:
    return document.TYPES, document.states(claim, example)


@_states.register
def _(group: Group, claim: Claim, example: Counterexample) -> tuple[dict[str, str], list[dict[str, Any]]]:
    compared = comparison(group)
    sides = list(zip(compared.titles, (compared.before, compared.after), strict=True)) if compared else None
    if compared and compared.earlier:
        sides = [("at first", compared.earlier), *sides]
    return TYPES, [_state(example, side, found) for side, found in sides or [("", assignment(group))]]


def _state(example: Counterexample, side: str, found: Assignment) -> dict[str, Any]:
    return {
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
        "subscribes": row.consumer.subscribes,
    }


def _number(value: int) -> int | dict[str, str]:
    return value if abs(value) <= LARGEST else {"#bigint": str(value)}
