"""The process queue table's update in Java client 5.1.0 to 5.1.4.

All process queues to be removed are marked dropped before the first one is removed.
"""

from collections.abc import Collection, Iterable

from rebalance_proofs.model.client.broker_rebalance import BrokerRebalance
from rebalance_proofs.model.client.effects import IN, OUT, MQClientException
from rebalance_proofs.model.client.java_v4_9 import UnlocksLater
from rebalance_proofs.model.client.process_queue_table import ProcessQueue
from rebalance_proofs.model.queues import MessageQueue

REBALANCE_DELAY = 500
PULL_DELAY = 500


class MarksFirst(BrokerRebalance):
    """A table update that first marks all obsolete process queues as dropped.

    Then it removes them, and then it adds new ones. An unexpected exception of an offset store ends it.
    """

    def update_process_queue_table_in_rebalance(
        self, topic: str, mq_set: Collection[MessageQueue], is_order: bool
    ) -> bool:
        """Update the table for one topic, and return whether it has changed.

        First mark and remove process queues whose queue is not in ``mq_set`` or whose pull has expired. Then
        add new ones.
        """
        changed = self.remove_message_queues(topic, mq_set)
        return self.add_message_queues(mq_set, is_order, MQClientException) or changed

    def remove_message_queues(self, topic: str, mq_set: Collection[MessageQueue]) -> bool:
        changed = False
        table, environment = self.process_queue_table, self.environment
        removed = {}
        for queue in self.iterate("table", table):
            entry = table[queue]
            if queue.topic != topic:
                continue
            if queue not in mq_set or (self.settings.kind.passive and entry.is_pull_expired(environment.now)):
                self.drop(queue, entry)
                removed[queue] = entry

        for queue in self.iterate("removed", removed):
            if self.remove_unnecessary_message_queue(queue, removed[queue]):
                del table[queue]
                environment.effects.append((OUT, queue))
                changed = True
        return changed

    def add_message_queues(
        self,
        mq_set: Collection[MessageQueue],
        is_order: bool,
        expected: type[Exception] | tuple[type[Exception], ...],
    ) -> bool:
        changed = False
        table, environment = self.process_queue_table, self.environment
        requests = []
        all_locked = True
        for queue in self.iterate("set", mq_set):
            if queue in table:
                continue
            if is_order and not environment.lock(queue):
                all_locked = False
                continue
            environment.remove_offset(queue)
            entry = ProcessQueue(locked=True, last_pull_timestamp=environment.now, last_lock_timestamp=environment.now)
            try:
                next_offset = self.compute_pull_from_where_with_exception(queue)
            except expected:
                continue
            if next_offset >= 0:
                table[queue] = entry
                environment.effects.append((IN, queue))
                requests.append((queue, next_offset))
                changed = True
        if not all_locked:
            environment.rebalance_later(REBALANCE_DELAY)
        self.dispatch_pull_request(requests, PULL_DELAY)
        return changed

    def renewed(self, entry: ProcessQueue) -> bool:
        return not entry.dropped

    def destination(self, queue: MessageQueue) -> str | None:
        return self.environment.broker_name(queue)

    def without_route(self, topic: str) -> None:
        self.message_queue_changed(topic, (), ())


class JavaV5_0(MarksFirst, UnlocksLater):
    """The Java client 5.1.0 to 5.1.4."""

    local_file_persists = False
    tries_first = True
    new_is_overdue = True


# The process queue table's update in Java client 5.0.0.
# It differs from 5.1 only in the order in which it records responses to ``lockAll``.


class JavaV5_0_0(JavaV5_0):
    """The Java client 5.0.0."""

    def answered(self, queues: Collection[MessageQueue], granted: Collection[MessageQueue]) -> Iterable[MessageQueue]:
        """Return the queues of a lock request, the granted ones first."""
        yield from self.iterate("granted", granted)
        yield from (queue for queue in self.iterate("set", queues) if queue not in granted)
