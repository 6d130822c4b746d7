"""A rebalance where a broker computes the client's queues.

It exists in Java from 5.0 on, for consumers configured to use it.
"""

from abc import abstractmethod
from collections.abc import Collection, Iterable, Mapping
from typing import Final, Literal, NamedTuple

from rebalance_proofs.model.client.effects import (
    POP_REQUEST,
    QUERY_ASSIGNMENT,
    MQBrokerException,
    MQClientException,
    RemotingTimeoutException,
    RuntimeException,
)
from rebalance_proofs.model.client.environment import Environment
from rebalance_proofs.model.client.process_queue_table import (
    PULL_MAX_IDLE_TIME,
    Iterate,
    ProcessQueueTable,
    as_they_come,
)
from rebalance_proofs.model.client.pull_from_where import RETRY_GROUP_TOPIC_PREFIX, is_retry
from rebalance_proofs.model.client.rebalance import RebalanceImpl
from rebalance_proofs.model.client.settings import PUSH, Settings
from rebalance_proofs.model.queues import MessageQueue

# A broker's response to a client's query for its queues (``queryAssignment``).

BROKER_EXCEPTION: Final = "brokerexc"
TIMEOUT: Final = "timeout"
"""Responses without an assignment.

The broker refuses (``BROKER_EXCEPTION``), or it does not respond in time (``TIMEOUT``).
"""


class Assignment(NamedTuple):
    """One client's queues of one topic, separated by consumption mode.

    See ``MessageQueueAssignment``.
    """

    pull: Collection[MessageQueue] = ()
    pop: Collection[MessageQueue] = ()
    """Queues that the client consumes in pop mode.

    The broker distributes their messages, so several clients can have the same queue.
    """


Answer = Assignment | Literal["brokerexc", "timeout"] | None
"""An assignment, ``BROKER_EXCEPTION``, ``TIMEOUT``, or None for a response without a list."""


# A Java client's table of queues in pop mode, and their states.
# The table exists from 5.0 on, where a broker assigns such queues.


class PopProcessQueue:
    """An entry of ``popProcessQueueTable`` (RocketMQ ``client.impl.consumer.PopProcessQueue``).

    Times are in ms.
    """

    __slots__ = ("dropped", "last_pop_timestamp")

    def __init__(self, *, dropped: bool = False, last_pop_timestamp: int = 0) -> None:
        self.dropped = dropped
        self.last_pop_timestamp = last_pop_timestamp

    def is_pull_expired(self, now: int) -> bool:
        """Return whether the last pop is too long ago.

        Mirror of ``isPullExpired``, with the same limit as for pulls.
        """
        return now - self.last_pop_timestamp > PULL_MAX_IDLE_TIME


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


# The query for a client's queues at a broker, and the test query for broker support.

QUERY_ASSIGNMENT_TIMEOUT = 3_000
TIMEOUT_CHECK_TIMES = 3


class QueryAssignment(RebalanceImpl):
    """A client's queries to a broker about the queues that it should consume.

    Mirror of ``queryAssignment``, and of ``tryQueryAssignment`` in 5.0.0 to 5.3.1.
    """

    tries_first = False
    """True if a test query decides whether to rely on the broker.

    The result is cached while the topic is subscribed.
    """
    assignments: Mapping[str, Answer] = {}
    """For each topic, the scripted response of a broker.

    A missing topic means that the client knows no broker of it, and counts as None.
    """
    topic_broker_rebalance: frozenset[str] = frozenset()
    topic_client_rebalance: frozenset[str] = frozenset()

    def query_assignment(self, topic: str, timeout: int) -> Assignment | None:
        """Return the broker's response (``queryAssignment``).

        Raises ``MQBrokerException`` or ``RemotingTimeoutException`` as ``assignments`` scripts.
        """
        said = self.assignments.get(topic)
        answer = "null" if said is None else said
        self.environment.record(QUERY_ASSIGNMENT, None, topic, timeout, *([answer] if isinstance(answer, str) else []))
        if said == BROKER_EXCEPTION:
            raise MQBrokerException(topic)
        if said == TIMEOUT:
            raise RemotingTimeoutException(topic)
        return said

    def try_query_assignment(self, topic: str) -> bool:
        """Return whether the broker supports the query (``tryQueryAssignment``).

        Any response, even null, counts as support. After a timeout the client tries again.
        """
        if topic in self.topic_client_rebalance:
            return False
        if topic in self.topic_broker_rebalance:
            return True
        for retry_times in range(1, TIMEOUT_CHECK_TIMES + 1):
            try:
                self.query_assignment(topic, QUERY_ASSIGNMENT_TIMEOUT // TIMEOUT_CHECK_TIMES * retry_times)
            except RemotingTimeoutException:
                continue
            except MQBrokerException:
                break
            self.topic_broker_rebalance |= {topic}
            return True
        self.topic_client_rebalance |= {topic}
        return False

    def truncate_message_queue_not_my_topic(self) -> None:
        super().truncate_message_queue_not_my_topic()
        self.topic_client_rebalance &= set(self.subscription_inner)
        self.topic_broker_rebalance &= set(self.subscription_inner)


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
