"""How recorded transitions write queues, and the entries of a client's table."""

import re
from collections.abc import Callable

from rebalance_proofs.model.client.process_queue import FREE, ProcessQueue
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.recorded.readers import Reader, unfit
from rebalance_proofs.recorded.tally import RowError
from rebalance_proofs.recorded.text import quoted
from rebalance_proofs.recorded.tsv import number
from rebalance_proofs.recorded.values import int32

ABSENT = "-"
"""In a cell: nothing, or nobody asked."""

NOW = 1_000_000_000
PULL_EXPIRED = NOW - 200_000
LOCKED_LONG_AGO = NOW - 25_000


def queue_name(queue: MessageQueue) -> str:
    """``topic/broker/queueId``."""
    return f"{queue.topic}/{queue.broker_name}/{queue.queue_id}"


def read_queue(name: str, what: str) -> MessageQueue:
    """The inverse of ``queue_name``."""
    match name.split("/"):
        case [topic, broker_name, queue_id]:
            return MessageQueue(topic, broker_name, int32(number(queue_id, "queueId")))
    raise RowError(f"{what} has {quoted(name)}, which is not topic/broker/queueId")


def entry_reader(new: Callable[..., ProcessQueue], **letters: str) -> Reader:
    """A reader of entries that are written as letters, each with a number of the pattern that is given for it.

    ``d`` dropped, ``l`` locked, ``e`` pull expired, ``a`` last lock long ago, ``c`` consume lock, ``m`` messages.
    """
    pattern = re.compile("".join(f"{letter}(?P<{letter}>{numbers})" for letter, numbers in letters.items()))
    shape = "".join(f"{letter}X" for letter in letters)

    def read(text: str, what: str) -> ProcessQueue:
        found = pattern.fullmatch(text)
        if found is None:
            raise unfit(text, what, f"which is not {shape}")
        said = {letter: int(digits) for letter, digits in found.groupdict().items()}
        entry = new(
            dropped=bool(said["d"]),
            locked=bool(said["l"]),
            last_pull_timestamp=PULL_EXPIRED if said["e"] else NOW,
            last_lock_timestamp=LOCKED_LONG_AGO if said["a"] else NOW,
            cached=said["m"],
        )
        entry.consume_lock = said.get("c", FREE)
        return entry

    return read
