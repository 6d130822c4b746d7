"""Who takes what in a counterexample, with queues as positions: what figures, captions and traces are made of."""

from dataclasses import dataclass
from functools import cached_property

from model.allocation.check import AllocationError
from model.group import Consumer, Group
from model.queues import positions_in
from proofs.allocation.names import name_consumer


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
    throws: str
    """What the client throws; empty when it does not."""

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
        """All consumers have the same ``mq_all``, ``cid_all`` or ``strategy``."""
        first = getattr(self.rows[0].consumer, attribute)
        return all(getattr(row.consumer, attribute) == first for row in self.rows)


def assignment(group: Group) -> Assignment:
    """What the consumers of ``group`` take, as the concrete implementation computes it."""
    return Assignment(len(group.queues), tuple(_row(group, place) for place in range(len(group.consumers))))


def _row(group: Group, place: int) -> Row:
    consumer = group.consumers[place]
    result, throws = [], ""
    try:
        result = consumer.allocate()
    except AllocationError as error:
        throws = str(error)
    sees, takes = (tuple(positions_in(group.queues, queues)) for queues in (consumer.mq_all, result))
    return Row(name_consumer(group, place), consumer, sees, takes, throws)
