"""The broker's answer to ``QueryAssignment``: mirror of ``QueryAssignmentProcessor`` of RocketMQ 5.0.0 to 5.5.1.

Consumers of the remoting client ask it if ``clientRebalance`` is false. The gRPC proxy does not ask it: it assigns
each broker's queues to every consumer by itself (``RouteActivity.queryAssignment``).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.allocation.averagely_by_circle import AVERAGELY_BY_CIRCLE
from rebalance_proofs.model.allocation.strategy import Allocate, AllocationError
from rebalance_proofs.model.queues import MessageQueue

PULL, POP = "PULL", "POP"
CLUSTERING, BROADCASTING = "CLUSTERING", "BROADCASTING"
RETRY_GROUP_TOPIC_PREFIX = "%RETRY%"
LMQ_PREFIX, LMQ_QUEUE_ID = "%LMQ%", 0
ALL_QUEUES = -1
"""The queue id in an assignment that means every queue of the topic on that broker."""

NAME_TO_LOAD_STRATEGY: Mapping[str, Allocate] = {
    AVERAGELY.rocketmq_name: AVERAGELY.allocate,
    AVERAGELY_BY_CIRCLE.rocketmq_name: AVERAGELY_BY_CIRCLE.allocate,
}
"""The strategies that the broker knows, by the names in requests; both are the client's classes."""


def allocate_4_pop(
    strategy: Allocate,
    client_id: str,
    mq_all: Sequence[MessageQueue],
    cid_all: Sequence[str],
    pop_share_queue_num: int,
) -> list[MessageQueue]:
    """Mirror of ``allocate4Pop``. Raises ``AllocationError`` where the broker throws."""
    if pop_share_queue_num <= 0 or pop_share_queue_num >= len(cid_all) - 1:
        allocate_result = []
        for mq in mq_all:
            allocate_result.append(MessageQueue(mq.topic, mq.broker_name, ALL_QUEUES))
    elif len(cid_all) <= len(mq_all):
        allocate_result = list(strategy(client_id, mq_all, cid_all) or [])
        index = cid_all.index(client_id) if client_id in cid_all else -1
        if index >= 0:
            for _ in range(pop_share_queue_num):
                index += 1
                index = index % len(cid_all)
                tmp = strategy(cid_all[index], mq_all, cid_all)
                allocate_result.extend(tmp or [])
    else:
        allocate_result = allocate(client_id, mq_all, cid_all)
    return allocate_result


def allocate(current_cid: str, mq_all: Sequence[MessageQueue], cid_all: Sequence[str]) -> list[MessageQueue]:
    """Mirror of the private ``allocate``, for more consumers than queues. Raises ``AllocationError``."""
    if not current_cid or not current_cid.strip():
        raise AllocationError("currentCID is empty")
    if not mq_all:
        raise AllocationError("mqAll is null or mqAll empty")
    if not cid_all:
        raise AllocationError("cidAll is null or cidAll empty")
    result: list[MessageQueue] = []
    if current_cid not in cid_all:
        return result
    index = cid_all.index(current_cid)
    result.append(mq_all[index % len(mq_all)])
    return result


@dataclass(frozen=True)
class RequestMode:
    """How the members of a group read a topic: mirror of ``SetMessageRequestModeRequestBody``."""

    mode: str = PULL
    pop_share_queue_num: int = 0


@dataclass(frozen=True)
class Configured:
    """The broker's settings that the answer depends on, with their defaults (``BrokerConfig``)."""

    broker_name: str = "broker-a"
    server_load_balancer_enable: bool = True
    default_message_request_mode: str = PULL
    default_pop_share_queue_num: int = -1


class NotAllowed(Exception):
    """Raised if the broker refuses to set a mode; the text is its remark."""


