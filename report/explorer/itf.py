"""Traces of a whole group in Apalache's Informal Trace Format (ITF).

https://apalache-mc.org/docs/adr/015adr-trace.html
"""

from collections.abc import Iterable, Mapping
from typing import Any

from rebalance_proofs.report.explorer.told import said
from rebalance_proofs.report.itf import FORMAT
from rebalance_proofs.spark_enum.explorer.explore import Explored, Found
from rebalance_proofs.spark_enum.explorer.model import Model, Move

VARIABLES = {"action": "Str", "members": "Set(Int)", "views": "Seq(Set(Int))", "queues": "Seq(Str -> Int)"}
"""Variables of a trace: last move, members, each consumer's list of members, and queues."""
EXPLORED = "explore"
"""Key in the trace's replay data under which the model and its settings are stored."""


def trace_of(explored: Explored, found: Found) -> dict[str, Any]:
    """Return the trace to a found bad state.

    ``#meta`` holds the data to replay it: ``replay`` for the whole trace, ``does`` for each state.
    """
    product = explored.product
    states = []
    for number, step in enumerate(found.steps):
        done = {"does": does(step.move)} if step.move else {}
        members, rows = product.group(step.state)
        states.append({"#meta": {"index": number, **done}} | state_of(product.model, step.move, members, rows))
    last = said(product.model, (step.move for step in found.steps))[-1]
    settings = explored.subject.document(explored.settings)
    meta = {
        "format": "ITF",
        "format-description": "https://apalache-mc.org/docs/adr/015adr-trace.html",
        "source": f"explore {explored.subject.name}: {found.watch.name}",
        "description": f"{found.watch.sentence} {last}",
        "varTypes": VARIABLES,
        "replay": {
            "format": FORMAT,
            EXPLORED: {"model": explored.subject.name, "settings": settings, "watch": found.watch.name},
        },
    }
    return {"#meta": meta, "vars": list(VARIABLES), "states": states}


def does(move: Move) -> dict[str, Any]:
    """Return a move (one action of a consumer, broker or the network) as replay data."""
    return {"action": move.name, "who": move.who, "queue": move.queue}


def state_of(model: Model, move: Move | None, members: Any, rows: Iterable[Mapping[str, int]]) -> dict[str, Any]:
    """Return the group's state after ``move`` as ITF values; None means the initial state.

    ``rows`` has, for each queue, the values of its variables by name.
    """
    return {
        "action": str(move) if move else "begin",
        "members": {"#set": sorted(model.ids(members))},
        "views": [{"#set": sorted(view)} for view in model.views(members)],
        "queues": [{"#map": [[name, value] for name, value in row.items()]} for row in rows],
    }
