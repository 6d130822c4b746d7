"""The client's lock that keeps it from calling the listener twice at a time for one queue, as code."""

from rebalance_proofs.model.queues import MessageQueue

__all__ = ["LockObject", "MessageQueueLock"]


class LockObject:
    """Lock of one queue, held while the listener is called."""

    def __init__(self) -> None:
        self.calls = 0
        """Number of the listener's calls under way; more than one only if a call did not ask for the lock."""


class MessageQueueLock:
    """RocketMQ ``client.impl.consumer.MessageQueueLock`` (Go ``QueueLock``): one object for each queue, for good."""

    def __init__(self) -> None:
        self._table: dict[MessageQueue, LockObject] = {}

    def fetch_lock_object(self, queue: MessageQueue) -> LockObject:
        """The queue's object, whichever entry the queue has in the client's table."""
        return self._table.setdefault(queue, LockObject())
