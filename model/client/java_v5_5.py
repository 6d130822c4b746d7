"""A rebalance in Java clients from 5.5.0 on.

A topic without a readable queue, or a group without members, ends the topic's rebalance before the strategy is called.
"""

from rebalance_proofs.model.client.effects import FIND_CONSUMER_IDS
from rebalance_proofs.model.client.java_v5_3_2 import JavaV5_3_2
from rebalance_proofs.model.client.pull_from_where import is_retry


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
