"""The run for tools: the counterexample in results.json, and the states of its trace."""

from typing import Any

from rebalance_proofs.proofs.settling.run import Seen
from rebalance_proofs.report.settling.story import lines
from rebalance_proofs.report.timed_document import document_of, states_of

__all__ = ["TYPES", "document", "states"]

PLACES = ("looks", "resets", "waits", "clears", "woken", "runs")
"""By the model's number: what the thread does next, or is in."""
TYPES = {"action": "Str", "now": "Int", "thread": "Str", "flag": "Bool", "open": "Bool", "right": "Bool"}
"""The variables of a trace: what was done last, the time in ms, where the thread is, whether its flag is set and its
latch is open, and whether a rebalance that has seen the change has ended."""


def _thread(seen: Seen) -> dict[str, Any]:
    return {"thread": PLACES[seen.place], "flag": seen.flag, "open": seen.open, "right": seen.right}


document = document_of(lines, _thread)
"""See ``settling_counterexample`` in the schema."""
states = states_of({"thread": PLACES[0], "flag": False, "open": False, "right": False}, _thread)
