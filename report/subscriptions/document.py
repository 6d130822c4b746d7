"""The run for tools: the counterexample in results.json, and the states of its trace."""

from typing import Any

from rebalance_proofs.proofs.subscriptions.run import Seen
from rebalance_proofs.report.subscriptions.story import lines
from rebalance_proofs.report.timed_document import document_of, states_of

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


def _facts(seen: Seen) -> dict[str, Any]:
    return {"heartbeat": PLACES[seen.place]} | {name: getattr(seen, name) for name in (*FLAGS, *NUMBERS)}


document = document_of(lines, _facts)
"""See ``subscriptions_counterexample`` in the schema."""
states = states_of(
    {"heartbeat": PLACES[0], "has": True, "refused": False, "mine": 0, "version": 0, "notified": 1}, _facts
)
