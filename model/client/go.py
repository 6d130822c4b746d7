"""The rebalance of the Go client's ordered consumer.

Read from the source of rocketmq-client-go 2.1, ``consumer.go``.
"""

from rebalance_proofs.model.client.java_v4_9 import JavaV4_9
from rebalance_proofs.model.client.process_queue_table import ProcessQueue
from rebalance_proofs.model.queues import MessageQueue


class Go(JavaV4_9):
    """The Go client: it does not unlock a removed queue.

    A denied renewal also updates the lock's time.
    """

    new_entry_locked = False

    def remove_pushed_message_queue(self, queue: MessageQueue, entry: ProcessQueue) -> bool:
        """Persist the offset and forget it, without an unlock (``removeUnnecessaryMessageQueue``)."""
        self.environment.persist(queue)
        self.environment.remove_offset(queue)
        return True

    def believe(self, entry: ProcessQueue, *, granted: bool) -> None:
        """Record the response about one lock in ``lockAll``, with its time even if it was denied."""
        super().believe(entry, granted=granted)
        entry.last_lock_timestamp = self.environment.now
