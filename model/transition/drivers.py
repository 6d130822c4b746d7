"""Objects that run a client's Python code: create its rebalance, fill its table, rebalance."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple, Protocol, TypedDict

from rebalance_proofs.model.client.effects import PROCESS_QUEUE_LOCKED, Effect, RuntimeException
from rebalance_proofs.model.client.environment import Answers, Environment, ShippedEnvironment
from rebalance_proofs.model.client.node import Node, NodeProcessQueue
from rebalance_proofs.model.client.node_environment import NodeEnvironment
from rebalance_proofs.model.client.node_environment import RemoteBrokerOffsetStore as NodeRemoteBrokerOffsetStore
from rebalance_proofs.model.client.offset_stores import (
    BROKER_EXCEPTION,
    OFFSET_NOT_FOUND,
    LocalFileOffsetStore,
    RemoteBrokerOffsetStore,
)
from rebalance_proofs.model.client.process_queue_table import ProcessQueue
from rebalance_proofs.model.client.rebalance import RebalanceImpl
from rebalance_proofs.model.client.settings import Settings
from rebalance_proofs.model.profiles import ClientError
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.model.transition.numbers import BROKER_ERROR, NO_OFFSET, NOT_FOUND

NOW = 1_000_000_000
"""The time in ms at which every rebalance runs; it is greater than any age in a case."""


class Member(NamedTuple):
    """The rebalancing consumer's id, the ids in the broker's answer, and the strategy."""

    client_id: str
    cid_all: Sequence[str] | None
    """The group's ids in a broker's answer; None for an error answer."""
    allocate: Callable[[str, Sequence[MessageQueue], Sequence[str]], Sequence[MessageQueue] | None]

    def subscribes(self, rebalance: RebalanceImpl, mq_all: Sequence[MessageQueue]) -> None:
        """Subscribe a rebalance to the topic of these queues, with this member's ids and strategy."""
        topic = mq_all[0].topic
        rebalance.subscription_inner = (topic,)
        rebalance.topic_subscribe_info_table = {topic: mq_all}
        rebalance.consumer_ids = {} if self.cid_all is None else {topic: list(self.cid_all)}
        rebalance.allocate = partial(self.allocate, self.client_id)


class Done(NamedTuple):
    """The result of one rebalance or other call."""

    changed: bool | None
    """The result of the client's method; None if it throws an exception."""
    thrown: str
    effects: tuple[Effect, ...]


class Driver(Protocol):
    """Runs one client's Python code, one rebalance after the other."""

    put_off: list[Environment] | None
    """Environments in which the client has delayed tasks; None if delayed tasks are not needed."""

    @property
    def memory(self) -> dict[MessageQueue, int]:
        """Return the offset of each queue in the client's memory.

        A rebalance with a user-defined store never changes these.
        """

    @property
    def table(self) -> dict[MessageQueue, Any]:
        """Return the client's table: for each queue, a ``ProcessQueue`` or a subclass."""

    def put(self, queue: MessageQueue, numbers: Mapping[str, int]) -> None:
        """Set the client's state of the queue before a rebalance.

        ``numbers``: values for the names of ``variables.QUEUE``.
        """

    def update(self, answers: Mapping[MessageQueue, Answers], topic: str, mq_set: Sequence[MessageQueue]) -> Done:
        """Run ``updateProcessQueueTableInRebalance`` for one topic.

        ``answers``: scripted answers about each queue.
        """

    def unsubscribe(self) -> Done:
        """Run a rebalance after the user has unsubscribed from all topics."""

    def renew(self, answers: Mapping[MessageQueue, Answers], brokers: Mapping[MessageQueue, str]) -> Done:
        """Run ``lockAll`` and return only its effects ``PROCESS_QUEUE_LOCKED``.

        ``brokers``: for each queue of a static topic, its broker.
        """


class _Kept(TypedDict):
    dropped: bool
    locked: bool
    last_pull_timestamp: int
    last_lock_timestamp: int
    cached: int


def _of_any_client(numbers: Mapping[str, int]) -> _Kept:
    """Return the fields of a process queue that every client has, from numbers."""
    return {
        "dropped": bool(numbers["dropped"]),
        "locked": bool(numbers["locked"]),
        "last_pull_timestamp": NOW - numbers["pull_age"],
        "last_lock_timestamp": NOW - numbers["lock_age"],
        "cached": numbers["cached"],
    }


def done_later(environment: Environment) -> tuple[Effect, ...]:
    """Run the tasks that the client has delayed, and return their effects."""
    begin = len(environment.effects)
    for task in environment.scheduled:
        task()
    return tuple(environment.effects[begin:])


class AnswersInNumbers(RemoteBrokerOffsetStore):
    """An environment whose scripted answers are the integers of ``model.transition.numbers``.

    No broker answers with an offset below 0: any negative number without another meaning represents a missing
    answer, like ``UNANSWERED``.
    """

    def understood(self, answer: int | str) -> int | str:
        if isinstance(answer, str) or answer >= 0:
            return answer
        words = {NOT_FOUND: OFFSET_NOT_FOUND, BROKER_ERROR: BROKER_EXCEPTION}
        return words.get(answer, "timeout")


