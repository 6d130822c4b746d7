"""Parsers for log lines of the JavaScript client (ali-ons)."""

from rebalance_proofs.recorded.logs import lines
from rebalance_proofs.recorded.logs.fact import REMOVES_SILENTLY, Fact, Kind
from rebalance_proofs.recorded.logs.reading import Reading, fact_of, queues_in


def _node_result(told: dict[str, str], text: str) -> Fact:
    """Return the fact of a line that the client logs at each rebalance.

    It contains only the result.
    """
    queues = queues_in(told["set"])
    told["topic"] = queues[0][0] if queues else ""
    return fact_of(Kind.RESULT, told, numbers=(-1, -1, len(queues)), queues=queues)


READINGS = (
    Reading(Kind.RESULT, lines.NODE_SHARE, ("group", "client", "set"), _node_result),
    Reading(Kind.ADDED, lines.NODE_ADDED, ("group", "queue", ""), more=REMOVES_SILENTLY),
    Reading(Kind.REMOVED, lines.NODE_NOT_PULLED, ("group", "queue"), more="not pulled"),
)
