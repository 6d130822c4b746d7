"""The offset stores of a Node client.

They are at the broker or, for a broadcasting consumer, in memory only. A broadcasting consumer with the option
``persistent`` uses a file instead, which is not modelled.
"""

from collections.abc import Sequence
from typing import Protocol

from rebalance_proofs.model.client.effects import PERSIST, READ_OFFSET, REMOVE_OFFSET
from rebalance_proofs.model.client.environment import NOT_FOUND
from rebalance_proofs.model.client.node_environment import NodeEnvironment
from rebalance_proofs.model.profiles.profile import ClientError
from rebalance_proofs.model.queues import MessageQueue


class OffsetStore(Protocol):
    """The offset store methods that a rebalance calls."""

    environment: NodeEnvironment
    offset_table: dict[MessageQueue, int]
    """The offsets in memory.

    A listener sets an offset when it returns, and ``persist`` sends it.
    """

    def read_offset(self, queue: MessageQueue) -> int:
        """Return the offset, or ``NOT_FOUND`` if there is none (``readOffset(READ_FROM_STORE)``)."""

    def persist(self, queue: MessageQueue) -> None:
        """Persist the queue's offset (``persist``). Raises ``ClientError`` if it could not be sent."""

    def persist_all(self, queues: Sequence[MessageQueue]) -> None:
        """Persist the offsets of the client's queues, as the client does every 5 s.

        Mirror of ``persistAll``.
        """

    def remove_offset(self, queue: MessageQueue) -> None:
        """Remove the queue's offset from memory (``removeOffset``)."""


class RemoteBrokerOffsetStore:
    """``RemoteBrokerOffsetStore``: offsets in memory and at the broker."""

    def __init__(self, environment: NodeEnvironment) -> None:
        self.environment = environment
        self.offset_table: dict[MessageQueue, int] = {}

    def read_offset(self, queue: MessageQueue) -> int:
        """Return the offset, or ``NOT_FOUND`` for a failed query.

        A failed query leaves the memory unchanged. Mirror of ``readOffset``.
        """
        environment = self.environment
        try:
            offset = environment.awaited(self._fetch_consume_offset_from_broker, queue)
            self.update_offset(queue, offset, increase_only=False)
        except ClientError:
            environment.report()
            offset = NOT_FOUND
        environment.effects.append((READ_OFFSET, queue, offset))
        return offset

    def update_offset(self, queue: MessageQueue, offset: int, *, increase_only: bool) -> None:
        """Set the offset in memory; a queue without an offset in memory counts as -1.

        Mirror of ``updateOffset``.
        """
        if not (increase_only and self.offset_table.get(queue, -1) >= offset):
            self.offset_table[queue] = offset

    def persist(self, queue: MessageQueue) -> None:
        """Send the offset in memory to the broker, even a negative one.

        Send nothing if there is none (``persist``).
        """
        self.environment.effects.append((PERSIST, queue))
        offset = self.offset_table.get(queue)
        if offset is not None:
            self.environment.awaited(self._update_consume_offset_to_broker, queue, offset)

    def persist_all(self, queues: Sequence[MessageQueue]) -> None:
        """Remove all other queues' offsets from memory, and send those of ``queues``.

        An offset 0 or a missing one becomes -1. Mirror of ``persistAll``.
        """
        if not queues:
            return
        self.offset_table = {queue: self.offset_table.get(queue) or -1 for queue in queues}
        failures = 0
        for queue, offset in self.offset_table.items():
            try:
                self._update_consume_offset_to_broker(queue, offset)
            except ClientError:
                failures += 1
        for _ in range(failures):
            self.environment.report()

    def remove_offset(self, queue: MessageQueue) -> None:
        self.environment.effects.append((REMOVE_OFFSET, queue))
        self.offset_table.pop(queue, None)

    def _fetch_consume_offset_from_broker(self, queue: MessageQueue) -> int:
        self.environment.awaited(self.environment.find_broker_address_in_admin, queue)
        return self.environment.awaited(self.environment.query_consumer_offset, queue)

    def _update_consume_offset_to_broker(self, queue: MessageQueue, offset: int) -> None:
        self.environment.awaited(self.environment.find_broker_address_in_admin, queue)
        self.environment.awaited(self.environment.update_consumer_offset_oneway, queue, offset)


class LocalMemoryOffsetStore:
    """``LocalMemoryOffsetStore``: ``persist`` does nothing, and a removed offset is lost."""

    def __init__(self, environment: NodeEnvironment) -> None:
        self.environment = environment
        self.offset_table: dict[MessageQueue, int] = {}

    def read_offset(self, queue: MessageQueue) -> int:
        offset = self.offset_table.get(queue, NOT_FOUND)
        self.environment.effects.append((READ_OFFSET, queue, offset))
        return offset

    def persist(self, queue: MessageQueue) -> None:
        self.environment.effects.append((PERSIST, queue))

    def persist_all(self, queues: Sequence[MessageQueue]) -> None:
        return

    def remove_offset(self, queue: MessageQueue) -> None:
        self.environment.effects.append((REMOVE_OFFSET, queue))
        self.offset_table.pop(queue, None)
