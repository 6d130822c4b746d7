"""Log lines of the JavaScript client (ali-ons), with their meanings."""

from functools import partial

from rebalance_proofs.recorded.logs.fact import REMOVES_SILENTLY, Fact, Kind
from rebalance_proofs.recorded.logs.lines import client_line
from rebalance_proofs.recorded.logs.reading import Reading, fact_of, queues_in

__all__ = ["READINGS"]

NODE = "MQPushConsumer (JavaScript)"
_line = partial(client_line, NODE, releases=())


def _node_result(told: dict[str, str], text: str) -> Fact:
    """Return the fact of a line that the client logs at each rebalance.

    It contains only the result.
    """
    queues = queues_in(told["set"])
    told["topic"] = queues[0][0] if queues else ""
    return fact_of(Kind.RESULT, told, numbers=(-1, -1, len(queues)), queues=queues)


READINGS = (
    Reading(
        Kind.RESULT,
        _line(
            "rebalance. Logged at each rebalance, even without a change",
            "[mq:consumer] allocate queue for group: {}, clientId: {}, result: {}",
        ),
        ("group", "client", "set"),
        _node_result,
    ),
    Reading(
        Kind.ADDED,
        _line(
            "queue added. This client got the queue", "doRebalance, {}, add a new messageQueue, {}, its nextOffset: {}"
        ),
        ("group", "queue", ""),
        more=REMOVES_SILENTLY,
    ),
    Reading(
        Kind.REMOVED,
        _line(
            "no pull. An entry that was not pulled has left this client's table",
            "BUG doRebalance, {}, remove unnecessary mq={}, because pull is pause",
        ),
        ("group", "queue"),
        more="not pulled",
    ),
)
