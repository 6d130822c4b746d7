"""The process queue table's update in Java clients from 5.2 on.

An ordered queue keeps its offset until its lock is released.
"""

from rebalance_proofs.model.client.effects import (
    FIND_CONSUMER_IDS,
    PROCESS_QUEUE_LOCKED,
    RELEASE_CONSUME_LOCK,
    TRY_CONSUME_LOCK,
    TRY_UNLOCK_TIMES,
    RuntimeException,
)
from rebalance_proofs.model.client.java_v5_0 import MarksFirst
from rebalance_proofs.model.client.process_queue_table import HELD, INTERRUPTED, ProcessQueue
from rebalance_proofs.model.client.pull_from_where import is_retry
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


# The process queue table's update in Java clients from 5.3.2 on.
# A broadcasting consumer takes no locks of its group.


class JavaV5_3_2(JavaV5_2):
    """The Java client from 5.3.2 on."""

    tries_first = False

    def broadcast_order(self, is_order: bool) -> bool:
        """Return False: a broadcasting consumer requests no lock, even with an ordered listener."""
        return False


# A rebalance in Java clients from 5.5.0 on.
# A topic without a readable queue, or a group without members, ends the topic's rebalance before the strategy is
# called.


class JavaV5_5(JavaV5_3_2):
    """The Java client 5.5.0."""

    groups_by_destination = True

    def rebalance_by_topic(self, topic: str, is_order: bool) -> bool | None:
        """Rebalance one topic; see ``RebalanceImpl.rebalance_by_topic``.

        Without a queue, the client asks no broker for the members (rocketmq#9780). Up to 5.4.0 the strategies throw for
        an empty list, so the rebalance fails and the client repeats it after a second.
        """
        if self.settings.broadcasting:
            return super().rebalance_by_topic(topic, is_order)
        mq_set = self.topic_subscribe_info_table.get(topic)
        if not mq_set:
            if not is_retry(topic):
                self.without_route(topic)
            return self.balanced_at_first
        self.environment.record(FIND_CONSUMER_IDS, None, topic)
        cid_all = self.consumer_ids.get(topic)
        if not cid_all:
            return self.balanced_at_first
        return self.divide(topic, mq_set, cid_all, is_order)
