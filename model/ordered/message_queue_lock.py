"""What keeps a client from calling the listener twice at a time for one queue, as code."""

from rebalance_proofs.model.queues import MessageQueue

__all__ = ["LockObject", "MessageQueueLock"]


class LockObject:
    """Held while the listener is called."""

    def __init__(self) -> None:
        self.calls = 0
        """Of the listener, under way; more than one only where the object was not asked."""


class MessageQueueLock:
    """RocketMQ ``client.impl.consumer.MessageQueueLock`` (Go ``QueueLock``): one object a queue, for good."""

    def __init__(self) -> None:
        self._table: dict[MessageQueue, LockObject] = {}

    def fetch_lock_object(self, queue: MessageQueue) -> LockObject:
        """The queue's, whichever entry it has in the client's table."""
        return self._table.setdefault(queue, LockObject())
