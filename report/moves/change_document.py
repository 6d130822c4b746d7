"""The answer of ``rebalance moves`` about a change of several consumers as JSON."""

from collections.abc import Sequence
from typing import Any

from rebalance_proofs.report.moves.by_name import Order
from rebalance_proofs.report.moves.change import Change
from rebalance_proofs.report.moves.change_told import label, sentence
from rebalance_proofs.report.moves.moved import Changed
from rebalance_proofs.report.moves.several import Range
from rebalance_proofs.report.schemas import published

FORMAT = 1


def schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of ``document``."""
    return published("moves_change")


def document(change: Change, every: Sequence[Changed]) -> dict[str, Any]:
    """Return the answer as JSON: the change, and the moves under every strategy."""
    return {
        "format": FORMAT,
        "queues": change.queues,
        "queues_after": change.grown or change.queues,
        "brokers": change.brokers,
        "consumers": change.before,
        "consumers_after": change.after,
        "leave": change.leave,
        "join": change.join,
        "restart": change.restart,
        "ids": None if change.named is None else list(change.named.before),
        "sentence": sentence(change, every),
        "strategies": [_changed(one) for one in every],
    }


def _changed(one: Changed) -> dict[str, Any]:
    return {
        "strategy": one.strategy.name,
        "name": label(one),
        "rocketmq": one.rocketmq,
        "seen": one.mark.value,
        "at_once": _range(one.once),
        "one_by_one": _range(one.single),
        "step_claims": list(one.steps),
        "level": one.level,
        "shares": {"least": one.shares[0], "most": one.shares[1]},
        "plan": {"certainty": one.plan_how.value, "events": _events(one)},
    }


def _range(found: Range) -> dict[str, Any]:
    return {
        "least": found.least,
        "average": round(float(found.average), 6),
        "most": found.worst,
        "certainty": found.how.value,
    }


def _events(one: Changed) -> list[dict[str, Any]]:
    if isinstance(one.plan, Order):
        return [
            {"leaves": step.leaves or None, "joins": step.joins or None, "grows": step.grows, "moves": moves}
            for step, moves in zip(one.plan.steps, one.plan.moves, strict=True)
        ]
    return [
        {
            "leaves": step.leaves,
            "joins": step.joins,
            "grows": step.leaves is None and step.joins is None,
            "moves": step.moves,
        }
        for step in one.plan
    ]
