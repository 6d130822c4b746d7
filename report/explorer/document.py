"""The JSON of an exploration; its schema is schema/explore.schema.json."""

from collections.abc import Iterable, Mapping
from itertools import chain
from typing import Any

from rebalance_proofs.report.claims.mark import GROUPS
from rebalance_proofs.report.claims.played import FORMAT
from rebalance_proofs.report.explorer.told import disagreeing, queues, said
from rebalance_proofs.report.index.entries import marks
from rebalance_proofs.spark_enum.explorer.explore import Explored, Found
from rebalance_proofs.spark_enum.explorer.model import Model, Move, Watch

# Traces of a whole group in Apalache's Informal Trace Format (ITF).
# https://apalache-mc.org/docs/adr/015adr-trace.html

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


DOCUMENT_FORMAT = 1


def document(explored: Explored) -> dict[str, Any]:
    """Return the exploration as dicts and lists for JSON."""
    settled = explored.settled
    return {
        "format": DOCUMENT_FORMAT,
        "model": explored.subject.name,
        "settings": explored.subject.document(explored.settings),
        "remark": explored.subject.remark(explored.settings) or None,
        "whole": explored.whole,
        "states": explored.states,
        "transitions": explored.transitions,
        "levels": list(explored.levels),
        "digest": f"{explored.digest:016x}",
        "moves": dict(explored.counts),
        "found": [_found(explored, one) for one in explored.found],
        "never": [_watch(one) for one in explored.never],
        "settled": settled
        and {
            "within": settled.within,
            "counted": settled.counted,
            "states": settled.states,
            "stands_still": settled.most == 0,
        },
        "disagreeing": list(disagreeing(explored)),
        "runs_seen": GROUPS.value,
        "seen": marks(chain.from_iterable(watch.claims for watch in explored.model.watches)),
    }


def _watch(watch: Watch) -> dict[str, Any]:
    return {"name": watch.name, "sentence": watch.sentence, "claims": list(watch.claims)}


def _found(explored: Explored, found: Found) -> dict[str, Any]:
    product = explored.product
    story = said(product.model, (step.move for step in found.steps))
    steps = [
        {"move": str(step.move) if step.move else None, "words": words, "queues": queues(product, step)}
        for step, words in zip(found.steps, story, strict=True)
    ]
    needs = None if found.needs is None else [list(faults) for faults in found.needs.faults]
    return _watch(found.watch) | {"states": found.states, "steps": steps, "needs": needs}
