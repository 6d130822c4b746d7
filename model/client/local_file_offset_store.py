"""LocalFileOffsetStore: a broadcasting consumer's offsets in memory and in a local file."""

from collections.abc import Mapping

from rebalance_proofs.model.client.effects import PERSIST, READ_OFFSET, REMOVE_OFFSET, WRITE_OFFSET
from rebalance_proofs.model.client.environment import BENIGN, EXC, NOT_FOUND, STORE, Answers, ShippedEnvironment
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
