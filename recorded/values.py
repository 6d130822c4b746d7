"""What the values of all vector files have in common: the topic, the ranges of numbers, and positions."""

from collections.abc import Sequence

from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.recorded.rows import expect
from rebalance_proofs.recorded.text import quoted

TOPIC = "T"
"""The one topic of all recorded queues; the files that this package reads do not write it."""


def int32(number: int) -> int:
    """A queueId, which is a Java ``int``."""
    expect(-(2**31) <= number < 2**31, f"queueId {quoted(number)} is outside int32")
    return number


MOST_VIRTUAL_NODES = 10_000
"""Rings with more virtual nodes a consumer are not computed; users have some hundred."""


def virtual_nodes(number: int, what: str) -> int:
    """How many virtual nodes a consumer has."""
    too_many = f"{what} is {number}, more virtual nodes than the {MOST_VIRTUAL_NODES} that are computed"
    expect(number <= MOST_VIRTUAL_NODES, too_many)
    return number


def positions(result: Sequence[MessageQueue | None], mq_all: Sequence[MessageQueue | None] | None) -> list[int | None]:
    """Where each element of a client's result stands in mqAll; a null element has no position.

    Elements are told apart by identity, because equal queues can stand in mqAll.
    """
    places = {id(queue): place for place, queue in enumerate(mq_all or ()) if queue is not None}
    return [None if queue is None else places[id(queue)] for queue in result]
