"""The run for tools: the counterexample in results.json, and the states of its trace."""

from typing import Any

from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.registry.run import Run, Seen
from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.report.registry.story import lines

__all__ = ["TYPES", "document", "states"]

TYPES = {"action": "Str", "now": "Int", "alive": "Bool", "link": "Bool", "answer": "Str", "stale": "Bool"}
"""The variables of a trace: what was done last, the time in ms, whether the member lives and its newest connection is
open, which ids the broker would answer, and whether what it lists of the member has changed and nobody was told."""


def document(claim: Claim, example: Counterexample) -> dict[str, Any]:
    """See ``registry_counterexample`` in the schema."""
    run: Run = example.group
    return {
        "sentence": example.sentence,
        "story": list(lines(claim, example)),
        "limits": vars(run.limits),
        "actions": [
            {"at": seen.at, "action": seen.happens.action, "said": dict(seen.happens.said)} | _so(seen)
            for seen in run.seen
        ],
    }


def states(claim: Claim, example: Counterexample) -> list[dict[str, Any]]:
    """Before the first action, and after each."""
    begin = {"action": "begin", "now": 0, "alive": False, "link": False, "answer": "", "stale": False}
    run: Run = example.group
    return [
        begin,
        *(
            {"action": seen.happens.action, "now": seen.at} | _so(seen) | {"answer": " ".join(seen.answer)}
            for seen in run.seen
        ),
    ]


def _so(seen: Seen) -> dict[str, Any]:
    return {"alive": seen.alive, "link": seen.link, "answer": list(seen.answer), "stale": seen.stale}
