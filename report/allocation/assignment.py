"""The assignment of queues to consumers in a counterexample, for figures, captions and traces."""

from dataclasses import dataclass
from functools import cached_property

from rebalance_proofs.model.allocation.strategy import AllocationError
from rebalance_proofs.model.group import Consumer, Group
from rebalance_proofs.model.queues import NOWHERE, positions_in
from rebalance_proofs.proofs.allocation.names import name_consumer


@dataclass(frozen=True)
class Row:
    """One consumer of the group, with its inputs and its queues.

    Queues are indices into the topic's queues.
    """

    name: str
    """The consumer's client id, with its index in the group if another consumer has the same id."""
    consumer: Consumer
    sees: tuple[int, ...]
    """The consumer's mqAll, in its order."""
    takes: tuple[int, ...]
    """Queues that the consumer takes; empty if the client throws."""
    elsewhere: tuple[str, ...]
    """Queues that the consumer takes although no broker of the topic has them: ``broker-z:0``."""
    throws: str
    """The client's exception; empty if there is none."""
    instead: str = ""
    """The exception as a phrase: ``throws (mqAll is null)``.

    For user-defined strategies also ``returns None``.
    """

    @property
    def index(self) -> int | None:
        """Index of the consumer's own id in its cidAll; None if the id is missing."""
        ids = self.consumer.cid_all
        return ids.index(self.consumer.client_id) if self.consumer.client_id in ids else None


@dataclass(frozen=True)
class Assignment:
    """All consumers of a group, with the queues that they take."""

    queues: int
    rows: tuple[Row, ...]

    @cached_property
    def readers(self) -> tuple[tuple[int, ...], ...]:
        """For each queue, the indices of the consumers that take it."""
        return tuple(
            tuple(place for place, row in enumerate(self.rows) if queue in row.takes) for queue in range(self.queues)
        )

    @property
    def nobody(self) -> tuple[int, ...]:
        """Queues that no consumer takes."""
        return tuple(queue for queue, readers in enumerate(self.readers) if not readers)

    @property
    def several(self) -> tuple[int, ...]:
        """Queues that more than one consumer takes."""
        return tuple(queue for queue, readers in enumerate(self.readers) if len(readers) > 1)

    def agreed(self, attribute: str) -> bool:
        """Return whether all consumers have the same list ``attribute``: ``mq_all`` or ``cid_all``."""
        first = getattr(self.rows[0].consumer, attribute)
        return all(getattr(row.consumer, attribute) == first for row in self.rows)

    @property
    def one_strategy(self) -> bool:
        """Whether all consumers run the same function, possibly with different arguments."""
        return len({row.consumer.strategy.name for row in self.rows}) == 1


def assignment(group: Group) -> Assignment:
    """Compute the assignment of a group with the modelled client code."""
    return Assignment(len(group.queues), tuple(_row(group, place) for place in range(len(group.consumers))))


def _row(group: Group, place: int) -> Row:
    consumer = group.consumers[place]
    result, throws, instead = [], "", ""
    try:
        result = consumer.allocate() or []  # CONFIG returns null if it was given no list
    except AllocationError as error:
        throws, instead = str(error), error.instead
    takes = tuple(position for position in positions_in(group.queues, result) if position != NOWHERE)
    elsewhere = tuple(f"{queue.broker_name}:{queue.queue_id}" for queue in result if queue not in group.queues)
    sees = tuple(positions_in(group.queues, consumer.mq_all))
    return Row(name_consumer(group, place), consumer, sees, takes, elsewhere, throws, instead)