@dataclass
class QueryAssignmentProcessor:
    """One broker's processor, with what the broker knows about topics and groups."""

    topics: Mapping[str, frozenset[MessageQueue]]
    """Topic -> its queues by the broker's route (``getTopicSubscribeInfo``); no entry for null."""
    groups: Mapping[str, Sequence[str]]
    """Group -> the client ids that the broker lists, unsorted; no entry for an unknown group."""
    config: Configured = Configured()
    modes: dict[tuple[str, str], RequestMode] = field(default_factory=dict)
    """(topic, group) -> the mode that was set (``MessageRequestModeManager``)."""
    configured_groups: frozenset[str] | None = None
    """The groups that have a configuration; None for the groups in ``groups``."""
    checks_existence: bool = True
    """Whether a mode can be set only for a known topic and group: from 5.3.3 on."""
    knows_lmq: bool = True
    """Whether a light message queue has one queue without a route: from 5.3.1 on."""

    def set_message_request_mode(self, topic: str, group: str, mode: RequestMode) -> None:
        """Mirror of ``setMessageRequestMode``. Raises ``NotAllowed``."""
        if topic.startswith(RETRY_GROUP_TOPIC_PREFIX):
            raise NotAllowed("retry topic is not allowed to set mode")
        if self.checks_existence and topic not in self.topics:
            raise NotAllowed(f"topic[{topic}] not exist")
        known = self.groups if self.configured_groups is None else self.configured_groups
        if self.checks_existence and group not in known:
            raise NotAllowed("subscription group does not exist")
        self.modes[topic, group] = mode

    def request_mode(self, topic: str, group: str) -> RequestMode:
        """Return the mode of an answer: the one that was set, else the default."""
        found = self.modes.get((topic, group))
        if found is None:
            mode = PULL if topic.startswith(RETRY_GROUP_TOPIC_PREFIX) else self.config.default_message_request_mode
            found = RequestMode(mode, self.config.default_pop_share_queue_num if mode == POP else 0)
        return found

    def query_assignment(
        self, topic: str, group: str, client_id: str, model: str = CLUSTERING, strategy_name: str = "AVG"
    ) -> tuple[frozenset[MessageQueue] | None, str]:
        """Return the assigned queues and the mode.

        An empty set makes the client drop its queues; None makes the client skip the update.
        """
        mode = self.request_mode(topic, group)
        return self.do_load_balance(topic, group, client_id, model, strategy_name, mode), mode.mode

    def do_load_balance(
        self, topic: str, group: str, client_id: str, model: str, strategy_name: str, mode: RequestMode
    ) -> frozenset[MessageQueue] | None:
        """Mirror of ``doLoadBalance``."""
        if model == BROADCASTING:
            return self.topics.get(topic)
        mq_set: frozenset[MessageQueue] | None
        if self.knows_lmq and topic.startswith(LMQ_PREFIX):
            mq_set = frozenset({MessageQueue(topic, self.config.broker_name, LMQ_QUEUE_ID)})
        else:
            mq_set = self.topics.get(topic)
        if mq_set is None:
            return None
        if not self.config.server_load_balancer_enable:
            return mq_set
        listed = self.groups.get(group)
        if listed is None:
            return None
        mq_all, cid_all = sorted(mq_set), sorted(listed)
        try:
            strategy = NAME_TO_LOAD_STRATEGY.get(strategy_name)
            if strategy is None:
                return None
            if mode.mode == POP:
                result = allocate_4_pop(strategy, client_id, mq_all, cid_all, mode.pop_share_queue_num)
            else:
                result = list(strategy(client_id, mq_all, cid_all) or [])
        except AllocationError:
            return None
        return frozenset(result)


# The queues that a consumer reads from, given its assignment.


def read_queues(assigned: Sequence[MessageQueue], mq_all: Sequence[MessageQueue]) -> list[MessageQueue]:
    """Return the queues of ``mq_all`` that a consumer with this assignment reads, in that order.

    The queue id -1 stands for every queue of the broker (``PopMessageProcessor``: "read all queue").
    """
    has = frozenset(assigned)
    return [mq for mq in mq_all if mq in has or MessageQueue(mq.topic, mq.broker_name, ALL_QUEUES) in has]


def popping(strategy: Allocate, pop_share_queue_num: int) -> Callable[..., list[MessageQueue]]:
    """Return the function of the queues that a member reads in pop mode, with the interface ``Allocate``."""

    def reads(current_cid: str, mq_all: Sequence[MessageQueue], cid_all: Sequence[str]) -> list[MessageQueue]:
        return read_queues(allocate_4_pop(strategy, current_cid, mq_all, cid_all, pop_share_queue_num), mq_all)

    return reads
