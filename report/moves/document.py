"""The answer of ``rebalance moves`` as JSON."""

from collections.abc import Sequence
from typing import Any

from rebalance_proofs.report.moves.change import Event, Group
from rebalance_proofs.report.moves.moved import Moved, Moves
from rebalance_proofs.report.moves.told import sentence
from rebalance_proofs.report.schemas import published

FORMAT = 1


def schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of ``document``."""
    return published("moves")


def document(group: Group, every: Sequence[Moves]) -> dict[str, Any]:
    """Return the answer as JSON: the group and the event, and the moves under every strategy."""
    return {
        "format": FORMAT,
        "event": group.event.value,
        "queues": group.queues,
        "queues_after": group.grown or group.queues,
        "brokers": group.brokers,
        "consumers": group.consumers,
        "consumers_after": group.after,
        "ids": list(group.ids),
        "sentence": sentence(group, [one for one in every if one.rocketmq]),
        "strategies": [_moves(group, one) for one in every],
    }


def _moves(group: Group, one: Moves) -> dict[str, Any]:
    return {
        "strategy": one.strategy.name,
        "name": one.strategy.rocketmq_name,
        "rocketmq": one.rocketmq,
        "basis": "PROVED" if one.claims else "COUNTED",
        "claims": list(one.claims),
        "seen": one.mark.value,
        "least": one.least.hands,
        "worst": one.worst.hands,
        "places": [_moved(group, moved) for moved in one.places],
    }


def _moved(group: Group, moved: Moved) -> dict[str, Any]:
    grows = group.event is Event.GROW
    return {
        "place": moved.place,
        "id": None if moved.place is None else group.ids[moved.place],
        "change_hands": moved.hands,
        "own": None if grows else moved.own,
        "between": None if grows else moved.between,
        "needed": moved.needed,
    }
