"""Stores of a consumer's offsets: LocalFileOffsetStore for broadcasting, RemoteBrokerOffsetStore for clustering."""

from collections.abc import Mapping

from rebalance_proofs.model.client.effects import (
    PERSIST,
    QUERY_OFFSET,
    READ_OFFSET,
    REMOVE_OFFSET,
    UPDATE_OFFSET,
    WRITE_OFFSET,
)
from rebalance_proofs.model.client.environment import BENIGN, EXC, MEMORY, NOT_FOUND, STORE, Answers, ShippedEnvironment
from rebalance_proofs.model.queues import MessageQueue


class LocalFileOffsetStore(ShippedEnvironment):
    """An environment with the client's default offset store for broadcasting.

    ``Answers.stored`` is the queue's offset in the file. It is a negative number or a text if the file has no
    offset or cannot be read. ``Answers.persist`` scripts a failed write.
    """

    def __init__(self, answers: Mapping[MessageQueue, Answers], now: int = 0, *, persists: bool) -> None:
        """Create the store.

        ``persists`` is False for versions whose ``persist`` and ``removeOffset`` do nothing. In those versions, the two
        methods record no effect.
        """
        super().__init__(answers, now)
        self._persists = persists

    def persist(self, queue: MessageQueue) -> None:
        """Write the queue's offset to the file if the memory has one; a failure is only logged.

        Mirror of ``persist``.
        """
        if not self._persists:
            return
        self.effects.append((PERSIST, queue))
        offset = self.offset_table.get(queue)
        if offset is not None:
            failed = self.persist_fails(queue)
            self.effects.append((WRITE_OFFSET, queue, offset, EXC) if failed else (WRITE_OFFSET, queue, offset))

    def remove_offset(self, queue: MessageQueue) -> None:
        """Remove the queue's offset from memory; the file keeps it (``removeOffset``)."""
        if self._persists:
            self.effects.append((REMOVE_OFFSET, queue))
            self.offset_table.pop(queue, None)

    def read_offset(self, queue: MessageQueue, where: str) -> int:
        """Return an offset or ``NOT_FOUND``; an offset from the file is also stored in memory.

        Mirror of ``readOffset``.
        """
        offset = None if where == STORE else self.offset_table.get(queue)
        if offset is None:
            offset = self._from_file(queue)
        self.effects.append((READ_OFFSET, queue, where, offset))
        return offset

    def _from_file(self, queue: MessageQueue) -> int:
        stored = self.answers.get(queue, BENIGN).stored
        if isinstance(stored, str) or stored < 0:
            return NOT_FOUND
        self.offset_table[queue] = stored
        return stored


# RemoteBrokerOffsetStore: a clustering consumer's offsets in memory and on the broker.


OFFSET_NOT_FOUND, BROKER_EXCEPTION = "notfound", "brokerexc"
"""Responses of the broker to a query that are not an offset."""

FAILED = -2
"""The result of ``readOffset`` after a failed query."""


class RemoteBrokerOffsetStore(ShippedEnvironment):
    """An environment with the client's default offset store for clustering.

    The store queries a broker with given responses. ``Answers.stored`` is the broker's response to a query: an
    offset, ``OFFSET_NOT_FOUND``, ``BROKER_EXCEPTION``, or any other text for a failed call. ``Answers.persist``
    scripts a failed update.
    """

    def __init__(
        self, answers: Mapping[MessageQueue, Answers], now: int = 0, *, broker_exception_is_not_found: bool
    ) -> None:
        super().__init__(answers, now)
        self.not_found = (OFFSET_NOT_FOUND, BROKER_EXCEPTION) if broker_exception_is_not_found else (OFFSET_NOT_FOUND,)

    def persist(self, queue: MessageQueue) -> None:
        """Send the queue's offset to the broker if the memory has one; a failure is only logged.

        Mirror of ``persist``.
        """
        self.effects.append((PERSIST, queue))
        offset = self.offset_table.get(queue)
        if offset is not None:
            failed = self.persist_fails(queue)
            self.effects.append((UPDATE_OFFSET, queue, offset, EXC) if failed else (UPDATE_OFFSET, queue, offset))

    def remove_offset(self, queue: MessageQueue) -> None:
        """Remove the queue's offset from memory; the broker keeps its offset (``removeOffset``)."""
        self.effects.append((REMOVE_OFFSET, queue))
        self.offset_table.pop(queue, None)

    def read_offset(self, queue: MessageQueue, where: str) -> int:
        """Return an offset, ``NOT_FOUND`` or ``FAILED`` (``readOffset``).

        An offset from the broker is stored in memory.
        """
        offset = None if where == STORE else self.offset_table.get(queue)
        if offset is None:
            offset = NOT_FOUND if where == MEMORY else self._fetch_consume_offset_from_broker(queue)
        self.effects.append((READ_OFFSET, queue, where, offset))
        return offset

    def _fetch_consume_offset_from_broker(self, queue: MessageQueue) -> int:
        answer = self.answers.get(queue, BENIGN).stored
        self.effects.append((QUERY_OFFSET, queue, answer))
        said = self.understood(answer)
        if isinstance(said, int):
            self.offset_table[queue] = said
            return said
        return NOT_FOUND if said in self.not_found else FAILED

    def understood(self, answer: int | str) -> int | str:
        """Return the broker's response as the client's version understands it.

        The result is an offset, or one of the texts ``OFFSET_NOT_FOUND`` and ``BROKER_EXCEPTION``, or another
        text.
        """
        return answer
