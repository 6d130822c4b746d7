"""The query for a client's queues at a broker, and the test query for broker support."""

from collections.abc import Mapping

from rebalance_proofs.model.client.assignment import BROKER_EXCEPTION, TIMEOUT, Answer, Assignment
from rebalance_proofs.model.client.effects import QUERY_ASSIGNMENT
from rebalance_proofs.model.client.errors import MQBrokerException, RemotingTimeoutException
from rebalance_proofs.model.client.rebalance import RebalanceImpl

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
