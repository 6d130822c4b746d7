"""Who takes what in a counterexample, with queues as positions: what figures, captions and traces are made of."""

from dataclasses import dataclass
from functools import cached_property

from rebalance_proofs.model.allocation.check import AllocationError
from rebalance_proofs.model.group import Consumer, Group
from rebalance_proofs.model.queues import NOWHERE, positions_in
from rebalance_proofs.proofs.allocation.names import name_consumer


@dataclass(frozen=True)
class Row:
    """One consumer. Queues are named by their positions among the topic's queues."""

    name: str
    """Its client id; also its place in the group where two have the same id."""
    consumer: Consumer
    sees: tuple[int, ...]
    """mqAll, in the consumer's order."""
    takes: tuple[int, ...]
    """Its result; empty when the client throws."""
    elsewhere: tuple[str, ...]
    """What it takes besides that no broker of the topic has: ``broker-z:0``."""
    throws: str
    """What the client throws; empty when it does not."""
    instead: str = ""
    """The same to follow its name: ``throws (mqAll is null)``; of a strategy of the user's also ``returns None``."""

    @property
    def index(self) -> int | None:
        """Where it finds its own id in cidAll; None when it does not."""
        ids = self.consumer.cid_all
        return ids.index(self.consumer.client_id) if self.consumer.client_id in ids else None


@dataclass(frozen=True)
class Assignment:
    """All consumers of a group and what they take."""

    queues: int
    rows: tuple[Row, ...]

    @cached_property
    def readers(self) -> tuple[tuple[int, ...], ...]:
        """For each queue the places of the consumers that take it."""
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
        """All consumers have the same ``mq_all`` or ``cid_all``."""
        first = getattr(self.rows[0].consumer, attribute)
        return all(getattr(row.consumer, attribute) == first for row in self.rows)

    @property
    def one_strategy(self) -> bool:
        """All consumers run the same function; each may have been given arguments of its own."""
        return len({row.consumer.strategy.name for row in self.rows}) == 1


def assignment(group: Group) -> Assignment:
    """What the consumers of ``group`` take, as the concrete implementation computes it."""
    return Assignment(len(group.queues), tuple(_row(group, place) for place in range(len(group.consumers))))


def _row(group: Group, place: int) -> Row:
    consumer = group.consumers[place]
    result, throws, instead = [], "", ""
    try:
        result = consumer.allocate() or []  # CONFIG returns null when it was given no list
    except AllocationError as error:
        throws, instead = str(error), error.instead
    takes = tuple(position for position in positions_in(group.queues, result) if position != NOWHERE)
    elsewhere = tuple(f"{queue.broker_name}:{queue.queue_id}" for queue in result if queue not in group.queues)
    sees = tuple(positions_in(group.queues, consumer.mq_all))
    return Row(name_consumer(group, place), consumer, sees, takes, elsewhere, throws, instead)
