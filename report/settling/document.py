"""The run for tools: the counterexample in results.json, and the states of its trace."""

from typing import Any

from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.proofs.settling.run import Run, Seen
from rebalance_proofs.report.settling.story import lines

__all__ = ["TYPES", "document", "states"]

PLACES = ("looks", "resets", "waits", "clears", "woken", "runs")
"""By the model's number: what the thread does next, or is in."""
TYPES = {"action": "Str", "now": "Int", "thread": "Str", "flag": "Bool", "open": "Bool", "right": "Bool"}
"""The variables of a trace: what was done last, the time in ms, where the thread is, whether its flag is set and its
latch is open, and whether a rebalance that has seen the change has ended."""


def document(claim: Claim, example: Counterexample) -> dict[str, Any]:
    """See ``settling_counterexample`` in the schema."""
    run: Run = example.group
    return {
        "sentence": example.sentence,
        "story": list(lines(claim, example)),
        "limits": vars(run.limits),
        "actions": [
            {"at": seen.at, "action": seen.happens.action, "said": dict(seen.happens.said)} | _thread(seen)
            for seen in run.seen
        ],
    }


def states(claim: Claim, example: Counterexample) -> list[dict[str, Any]]:
    """Before the first action, and after each."""
    begin = {"action": "begin", "now": 0, "thread": PLACES[0], "flag": False, "open": False, "right": False}
    run: Run = example.group
    return [begin, *({"action": seen.happens.action, "now": seen.at} | _thread(seen) for seen in run.seen)]


def _thread(seen: Seen) -> dict[str, Any]:
    return {"thread": PLACES[seen.place], "flag": seen.flag, "open": seen.open, "right": seen.right}