class JavaDriver:
    """Runs the code of one version of the Java client, with its default or a user-defined store."""

    def __init__(self, made: type[RebalanceImpl], settings: Settings, order: bool, own_store: bool) -> None:
        self._shipped = not own_store
        self._make = self._maker(made, settings)
        self._rebalance = made(self._make({}, NOW), settings)
        self._order = order
        self.table = self._rebalance.process_queue_table
        self.memory: dict[MessageQueue, int] = {}
        self.put_off: list[Environment] | None = None

    def _maker(self, made: type[RebalanceImpl], settings: Settings) -> Callable[..., Environment]:
        if not self._shipped:
            return Environment
        if settings.broadcasting:
            return partial(LocalFileOffsetStore, persists=made.local_file_persists)
        return partial(AnswersInNumbers, broker_exception_is_not_found=made.broker_exception_is_not_found)

    def _environment(self, answers: Mapping[MessageQueue, Answers]) -> Environment:
        environment = self._make(answers, NOW)
        if isinstance(environment, ShippedEnvironment):
            environment.offset_table = self.memory
        return environment

    def put(self, queue: MessageQueue, numbers: Mapping[str, int]) -> None:
        if numbers["memory"] != NO_OFFSET:
            self.memory[queue] = numbers["memory"]
        if numbers["present"]:
            self.table[queue] = ProcessQueue(**_of_any_client(numbers), consume_lock=numbers["consume_lock"])

    def update(self, answers: Mapping[MessageQueue, Answers], topic: str, mq_set: Sequence[MessageQueue]) -> Done:
        self._rebalance.environment = environment = self._environment(answers)
        try:
            changed = self._rebalance.update_process_queue_table_in_rebalance(topic, mq_set, self._order)
        except RuntimeException as error:
            changed, thrown = None, str(error)
        else:
            thrown = ""
        if self.put_off is not None and environment.scheduled:
            self.put_off.append(environment)
        return Done(changed, thrown, tuple(environment.effects))

    def compute_pull_from_where(self, answers: Mapping[MessageQueue, Answers], queue: MessageQueue) -> int:
        """Run ``computePullFromWhereWithException`` and return the start offset.

        Raises ``MQClientException``.
        """
        self._rebalance.environment = self._environment(answers)
        return self._rebalance.compute_pull_from_where_with_exception(queue)

    def rebalance(
        self, answers: Mapping[MessageQueue, Answers], mq_all: Sequence[MessageQueue], member: Member
    ) -> Done:
        """Run ``doRebalance`` of a consumer that subscribes only to the topic of these queues."""
        self._rebalance.environment = environment = self._environment(answers)
        member.subscribes(self._rebalance, mq_all)
        before = set(self.table)
        self._rebalance.do_rebalance(self._order)
        return Done(before != set(self.table), "", tuple(environment.effects))

    def unsubscribe(self) -> Done:
        self._rebalance.environment = environment = self._environment({})
        before = set(self.table)
        self._rebalance.do_rebalance(self._order)
        return Done(before != set(self.table), "", tuple(environment.effects))

    def remove_process_queue(self, queue: MessageQueue) -> Done:
        """Run ``removeProcessQueue``, which a client calls to repair an illegal offset."""
        self._rebalance.environment = environment = self._environment({queue: Answers()})
        before = set(self.table)
        self._rebalance.remove_process_queue(queue)
        return Done(before != set(self.table), "", tuple(environment.effects))

    def renew(self, answers: Mapping[MessageQueue, Answers], brokers: Mapping[MessageQueue, str]) -> Done:
        self._rebalance.environment = environment = self._environment(answers)
        environment.topic_end_points = {queue.topic: brokers for queue in brokers}
        self._rebalance.lock_all()
        return Done(False, "", tuple(effect for effect in environment.effects if effect[0] == PROCESS_QUEUE_LOCKED))


class NodeDriver:
    """Runs the code of the Node client."""

    def __init__(self, made: type[Node], settings: Settings, order: bool, own_store: bool) -> None:
        self._rebalance = made(NodeEnvironment({}, NOW), settings)
        self.table = self._rebalance.process_queue_table
        self.put_off: list[Environment] | None = None

    @property
    def memory(self) -> dict[MessageQueue, int]:
        """Return the offset of each queue in the client's memory.

        ``persist_all`` creates a new table of them.
        """
        return self._rebalance.offset_store.offset_table

    def put(self, queue: MessageQueue, numbers: Mapping[str, int]) -> None:
        if numbers["memory"] != NO_OFFSET:
            self.memory[queue] = numbers["memory"]
        if numbers["present"]:
            entry = self.table[queue] = NodeProcessQueue(0, **_of_any_client(numbers))
            entry.consume_lock = numbers["consume_lock"]

    def update(self, answers: Mapping[MessageQueue, Answers], topic: str, mq_set: Sequence[MessageQueue]) -> Done:
        environment = NodeEnvironment(answers, NOW)
        self._rebalance.environment = self._rebalance.offset_store.environment = environment
        try:
            changed = self._rebalance.update_process_queue_table_in_rebalance(topic, mq_set)
        except ClientError as error:
            return Done(None, error.message, tuple(environment.effects))
        return Done(changed, "", tuple(environment.effects))

    def update_offset(self, queue: MessageQueue, offset: int) -> None:
        """Run ``updateOffset``, which the client calls after messages were consumed."""
        store = self._rebalance.offset_store
        assert isinstance(store, NodeRemoteBrokerOffsetStore)
        store.update_offset(queue, offset, increase_only=True)

    def persist_all(self) -> Done:
        """Run ``persistConsumerOffset`` for all queues in the table."""
        environment = self._rebalance.environment = self._rebalance.offset_store.environment = NodeEnvironment({}, NOW)
        self._rebalance.persist_consumer_offset()
        return Done(False, "", tuple(environment.effects))

    def unsubscribe(self) -> Done:
        before = set(self.table)
        self._rebalance.do_rebalance()
        return Done(before != set(self.table), "", tuple(self._rebalance.environment.effects))

    def renew(self, answers: Mapping[MessageQueue, Answers], brokers: Mapping[MessageQueue, str]) -> Done:
        return Done(False, "", ())
