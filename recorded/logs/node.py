"""Log lines of the client in JavaScript, ali-ons, with what each tells."""

from functools import partial

from rebalance_proofs.recorded.logs.fact import REMOVES_SILENTLY, Fact, Kind
from rebalance_proofs.recorded.logs.lines import client_line
from rebalance_proofs.recorded.logs.reading import Reading, fact_of, queues_in

__all__ = ["READINGS"]

NODE = "MQPushConsumer (JavaScript)"
_line = partial(client_line, NODE, releases=())


def _node_result(told: dict[str, str], text: str) -> Fact:
    """Logged at each rebalance, with what was allocated alone."""
    queues = queues_in(told["set"])
    told["topic"] = queues[0][0] if queues else ""
    return fact_of(Kind.RESULT, told, numbers=(-1, -1, len(queues)), queues=queues)


READINGS = (
    Reading(
        Kind.RESULT,
        _line(
            "a rebalance, whether it changed something or not",
            "[mq:consumer] allocate queue for group: {}, clientId: {}, result: {}",
        ),
        ("group", "client", "set"),
        _node_result,
    ),
    Reading(
        Kind.ADDED,
        _line("a queue was given to this client", "doRebalance, {}, add a new messageQueue, {}, its nextOffset: {}"),
        ("group", "queue", ""),
        more=REMOVES_SILENTLY,
    ),
    Reading(
        Kind.REMOVED,
        _line(
            "an entry from which nothing was pulled has left the table",
            "BUG doRebalance, {}, remove unnecessary mq={}, because pull is pause",
        ),
        ("group", "queue"),
        more="not pulled",
    ),
)
