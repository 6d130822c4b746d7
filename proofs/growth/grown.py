"""What queues that are added change in concrete results: where they stand, and which of the old ones change hands."""

from collections.abc import Iterator
from typing import NamedTuple

from rebalance_proofs.model.group import Group, Results
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.proofs.movement.lemmas.joined import others


class Added(NamedTuple):
    """The queues that are new."""

    first: int
    """The position of the first of them."""
    new: int
    """How many there are."""


def added(group: Group) -> Added:
    """They stand together."""
    before = group.compared_with.consumers[0].mq_all
    places = [place for place, queue in enumerate(group.queues) if queue not in before]
    return Added(places[0], len(places))


def moves(group: Group, results: Results) -> Iterator[tuple[MessageQueue, int, int | None]]:
    """Each old queue that is with another than before: from which place to which; None for nobody."""
    for other in others(group, results):
        for queue in other.given_away:
            now = (place for place, result in enumerate(results) if queue in result)
            yield queue, other.place, next(now, None)
