"""Python code of the client's lock that allows one listener call per queue."""

from rebalance_proofs.model.queues import MessageQueue


class LockObject:
    """Lock of one queue in the client, held during the listener's call."""

    def __init__(self) -> None:
        self.calls = 0
        """Number of running listener calls; more than one only if a call did not take the lock."""


class MessageQueueLock:
    """Lock objects of a client's queues: one permanent object per queue.

    RocketMQ ``client.impl.consumer.MessageQueueLock`` (Go ``QueueLock``).
    """

    def __init__(self) -> None:
        self._table: dict[MessageQueue, LockObject] = {}

    def fetch_lock_object(self, queue: MessageQueue) -> LockObject:
        """Return the queue's lock object, whichever process queue the queue has."""
        return self._table.setdefault(queue, LockObject())
