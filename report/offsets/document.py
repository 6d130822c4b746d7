"""The run for tools: the counterexample in results.json, and the states of its trace."""

from typing import Any

from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.happens import Happens
from rebalance_proofs.proofs.offsets.run import Run, Seen
from rebalance_proofs.proofs.offsets.situation import in_words
from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.report.offsets.story import lines

__all__ = ["TYPES", "document", "states"]

NO_OFFSET = -1
TYPES = {
    "action": "Str",
    "committed": "Int",
    "consumed": "Int",
    "memory": "Seq(Int)",
    "present": "Seq(Bool)",
    "runs": "Seq(Bool)",
}
"""The variables of a trace: what was done last, what is committed (-1: nothing), how often the message was consumed,
and by consumer the offset in its memory (-1: none), whether it has an entry, and whether its listener is called."""


def document(claim: Claim, example: Counterexample) -> dict[str, Any]:
    """See ``offsets_counterexample`` in the schema."""
    run: Run = example.group
    return {
        "sentence": example.sentence,
        "story": list(lines(claim, example)),
        "message": run.message,
        "where": run.where.value,
        "committed": run.before,
        "actions": [
            {
                "consumer": seen.happens.who,
                "action": seen.happens.action,
                "said": dict(seen.happens.said),
                "committed": seen.committed,
                "consumed": seen.consumed,
                "memory": list(seen.memory),
                "present": list(seen.present),
                "runs": list(seen.runs),
            }
            for seen in run.seen
        ],
    }


def states(claim: Claim, example: Counterexample) -> list[dict[str, Any]]:
    """Before the first action, and after each."""
    run: Run = example.group
    none, no = (None, None), (False, False)
    begin = Seen(Happens(0, ""), run.before, 0, given=False, runs=no, present=no, began=none, memory=none)
    return [_state(seen) for seen in (begin, *run.seen)]


def _state(seen: Seen) -> dict[str, Any]:
    return {
        "action": in_words(seen.happens) if seen.happens.action else "begin",
        "committed": NO_OFFSET if seen.committed is None else seen.committed,
        "consumed": seen.consumed,
        "memory": [NO_OFFSET if offset is None else offset for offset in seen.memory],
        "present": list(seen.present),
        "runs": list(seen.runs),
    }
