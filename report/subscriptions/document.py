"""The run for tools: the counterexample in results.json, and the states of its trace."""

from typing import Any

from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.proofs.subscriptions.run import Run, Seen
from rebalance_proofs.report.subscriptions.story import lines

__all__ = ["TYPES", "document", "states"]

PLACES = ("none", "begun", "sent", "come")
"""By the model's number: where the member's heartbeat is."""
FLAGS, NUMBERS = ("has", "refused"), ("mine", "version", "notified")
TYPES = (
    {"action": "Str", "now": "Int", "heartbeat": "Str"} | dict.fromkeys(FLAGS, "Bool") | dict.fromkeys(NUMBERS, "Int")
)
"""The variables of a trace: what was done last, the time in ms, where the member's heartbeat is, whether the broker's
table has the topic, whether the member's last pull was refused, the member's version, the broker's, and how often the
broker has notified the members."""


def document(claim: Claim, example: Counterexample) -> dict[str, Any]:
    """See ``subscriptions_counterexample`` in the schema."""
    run: Run = example.group
    return {
        "sentence": example.sentence,
        "story": list(lines(claim, example)),
        "limits": vars(run.limits),
        "actions": [
            {"at": seen.at, "action": seen.happens.action, "said": dict(seen.happens.said)} | _facts(seen)
            for seen in run.seen
        ],
    }


def states(claim: Claim, example: Counterexample) -> list[dict[str, Any]]:
    """Before the first action, and after each."""
    begin = {"action": "begin", "now": 0, "heartbeat": PLACES[0], "has": True, "refused": False}
    begin |= {"mine": 0, "version": 0, "notified": 1}
    run: Run = example.group
    return [begin, *({"action": seen.happens.action, "now": seen.at} | _facts(seen) for seen in run.seen)]


def _facts(seen: Seen) -> dict[str, Any]:
    return {"heartbeat": PLACES[seen.place]} | {name: getattr(seen, name) for name in (*FLAGS, *NUMBERS)}
