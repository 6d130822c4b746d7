"""The process queue table's update in Java client 4.9.8, and the common parts of 4.9.x.

It handles one queue after another.
"""

from collections.abc import Collection, Iterable

from rebalance_proofs.model.client.effects import (
    IN,
    OUT,
    RELEASE_CONSUME_LOCK,
    TRY_CONSUME_LOCK,
    TRY_UNLOCK_TIMES,
    MQClientException,
    RuntimeException,
)
from rebalance_proofs.model.client.process_queue_table import HELD, INTERRUPTED, ProcessQueue
from rebalance_proofs.model.client.pull_from_where import ConsumeFromWhere, push_v4_9
from rebalance_proofs.model.client.rebalance import RebalanceImpl
from rebalance_proofs.model.client.settings import LITE_PULL, PUSH
from rebalance_proofs.model.queues import MessageQueue

UNLOCK_DELAY_TIME_MILLS = 20_000
TRY_LOCK_MS = 1_000


class UnlocksLater(RebalanceImpl):
    """Removal of an ordered queue in Java 4.9 and 5.0: the offset is removed before the unlock.

    The unlock is delayed if messages are cached.
    """

    unlock_delay_time_mills = UNLOCK_DELAY_TIME_MILLS

    def remove_pushed_message_queue(self, queue: MessageQueue, entry: ProcessQueue) -> bool:
        environment = self.environment
        environment.persist(queue)
        environment.remove_offset(queue)
        if self._clustered_order:
            if entry.consume_lock == INTERRUPTED:
                environment.record(TRY_CONSUME_LOCK, queue, TRY_LOCK_MS, "INT")
                return False
            if entry.consume_lock == HELD:
                environment.record(TRY_CONSUME_LOCK, queue, TRY_LOCK_MS, 0)
                entry.try_unlock_times += 1
                environment.record(TRY_UNLOCK_TIMES, queue)
                return False
            environment.record(TRY_CONSUME_LOCK, queue, TRY_LOCK_MS, 1)
            if entry.has_temp_message():
                environment.unlock_later(queue, self.unlock_delay_time_mills)
            else:
                environment.unlock(queue)
            environment.record(RELEASE_CONSUME_LOCK, queue)
        return True


class JavaV4_9(UnlocksLater):
    """The Java client 4.9.8."""

    broker_exception_is_not_found = True
    expected: tuple[type[Exception], ...] = (MQClientException, RuntimeException)
    """Exceptions of a new queue's offset query that skip only that queue."""
    new_entry_locked = True
    """True if a new process queue is marked as locked immediately."""

    def update_process_queue_table_in_rebalance(
        self, topic: str, mq_set: Collection[MessageQueue], is_order: bool
    ) -> bool:
        """Update the table for one topic, and return whether it has changed.

        First remove process queues whose queue is not in ``mq_set`` or whose pull has expired. Then add new
        ones.
        """
        changed = False
        table, environment = self.process_queue_table, self.environment
        for queue in list(self.iterate("table", table)):
            entry = table[queue]
            if queue.topic != topic:
                continue
            if queue not in mq_set or (self.settings.kind.passive and entry.is_pull_expired(environment.now)):
                self.drop(queue, entry)
                if self.remove_unnecessary_message_queue(queue, entry):
                    del table[queue]
                    environment.effects.append((OUT, queue))
                    changed = True

        requests = []
        for queue in self.iterate("set", mq_set):
            if queue in table:
                continue
            if is_order and not environment.lock(queue):
                continue
            environment.remove_offset(queue)
            now = environment.now
            entry = ProcessQueue(locked=self.new_entry_locked, last_pull_timestamp=now, last_lock_timestamp=now)
            try:
                next_offset = self.compute_pull_from_where_with_exception(queue)
            except self.expected:
                continue
            if next_offset >= 0:
                table[queue] = entry
                environment.effects.append((IN, queue))
                requests.append((queue, next_offset))
                changed = True
        self.dispatch_pull_request(requests, 0)
        return changed

    def compute_pull_from_where_with_exception(self, queue: MessageQueue) -> int:
        if self.settings.kind is PUSH:
            return push_v4_9(self.environment, queue, self.settings.consume_from_where)
        return super().compute_pull_from_where_with_exception(queue)

    def renewed(self, entry: ProcessQueue) -> bool:
        return True

    def answered(self, queues: Collection[MessageQueue], granted: Collection[MessageQueue]) -> Iterable[MessageQueue]:
        """Return the queues of a lock request, the granted ones first."""
        yield from self.iterate("granted", granted)
        yield from (queue for queue in self.iterate("set", queues) if queue not in granted)

    balanced_at_first = None
    on_failure = None

    def balanced(self, topic: str, mine: Collection[MessageQueue]) -> None:
        """Return None: the rebalance of 4.9 does not report whether its queues are complete."""


# Java client 4.9.5 to 4.9.7.
# A broadcasting consumer does not persist the offset of a single queue.


class JavaV4_9_5(JavaV4_9):
    """The Java client 4.9.5 to 4.9.7."""

    local_file_persists = False


# Java client 4.9.1 to 4.9.4: a new process queue is not marked as locked (rocketmq#2621).
# Its lock was granted, but the client does not record that in the new process queue.


class JavaV4_9_1(JavaV4_9_5):
    """Java client 4.9.1 to 4.9.4.

    The listener of an ordered queue waits until ``lockAll`` has renewed the lock.
    """

    new_entry_locked = False


# Java client 4.9.0.
# An unexpected exception of an offset store ends the rebalance while queues are added.


class JavaV4_9_0(JavaV4_9_1):
    """The Java client 4.9.0."""

    expected = (MQClientException,)

    def compute_pull_from_where_with_exception(self, queue: MessageQueue) -> int:
        """Return the offset of the first pull; a lite pull consumer returns -1 if ``maxOffset`` fails for LAST."""
        settings = self.settings
        try:
            return super().compute_pull_from_where_with_exception(queue)
        except MQClientException:
            if settings.kind is LITE_PULL and settings.consume_from_where is ConsumeFromWhere.LAST_OFFSET:
                return -1
            raise
