"""How JSON-lines vector files write the queues of a result: by position in mqAll, or by name."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.recorded.jsonl import is_whole_number, list_of
from rebalance_proofs.recorded.readers import unfit
from rebalance_proofs.recorded.tally import RowError
from rebalance_proofs.recorded.text import quoted
from rebalance_proofs.recorded.values import positions


@dataclass(frozen=True)
class Notation:
    """One way of writing the queues of a result."""

    read: Callable[[Any, str, int], list[Any]]
    """``read(found, what, q)``: a recorded list, for mqAll of q queues. Raises ``RowError`` when it is none."""
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


def positions_value(found: Any, what: str, q: int) -> list[int | None]:
    """Recorded positions in mqAll of ``q`` queues; null where the client returned a null element."""
    if not isinstance(found, list) or not all(item is None or is_whole_number(item) for item in found):
        raise unfit(found, what, "not a list of positions")
    for position in found:
        if position is not None and not 0 <= position < q:
            raise RowError(f"{what} has position {quoted(position)}, which is outside mqAll of {q} queues")
    return found


names_value = list_of(str | None, "not a list of broker:queueId")

POSITIONS = Notation(positions_value, places)
NAMES = Notation(lambda found, what, q: names_value(found, what), names)
"""For queues that need not stand in mqAll: those of CONFIG, alone or inside another strategy."""
