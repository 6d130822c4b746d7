"""A rebalance where a broker computes the client's queues.

It exists in Java from 5.0 on, for consumers configured to use it.
"""

from abc import abstractmethod
from collections.abc import Collection

from rebalance_proofs.model.client.assignment import Assignment
from rebalance_proofs.model.client.errors import (
    MQBrokerException,
    MQClientException,
    RemotingTimeoutException,
    RuntimeException,
)
from rebalance_proofs.model.client.pop_process_queues import PopProcessQueues
from rebalance_proofs.model.client.pull_from_where import RETRY_GROUP_TOPIC_PREFIX, is_retry
from rebalance_proofs.model.client.query_assignment import QUERY_ASSIGNMENT_TIMEOUT, QueryAssignment
from rebalance_proofs.model.client.settings import PUSH
from rebalance_proofs.model.queues import MessageQueue


class BrokerRebalance(PopProcessQueues, QueryAssignment):
    """A rebalance that queries the broker for the client's queues, if configured."""

    def client_rebalance(self, topic: str) -> bool:
        """Return whether the client divides the queues itself (``clientRebalance``).

        Only a concurrent, clustering push consumer leaves this to the broker.
        """
        settings = self.settings
        return settings.client_rebalance or settings.kind is not PUSH or settings.orderly or settings.broadcasting

    def rebalance_one(self, topic: str, is_order: bool) -> bool | None:
        if self.client_rebalance(topic) or (self.tries_first and not self.try_query_assignment(topic)):
            return self.rebalance_by_topic(topic, is_order)
        return self.get_rebalance_result_from_broker(topic, is_order)

    def get_rebalance_result_from_broker(self, topic: str, is_order: bool) -> bool | None:
        """Apply the broker's assignment (``getRebalanceResultFromBroker``).

        Return whether the client's queues are now exactly the assigned ones; None if the client's method has no
        result.
        """
        try:
            assigned = self.query_assignment(topic, QUERY_ASSIGNMENT_TIMEOUT)
        except (MQBrokerException, RemotingTimeoutException):
            return False
        if assigned is None:
            return False
        mine = dict.fromkeys((*assigned.pull, *assigned.pop))
        if self.update_message_queue_assignment(topic, assigned, is_order):
            self.message_queue_changed(topic, None, mine)
        return self.balanced(topic, mine)

    def update_message_queue_assignment(self, topic: str, assigned: Assignment, is_order: bool) -> bool:
        """Apply the broker's assignment, and return whether a table has changed.

        The tables are those of queues in pull mode and in pop mode. Mirror of ``updateMessageQueueAssignment``.
        """
        pull, pop = dict.fromkeys(assigned.pull), dict.fromkeys(assigned.pop)
        if not is_retry(topic):
            self._switch_retry_topic(topic, pull, pop)
        changed = self.remove_message_queues(topic, pull)
        changed |= self.remove_popped(topic, pop)
        changed |= self.add_message_queues(pull, is_order, (MQClientException, RuntimeException))
        changed |= self.add_popped(pop)
        return changed

    def _switch_retry_topic(self, topic: str, pull: Collection[MessageQueue], pop: Collection[MessageQueue]) -> None:
        """Subscribe to the pop retry topic in pull mode, unsubscribe from it in pop mode.

        ``pull``, ``pop``: the queues assigned in each mode. Mirror of ``buildPopRetryTopic``. In pop mode, the
        broker handles the retry topic.
        """
        retry_topic = f"{RETRY_GROUP_TOPIC_PREFIX}{self.settings.consumer_group}_{topic}"
        if pull and not pop and retry_topic not in self.subscription_inner:
            self.subscription_inner = (*self.subscription_inner, retry_topic)
        elif pop and not pull:
            self.subscription_inner = tuple(each for each in self.subscription_inner if each != retry_topic)

    @abstractmethod
    def remove_message_queues(self, topic: str, mq_set: Collection[MessageQueue]) -> bool:
        """Remove process queues whose queue is not in ``mq_set`` or whose pull has expired.

        Return whether any was removed.
        """

    @abstractmethod
    def add_message_queues(
        self,
        mq_set: Collection[MessageQueue],
        is_order: bool,
        expected: type[Exception] | tuple[type[Exception], ...],
    ) -> bool:
        """Add process queues for new queues in ``mq_set``; return whether any was added.

        An ``expected`` exception from the offset query skips only the queue concerned.
        """

    def truncate_message_queue_not_my_topic(self) -> None:
        super().truncate_message_queue_not_my_topic()
        self.drop_popped(queue for queue in self.pop_process_queue_table if queue.topic not in self.subscription_inner)
