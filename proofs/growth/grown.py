"""Effects of added queues on concrete results: new queues, and moved old queues."""

from collections.abc import Iterator
from typing import NamedTuple

from rebalance_proofs.model.group import Group, Results
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.proofs.movement.lemmas.joined import others


class Added(NamedTuple):
    """The queues that were added to a topic; they are adjacent in mqAll."""

    first: int
    """The position of the first new queue."""
    new: int
    """The number of new queues."""


def added(group: Group) -> Added:
    """Return the queues that a group has now and did not have before."""
    before = group.compared_with.consumers[0].mq_all
    places = [place for place, queue in enumerate(group.queues) if queue not in before]
    return Added(places[0], len(places))


def moves(group: Group, results: Results) -> Iterator[tuple[MessageQueue, int, int | None]]:
    """Yield the old queues that change hands, each with the indexes of its old and new consumer.

    The latter is None if no consumer has the queue.
    """
    for other in others(group, results):
        for queue in other.given_away:
            now = (place for place, result in enumerate(results) if queue in result)
            yield queue, other.place, next(now, None)
