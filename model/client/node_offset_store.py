"""Where a Node client keeps offsets: at the broker, or, when it is broadcasting, in its memory only.

A broadcasting consumer that was told to be ``persistent`` keeps a file instead; that is not modelled.
"""

from typing import Protocol

from model.client.effects import PERSIST, READ_OFFSET, REMOVE_OFFSET
from model.client.environment import NOT_FOUND
from model.client.node_environment import NodeEnvironment
from model.profiles.profile import ClientError
from model.queues import MessageQueue


class OffsetStore(Protocol):
    """What a rebalance asks of either store."""

    offset_table: dict[MessageQueue, int]
    """The offsets in memory: a listener that returns sets them, and ``persist`` sends them."""

    def read_offset(self, queue: MessageQueue) -> int:
        """``readOffset(READ_FROM_STORE)``; ``NOT_FOUND`` when there is none."""

    def persist(self, queue: MessageQueue) -> None:
        """``persist``; raises ``ClientError`` when the offset could not be sent."""

    def remove_offset(self, queue: MessageQueue) -> None:
        """``removeOffset``: memory forgets the queue."""


class RemoteBrokerOffsetStore:
    """``RemoteBrokerOffsetStore``."""

    def __init__(self, environment: NodeEnvironment) -> None:
        self.environment = environment
        self.offset_table: dict[MessageQueue, int] = {}

    def read_offset(self, queue: MessageQueue) -> int:
        """Every failure of the query counts as ``NOT_FOUND``, and leaves in memory what was there."""
        environment = self.environment
        try:
            offset = self.offset_table[queue] = environment.query_consumer_offset(queue)
        except ClientError:
            environment.report()
            offset = NOT_FOUND
        environment.effects.append((READ_OFFSET, queue, offset))
        return offset

    def persist(self, queue: MessageQueue) -> None:
        """What memory has goes to the broker, negative numbers too; if it has nothing, nothing does."""
        self.environment.effects.append((PERSIST, queue))
        offset = self.offset_table.get(queue)
        if offset is not None:
            self.environment.update_consumer_offset_oneway(queue, offset)

    def remove_offset(self, queue: MessageQueue) -> None:
        self.environment.effects.append((REMOVE_OFFSET, queue))
        self.offset_table.pop(queue, None)


class LocalMemoryOffsetStore:
    """``LocalMemoryOffsetStore``: ``persist`` does nothing, and after a removal nobody knows the offset."""

    def __init__(self, environment: NodeEnvironment) -> None:
        self.environment = environment
        self.offset_table: dict[MessageQueue, int] = {}

    def read_offset(self, queue: MessageQueue) -> int:
        offset = self.offset_table.get(queue, NOT_FOUND)
        self.environment.effects.append((READ_OFFSET, queue, offset))
        return offset

    def persist(self, queue: MessageQueue) -> None:
        self.environment.effects.append((PERSIST, queue))

    def remove_offset(self, queue: MessageQueue) -> None:
        self.environment.effects.append((REMOVE_OFFSET, queue))
        self.offset_table.pop(queue, None)
