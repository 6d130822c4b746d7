"""The run for tools: the counterexample in results.json, and the states of its trace."""

from typing import Any

from rebalance_proofs.model.ordered.state import NOBODY
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.happens import Happens
from rebalance_proofs.proofs.ordered.run import Run, Seen
from rebalance_proofs.proofs.ordered.situation import in_words
from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.report.ordered.story import lines

__all__ = ["TYPES", "document", "states"]

TYPES = {"action": "Str", "now": "Int", "runs": "Seq(Bool)", "present": "Seq(Bool)", "holder": "Int"}
"""The variables of a trace: what was done last, the time in ms, and by consumer whether its listener runs and whether
it has an entry; and the client id that has the lock, 0 for nobody."""


def document(claim: Claim, example: Counterexample) -> dict[str, Any]:
    """See ``ordered_counterexample`` in the schema."""
    run: Run = example.group
    return {
        "sentence": example.sentence,
        "story": list(lines(claim, example)),
        "client_ids": list(run.world.client_ids),
        "limits": vars(run.limits),
        "actions": [
            {
                "at": seen.at,
                "consumer": seen.happens.who,
                "action": seen.happens.action,
                "said": dict(seen.happens.said),
                "runs": list(seen.runs),
                "present": list(seen.present),
                "holder": seen.holder,
            }
            for seen in run.seen
        ],
    }


def states(claim: Claim, example: Counterexample) -> list[dict[str, Any]]:
    """Before the first action, and after each."""
    nothing = Seen(0, Happens(0, ""), (False, False), (False, False), NOBODY)
    return [_state(seen) for seen in (nothing, *example.group.seen)]


def _state(seen: Seen) -> dict[str, Any]:
    told = in_words(seen.happens) if seen.happens.action else "begin"
    runs, present = list(seen.runs), list(seen.present)
    return {"action": told, "now": seen.at, "runs": runs, "present": present, "holder": seen.holder}
