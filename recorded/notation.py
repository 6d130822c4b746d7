"""How JSON-lines vector files write the queues of a result: by position in mqAll, or by name."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.recorded.jsonl import positions_value
from rebalance_proofs.recorded.tally import RowError
from rebalance_proofs.recorded.text import quoted
from rebalance_proofs.recorded.values import positions


@dataclass(frozen=True)
class Notation:
    """One way of writing the queues of a result."""

    read: Callable[[Any, int, str], list[Any]]
    """``read(found, q, what)``: a recorded list, for mqAll of q queues. Raises ``RowError`` when it is none."""
    write: Callable[[Sequence[MessageQueue | None], Sequence[MessageQueue | None] | None], list[Any]]
    """``write(result, mq_all)``: the same of a computed list."""


def places(result: Sequence[MessageQueue | None], mq_all: Sequence[MessageQueue | None] | None) -> list[Any]:
    """Each queue's position in mqAll; ``broker:queueId`` of one that does not stand there, which no file has."""
    inside = {id(queue) for queue in mq_all or ()}
    if all(queue is None or id(queue) in inside for queue in result):
        return positions(result, mq_all)
    return [
        positions([queue], mq_all)[0] if queue is None or id(queue) in inside else names([queue], mq_all)[0]
        for queue in result
    ]


def names(result: Sequence[MessageQueue | None], mq_all: Sequence[MessageQueue | None] | None) -> list[str | None]:
    """Each queue as ``broker:queueId``."""
    return [None if queue is None else f"{queue.broker_name}:{queue.queue_id}" for queue in result]


def names_value(found: Any, q: int, what: str) -> list[str | None]:
    """A recorded list of names."""
    if not isinstance(found, list) or not all(item is None or isinstance(item, str) for item in found):
        raise RowError(f"{what} is {quoted(found)}, not a list of broker:queueId")
    return found


POSITIONS = Notation(positions_value, places)
NAMES = Notation(names_value, names)
"""For queues that need not stand in mqAll: those of CONFIG, alone or inside another strategy."""
