"""Renewal and release of all queue locks that an ordered consumer holds at brokers.

Mirror of ``lockAll`` and ``unlockAll``.
"""

from abc import abstractmethod
from collections.abc import Collection, Iterable

from rebalance_proofs.model.client.effects import LOCK, LOCK_BATCH, PROCESS_QUEUE_LOCKED, UNLOCK_BATCH
from rebalance_proofs.model.client.environment import BENIGN, DENIED, EXC, NO_BROKER, OK, UNLOCK_EXC, Answers
from rebalance_proofs.model.client.process_queue import ProcessQueue
from rebalance_proofs.model.client.process_queue_table import ProcessQueueTable
from rebalance_proofs.model.queues import MessageQueue


class BrokerLocks(ProcessQueueTable):
    """Methods that renew or release the locks of all of a client's queues at once."""

    groups_by_destination = False
    """True if a static topic's queues are grouped by the broker that they are on, not by their logical broker."""

    @abstractmethod
    def renewed(self, entry: ProcessQueue) -> bool:
        """Return whether ``lockAll`` and ``unlockAll`` include the process queue in their requests."""

    def destination(self, queue: MessageQueue) -> str | None:
        """Return the broker that receives lock requests for the queue."""
        return queue.broker_name

    def answered(self, queues: Collection[MessageQueue], granted: Collection[MessageQueue]) -> Iterable[MessageQueue]:
        """Return the queues of a request in the order in which ``lockAll`` records the response."""
        return self.iterate("set", queues)

    def lock_all(self) -> None:
        """Request the locks of all queues from each broker.

        Record the responses in the process queues. Mirror of ``lockAll``.
        """
        for queues in self._by_broker():
            said = [self._answer(queue).lock for queue in queues]
            if EXC in said:
                self._record_batch(LOCK, LOCK_BATCH, queues, EXC)
                continue
            granted = [queue for queue, word in zip(queues, said, strict=True) if word in (OK, UNLOCK_EXC)]
            self._record_batch(LOCK, LOCK_BATCH, queues, granted)
            for queue in self.answered(queues, granted):
                entry = self.process_queue_table[queue]
                self.believe(entry, granted=queue in granted)
                self.environment.record(PROCESS_QUEUE_LOCKED, queue, int(entry.locked))

    def believe(self, entry: ProcessQueue, *, granted: bool) -> None:
        """Record the broker's response about one lock in the process queue ``entry``."""
        entry.locked = granted
        if granted:
            entry.last_lock_timestamp = self.environment.now

    def unlock_all(self) -> None:
        """Release all locks at shutdown (``unlockAll``)."""
        for queues in self._by_broker():
            fails = any(self._answer(queue).lock == UNLOCK_EXC for queue in queues)
            if len(queues) == 1:
                self.environment.unlock(queues[0])
            else:
                self.environment.record(UNLOCK_BATCH, None, tuple(queues), *([EXC] if fails else []))
            if fails:
                continue
            for queue in self.iterate("set", queues):
                self.process_queue_table[queue].locked = False
                self.environment.record(PROCESS_QUEUE_LOCKED, queue, 0)

    def _by_broker(self) -> list[list[MessageQueue]]:
        """Return the table's queues, one list per broker whose address is known.

        Mirror of ``buildProcessQueueTableByBrokerName``.
        """
        found: dict[str | None, list[MessageQueue]] = {}
        for queue in self.iterate("table", self.process_queue_table):
            if self.renewed(self.process_queue_table[queue]) and self._answer(queue).lock != NO_BROKER:
                broker_name = self.destination(queue)
                queues = found.get(broker_name)
                if queues is None:
                    # Up to 5.4.0, the table is written under one broker name and looked up under another, where the
                    # two differ: rocketmq#10183.
                    queues = found[broker_name if self.groups_by_destination else queue.broker_name] = []
                queues.append(queue)
        return [found[name] for name in self.iterate("brokers", found) if self.environment.has_address(name)]

    def _answer(self, queue: MessageQueue) -> Answers:
        return self.environment.answers.get(queue, BENIGN)

    def _record_batch(self, one: str, several: str, queues: list[MessageQueue], said: str | list[MessageQueue]) -> None:
        if len(queues) == 1:
            word = said if said == EXC else OK if said else DENIED
            self.environment.record(one, queues[0], word)
        else:
            self.environment.record(several, None, tuple(queues), said if said == EXC else tuple(said))
