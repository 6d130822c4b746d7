"""The process queue table's update in Java clients from 5.2 on.

An ordered queue keeps its offset until its lock is released.
"""

from rebalance_proofs.model.client.effects import (
    PROCESS_QUEUE_LOCKED,
    RELEASE_CONSUME_LOCK,
    TRY_CONSUME_LOCK,
    TRY_UNLOCK_TIMES,
)
from rebalance_proofs.model.client.errors import RuntimeException
from rebalance_proofs.model.client.java_v5_0 import MarksFirst
from rebalance_proofs.model.client.process_queue import HELD, INTERRUPTED, ProcessQueue
from rebalance_proofs.model.queues import MessageQueue

UNLOCK_DELAY_TIME_MILLS = 20_000
TRY_LOCK_MS = 500


class JavaV5_2(MarksFirst):
    """The Java client 5.2.0 to 5.3.1."""

    tries_first = True
    unlock_delay_time_mills = UNLOCK_DELAY_TIME_MILLS

    def remove_pushed_message_queue(self, queue: MessageQueue, entry: ProcessQueue) -> bool:
        self.environment.persist(queue)
        if self._clustered_order:
            return self.try_remove_order_message_queue(queue, entry)
        self.environment.remove_offset(queue)
        return True

    def try_remove_order_message_queue(self, queue: MessageQueue, entry: ProcessQueue) -> bool:
        """Return whether an ordered queue's process queue can be removed.

        It can be removed if no listener runs, or if its lock was not renewed for too long. Mirror of
        ``tryRemoveOrderMessageQueue``.
        """
        environment = self.environment
        force = entry.dropped and environment.now - entry.last_lock_timestamp > self.unlock_delay_time_mills
        if not force and entry.consume_lock == INTERRUPTED:
            environment.record(TRY_CONSUME_LOCK, queue, TRY_LOCK_MS, "INT")
            self._count(queue, entry)
            return False
        if not force and entry.consume_lock == HELD:
            environment.record(TRY_CONSUME_LOCK, queue, TRY_LOCK_MS, 0)
            self._count(queue, entry)
            return False
        if not force:
            environment.record(TRY_CONSUME_LOCK, queue, TRY_LOCK_MS, 1)
        try:
            try:
                environment.persist(queue)
                environment.remove_offset(queue)
                entry.locked = False
                environment.record(PROCESS_QUEUE_LOCKED, queue, 0)
                environment.unlock(queue)
                return True
            finally:
                if not force:
                    environment.record(RELEASE_CONSUME_LOCK, queue)
        except RuntimeException:
            self._count(queue, entry)
            return False

    def _count(self, queue: MessageQueue, entry: ProcessQueue) -> None:
        entry.try_unlock_times += 1
        self.environment.record(TRY_UNLOCK_TIMES, queue)

    def conclude(self, before: bool | None, topic: bool | None) -> bool | None:
        """Return whether all topics so far are balanced, given the result for one more ``topic``."""
        return bool(before and topic)

    pushes_to_listener = True
