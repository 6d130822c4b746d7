"""A rebalance of which the broker computes the result: from 5.0 on, for a consumer that is set up so.

It hands out queues to be pulled; queues to be popped are not modelled.
"""

from collections.abc import Collection, Mapping

from model.client.effects import QUERY_ASSIGNMENT
from model.client.errors import MQClientException, RuntimeException
from model.client.pull_from_where import RETRY_GROUP_TOPIC_PREFIX, is_retry
from model.client.rebalance import RebalanceImpl
from model.client.settings import PUSH
from model.queues import MessageQueue

QUERY_ASSIGNMENT_TIMEOUT = 3_000
FIRST_TIMEOUT = 1_000


class BrokerRebalance(RebalanceImpl):
    """Asks the broker for its queues, where its user wants that."""

    assignments: Mapping[str, Collection[MessageQueue] | None] = {}
    """Topic -> the queues that the broker assigns; None for an answer without a list, no entry when it answers none."""
    tries_first = False
    """Asks once more than needed, to find out whether the broker can; if not, it never asks again for the topic."""

    def client_rebalance(self, topic: str) -> bool:
        """``clientRebalance``: only a concurrent push consumer that is clustered leaves it to the broker."""
        settings = self.settings
        return settings.client_rebalance or settings.kind is not PUSH or settings.orderly or settings.broadcasting

    def rebalance_one(self, topic: str, is_order: bool) -> bool | None:
        if self.client_rebalance(topic) or (self.tries_first and not self.try_query_assignment(topic)):
            return self.rebalance_by_topic(topic, is_order)
        return self.get_rebalance_result_from_broker(topic, is_order)

    def try_query_assignment(self, topic: str) -> bool:
        """``tryQueryAssignment``."""
        if topic not in self._broker_can:
            self.environment.record(QUERY_ASSIGNMENT, None, topic, FIRST_TIMEOUT)
            self._broker_can = {**self._broker_can, topic: topic in self.assignments}
        return self._broker_can[topic]

    _broker_can: Mapping[str, bool] = {}
    """``topicBrokerRebalance`` and ``topicClientRebalance``."""

    def get_rebalance_result_from_broker(self, topic: str, is_order: bool) -> bool:
        """``getRebalanceResultFromBroker``: whether the client now has what it should."""
        self.environment.record(QUERY_ASSIGNMENT, None, topic, QUERY_ASSIGNMENT_TIMEOUT)
        assigned = self.assignments.get(topic)
        if assigned is None:
            return False
        mine = dict.fromkeys(assigned)
        if self.update_message_queue_assignment(topic, mine, is_order):
            self.message_queue_changed(topic, None, mine)
        return self.balanced(topic, mine)

    def update_message_queue_assignment(self, topic: str, mine: Collection[MessageQueue], is_order: bool) -> bool:
        """``updateMessageQueueAssignment``: whether the table has changed."""
        retry_topic = f"{RETRY_GROUP_TOPIC_PREFIX}{self.settings.consumer_group}_{topic}"
        if mine and not is_retry(topic) and retry_topic not in self.subscription_inner:
            self.subscription_inner = (*self.subscription_inner, retry_topic)
        return self.update_process_queue_table_in_rebalance(
            topic, mine, is_order, (MQClientException, RuntimeException)
        )
