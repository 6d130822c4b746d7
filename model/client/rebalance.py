"""A complete rebalance, topic by topic, as all versions of the Java client share it."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from rebalance_proofs.model.client.broker_locks import BrokerLocks
from rebalance_proofs.model.client.effects import FIND_CONSUMER_IDS, OUT
from rebalance_proofs.model.client.environment import Environment
from rebalance_proofs.model.client.errors import RuntimeException
from rebalance_proofs.model.client.process_queue_table import Iterate, as_they_come
from rebalance_proofs.model.client.pull_from_where import is_retry
from rebalance_proofs.model.client.queue_changed import QueueChanged
from rebalance_proofs.model.client.settings import Settings
from rebalance_proofs.model.profiles.java_v5 import JAVA_V5
from rebalance_proofs.model.profiles.profile import Profile
from rebalance_proofs.model.queues import MessageQueue

Allocation = Callable[[Sequence[MessageQueue], Sequence[str]], Sequence[MessageQueue] | None]
"""``allocate(mq_all, cid_all)`` returns the queues of one client.

It may raise any exception.
"""


class RebalanceImpl(BrokerLocks, QueueChanged):
    """One client's rebalance and its process queue table.

    The arguments are those of ``ProcessQueueTable``.
    """

    profile: Profile = JAVA_V5
    """The client's sort orders; those of 4.9 are the same."""
    balanced_at_first: bool | None = True
    """The result of a rebalance without topics; None where the client's method has no result."""
    on_failure: bool | None = False
    """The result of ``rebalance_by_topic`` if the topic's queues could not be divided."""

    def __init__(
        self,
        environment: Environment,
        settings: Settings | None = None,
        *,
        iterate: Iterate = as_they_come,
    ) -> None:
        super().__init__(environment, settings, iterate=iterate)
        self.topic_subscribe_info_table: Mapping[str, Collection[MessageQueue]] = {}
        """The queues of each topic by the last route; a topic without a route is missing."""
        self.consumer_ids: Mapping[str, Sequence[str]] = {}
        """The group's client ids, as returned by a broker of each topic.

        A topic is missing if no broker responds.
        """
        self.allocate: Allocation = lambda mq_all, cid_all: mq_all

    def do_rebalance(self, is_order: bool) -> bool | None:
        """Rebalance every subscribed topic, then remove the queues of other topics.

        Mirror of ``doRebalance``.
        """
        balanced: bool | None = self.balanced_at_first
        for topic in self._topics():
            try:
                result = self.rebalance_one(topic, is_order)
            except RuntimeException:
                if is_retry(topic):
                    continue
                result = self.on_failure
            balanced = self.conclude(balanced, result)
        self.truncate_message_queue_not_my_topic()
        return balanced

    def _topics(self) -> Iterator[str]:
        """Yield the subscribed topics like an iterator of Java's ``subscriptionInner``.

        The iterator determines the next topic when it returns one. So the iteration includes topics that are
        added or removed meanwhile, except for the next one.
        """
        known: Sequence[str] = ()
        upcoming = next(iter(self.iterate("topics", self.subscription_inner)), None)
        while upcoming is not None:
            topic = upcoming
            known = tuple(dict.fromkeys((*known, *self.subscription_inner)))
            order = list(self.iterate("topics", known))
            behind = order[order.index(topic) + 1 :]
            upcoming = next((each for each in behind if each in self.subscription_inner), None)
            yield topic

    def conclude(self, before: bool | None, topic: bool | None) -> bool | None:
        """Return the result of ``doRebalance`` after one more topic.

        ``before``: the result so far. ``topic``: the result for that topic.
        """
        return topic

    def rebalance_one(self, topic: str, is_order: bool) -> bool | None:
        """Rebalance one topic as part of ``doRebalance``."""
        return self.rebalance_by_topic(topic, is_order)

    def rebalance_by_topic(self, topic: str, is_order: bool) -> bool | None:
        """Rebalance one topic, and return whether the client now has exactly its queues.

        Mirror of ``rebalanceByTopic``. Returns None where the client's method has no result. Raises
        ``RuntimeException`` where the client's method throws one.
        """
        mq_set = self.topic_subscribe_info_table.get(topic)
        if self.settings.broadcasting:
            if mq_set is None:
                self.without_route(topic)
                return self.balanced_at_first
            return self._take(topic, mq_set, mq_set, self.broadcast_order(is_order))
        self.environment.record(FIND_CONSUMER_IDS, None, topic)
        cid_all = self.consumer_ids.get(topic)
        if mq_set is None and not is_retry(topic):
            self.without_route(topic)
        if mq_set is None or cid_all is None:
            return self.balanced_at_first
        return self.divide(topic, mq_set, cid_all, is_order)

    def divide(
        self, topic: str, mq_set: Collection[MessageQueue], cid_all: Sequence[str], is_order: bool
    ) -> bool | None:
        """Call the strategy and take the client's share: the second half of ``rebalance_by_topic``."""
        cid_all = self.sort_ids(cid_all)
        mq_all = list(self.iterate("set", mq_set))
        try:
            result = self.allocate(self.profile.sort_queues(mq_all), cid_all)
        except Exception:  # the client catches Throwable here
            return self.on_failure
        return self._take(topic, mq_set, () if result is None else result, is_order)

    def _take(
        self, topic: str, mq_all: Collection[MessageQueue], mine: Collection[MessageQueue], is_order: bool
    ) -> bool | None:
        mine = dict.fromkeys(mine)
        changed = self.update_process_queue_table_in_rebalance(topic, mine, is_order)
        if changed:
            self.message_queue_changed(topic, mq_all, mine)
        return self.balanced(topic, mine)

    def sort_ids(self, cid_all: Sequence[str]) -> Sequence[str]:
        """Sort in place like ``Collections.sort``.

        Raises ``RuntimeException`` for a list that cannot be changed.
        """
        if isinstance(cid_all, tuple):
            raise RuntimeException("UnsupportedOperationException")
        return self.profile.sort_client_ids(cid_all)

    def broadcast_order(self, is_order: bool) -> bool:
        """Return whether a broadcasting consumer requests the broker's locks."""
        return is_order

    def without_route(self, topic: str) -> None:
        """React to a topic without a known route; 4.9 only logs it, so do nothing."""
        return

    def balanced(self, topic: str, mine: Collection[MessageQueue]) -> bool | None:
        """Return whether the topic's queues in the table are exactly those of ``mine``.

        Dropped process queues do not count.
        """
        return self.working_message_queues(topic) == set(mine)

    def truncate_message_queue_not_my_topic(self) -> None:
        """Drop and remove the process queues of unsubscribed topics.

        There are no further effects. Mirror of ``truncateMessageQueueNotMyTopic``.
        """
        for queue in list(self.iterate("table", self.process_queue_table)):
            if queue.topic not in self.subscription_inner:
                entry = self.process_queue_table.pop(queue)
                self.environment.record(OUT, queue)
                self.drop(queue, entry)
