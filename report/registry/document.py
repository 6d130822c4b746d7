"""The run for tools: the counterexample in results.json, and the states of its trace."""

from typing import Any

from rebalance_proofs.proofs.registry.run import Seen
from rebalance_proofs.report.registry.story import lines
from rebalance_proofs.report.timed_document import document_of, states_of

__all__ = ["TYPES", "document", "states"]

TYPES = {"action": "Str", "now": "Int", "alive": "Bool", "link": "Bool", "answer": "Str", "stale": "Bool"}
"""The variables of a trace: what was done last, the time in ms, whether the member lives and its newest connection is
open, which ids the broker would answer, and whether what it lists of the member has changed and nobody was told."""


def _so(seen: Seen) -> dict[str, Any]:
    return {"alive": seen.alive, "link": seen.link, "answer": list(seen.answer), "stale": seen.stale}


def _traced(seen: Seen) -> dict[str, Any]:
    """As ``TYPES`` has it: the ids are one text."""
    return _so(seen) | {"answer": " ".join(seen.answer)}


document = document_of(lines, _so)
"""See ``registry_counterexample`` in the schema."""
states = states_of({"alive": False, "link": False, "answer": "", "stale": False}, _traced)
