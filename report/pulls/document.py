"""The run for tools: the counterexample in results.json, and the states of its trace."""

from typing import Any

from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.pulls.run import Run, Seen
from rebalance_proofs.proofs.pulls.situation import in_words
from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.report.pulls.story import lines

__all__ = ["TYPES", "document", "states"]

OF_ENTRY = ("waiting", "pulling", "asking", "repairing")
COUNTS = (*OF_ENTRY, *(f"old_{name}" for name in OF_ENTRY))
FLAGS = ("present", "live", "ended", "suspended")
TYPES = {"action": "Str"} | dict.fromkeys(FLAGS, "Bool") | dict.fromkeys(COUNTS, "Int")
"""The variables of a trace: what was done last; whether the queue has an entry, a live one, and whether the thread of
``PullMessageService`` has ended, and the consumer is suspended; how many requests and tasks there are of the entry, and
of entries that have left."""


def _facts(seen: Seen) -> dict[str, Any]:
    return {name: getattr(seen, name) for name in (*FLAGS, *COUNTS)}


def document(claim: Claim, example: Counterexample) -> dict[str, Any]:
    """See ``pulls_counterexample`` in the schema."""
    run: Run = example.group
    return {
        "sentence": example.sentence,
        "story": list(lines(claim, example)),
        "limit": run.limit,
        "actions": [
            {"action": seen.happens.action, "said": dict(seen.happens.said)} | _facts(seen) for seen in run.seen
        ],
    }


def states(claim: Claim, example: Counterexample) -> list[dict[str, Any]]:
    """Before the first action, and after each."""
    run: Run = example.group
    begin = {"action": "begin"} | dict.fromkeys(FLAGS, False) | dict.fromkeys(COUNTS, 0)
    return [begin, *({"action": in_words(seen.happens)} | _facts(seen) for seen in run.seen)]
