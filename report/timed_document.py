"""Timed traces for tools: the counterexample in results.json, and the states of its ITF trace."""

from collections.abc import Callable, Sequence
from typing import Any

from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.results import Counterexample

__all__ = ["document_of", "states_of"]

Facts = Callable[[Any], dict[str, Any]]
"""Function from one entry of ``Run.seen`` to the facts that hold after its action."""


def document_of(
    lines: Callable[[Claim, Counterexample], Sequence[str]], facts: Facts
) -> Callable[[Claim, Counterexample], dict[str, Any]]:
    """A kind's function from a counterexample to its record in results.json; ``lines``: its story."""

    def document(claim: Claim, example: Counterexample) -> dict[str, Any]:
        run = example.group
        return {
            "sentence": example.sentence,
            "story": list(lines(claim, example)),
            "limits": vars(run.limits),
            "actions": [
                {"at": seen.at, "action": seen.happens.action, "said": dict(seen.happens.said)} | facts(seen)
                for seen in run.seen
            ],
        }

    return document


def states_of(begin: dict[str, Any], facts: Facts) -> Callable[[Claim, Counterexample], list[dict[str, Any]]]:
    """A kind's function from a counterexample to its states: the one in ``begin``, then one after each action."""

    def states(claim: Claim, example: Counterexample) -> list[dict[str, Any]]:
        first = {"action": "begin", "now": 0} | begin
        return [first, *({"action": one.happens.action, "now": one.at} | facts(one) for one in example.group.seen)]

    return states
