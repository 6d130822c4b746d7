"""A Java client's table of queues in pop mode.

It exists from 5.0 on, where a broker assigns such queues.
"""

from collections.abc import Collection, Iterable

from rebalance_proofs.model.client.effects import POP_REQUEST
from rebalance_proofs.model.client.environment import Environment
from rebalance_proofs.model.client.pop_process_queue import PopProcessQueue
from rebalance_proofs.model.client.process_queue_table import Iterate, ProcessQueueTable, as_they_come
from rebalance_proofs.model.client.settings import Settings
from rebalance_proofs.model.queues import MessageQueue

POP_DELAY = 500


class PopProcessQueues(ProcessQueueTable):
    """``popProcessQueueTable``: removing a queue neither sends an offset nor releases a lock."""

    new_is_overdue = False
    """True if a new entry counts as expired until its first pop.

    The reason is that its ``lastPopTimestamp`` is 0. This holds up to 5.1.4. A rebalance before the first pop removes
    the entry and adds another one, with another request (rocketmq#7570).
    """

    def __init__(
        self,
        environment: Environment,
        settings: Settings | None = None,
        *,
        iterate: Iterate = as_they_come,
    ) -> None:
        super().__init__(environment, settings, iterate=iterate)
        self.pop_process_queue_table: dict[MessageQueue, PopProcessQueue] = {}

    def remove_popped(self, topic: str, mq_set: Collection[MessageQueue]) -> bool:
        """Remove the topic's queues that are no longer assigned or whose last pop is too long ago.

        Return whether any was removed.
        """
        table, now = self.pop_process_queue_table, self.environment.now
        removed = [
            queue
            for queue, entry in table.items()
            if queue.topic == topic
            and (queue not in mq_set or (self.settings.kind.passive and entry.is_pull_expired(now)))
        ]
        for queue in removed:
            table.pop(queue).dropped = True
        return bool(removed)

    def add_popped(self, mq_set: Collection[MessageQueue]) -> bool:
        """Add queues to the table and dispatch their first pop requests, without an offset query.

        Return whether any was added. Mirror of ``dispatchPopPullRequest``.
        """
        requests = []
        for queue in self.iterate("set", mq_set):
            if queue not in self.pop_process_queue_table:
                popped = 0 if self.new_is_overdue else self.environment.now
                self.pop_process_queue_table[queue] = PopProcessQueue(last_pop_timestamp=popped)
                requests.append(queue)
        for queue in requests:
            self.environment.record(POP_REQUEST, queue, POP_DELAY)
        return bool(requests)

    def drop_popped(self, queues: Iterable[MessageQueue]) -> None:
        """Remove these queues from the table, without further effects."""
        for queue in list(queues):
            self.pop_process_queue_table.pop(queue).dropped = True

    def destroy(self) -> None:
        super().destroy()
        self.drop_popped(self.pop_process_queue_table)

    def working_message_queues(self, topic: str) -> set[MessageQueue]:
        popped = {
            queue for queue, entry in self.pop_process_queue_table.items() if queue.topic == topic and not entry.dropped
        }
        return super().working_message_queues(topic) | popped
