"""Driving a client's own code through rounds: how its rebalance is made, its table filled, and a round begun."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

from model.client.effects import Effect
from model.client.environment import Answers, Environment
from model.client.errors import RuntimeException
from model.client.node import Node, NodeProcessQueue
from model.client.node_environment import NodeEnvironment
from model.client.process_queue import ProcessQueue
from model.client.rebalance import RebalanceImpl
from model.client.settings import Settings
from model.profiles.profile import ClientError
from model.queues import MessageQueue
from model.transition.numbers import NO_OFFSET

NOW = 1_000_000_000
"""ms, later than any age."""


class Done(NamedTuple):
    """What one round came to."""

    changed: bool | None
    """What the client's method returns; None when it throws."""
    thrown: str
    effects: tuple[Effect, ...]


class Driver(Protocol):
    """One client's rebalance."""

    table: dict[MessageQueue, ProcessQueue]
    memory: dict[MessageQueue, int]
    """Offsets in the client's memory; never any in a client that has no such memory."""

    def put(self, queue: MessageQueue, numbers: Mapping[str, int]) -> None:
        """Gives the client what the numbers of ``variables.QUEUE`` say about the queue."""

    def update(self, answers: Mapping[MessageQueue, Answers], topic: str, mq_set: Sequence[MessageQueue]) -> Done:
        """``updateProcessQueueTableInRebalance``."""

    def unsubscribe(self) -> Done:
        """A rebalance after the user has unsubscribed from everything."""


def _of_any_client(numbers: Mapping[str, int]) -> dict[str, bool | int]:
    """What every client keeps of a queue."""
    return {
        "dropped": bool(numbers["dropped"]),
        "locked": bool(numbers["locked"]),
        "last_pull_timestamp": NOW - numbers["pull_age"],
        "last_lock_timestamp": NOW - numbers["lock_age"],
        "cached": numbers["cached"],
    }


class JavaDriver:
    """A Java client of one generation."""

    def __init__(self, made: type[RebalanceImpl], settings: Settings, order: bool) -> None:
        self._rebalance = made(Environment({}, NOW), settings)
        self._order = order
        self.table = self._rebalance.process_queue_table
        self.memory: dict[MessageQueue, int] = {}

    def put(self, queue: MessageQueue, numbers: Mapping[str, int]) -> None:
        if numbers["present"]:
            self.table[queue] = ProcessQueue(**_of_any_client(numbers), consume_lock=numbers["consume_lock"])

    def update(self, answers: Mapping[MessageQueue, Answers], topic: str, mq_set: Sequence[MessageQueue]) -> Done:
        self._rebalance.environment = environment = Environment(answers, NOW)
        try:
            changed = self._rebalance.update_process_queue_table_in_rebalance(topic, mq_set, self._order)
        except RuntimeException as error:
            return Done(None, str(error), tuple(environment.effects))
        return Done(changed, "", tuple(environment.effects))

    def unsubscribe(self) -> Done:
        self._rebalance.environment = environment = Environment({}, NOW)
        before = set(self.table)
        self._rebalance.do_rebalance(self._order)
        return Done(before != set(self.table), "", tuple(environment.effects))


class NodeDriver:
    """The Node client."""

    def __init__(self, made: type[Node], settings: Settings, order: bool) -> None:
        self._rebalance = made(NodeEnvironment({}, NOW), settings)
        self.table: dict[MessageQueue, ProcessQueue] = self._rebalance.process_queue_table
        self.memory = self._rebalance.offset_store.offset_table

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

    def unsubscribe(self) -> Done:
        before = set(self.table)
        self._rebalance.do_rebalance()
        return Done(before != set(self.table), "", tuple(self._rebalance.environment.effects))
