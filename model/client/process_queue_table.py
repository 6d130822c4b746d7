"""A Java client's table of queues, and what all generations do with a single entry."""

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable
from typing import Protocol, TypeVar

from rebalance_proofs.model.client.effects import DROP, OUT
from rebalance_proofs.model.client.environment import Environment
from rebalance_proofs.model.client.errors import MQClientException
from rebalance_proofs.model.client.process_queue import ProcessQueue
from rebalance_proofs.model.client.settings import PUSH, Settings
from rebalance_proofs.model.queues import MessageQueue

Key = TypeVar("Key")


class Iterate(Protocol):
    """The order in which one of the client's hash tables is iterated; see ``ProcessQueueTable``."""

    def __call__(self, table: str, keys: Collection[Key], /) -> Iterable[Key]: ...


def as_they_come(table: str, keys: Collection[Key]) -> Iterable[Key]:
    """The order of insertion."""
    return keys


class ProcessQueueTable(ABC):
    """``processQueueTable``, and what ``RebalanceImpl`` and its sub-classes do with its entries.

    ``iterate`` gives the order in which the client's hash tables are iterated, by default that of insertion. It is
    called for the ``table``, the entries to be ``removed``, a ``set`` of queues, and those whose lock was ``granted``;
    and also for the ``topics`` that are subscribed to, and the names of ``brokers`` that are asked for locks.
    """

    def __init__(
        self,
        environment: Environment,
        settings: Settings | None = None,
        *,
        iterate: Iterate = as_they_come,
    ) -> None:
        self.environment = environment
        self.settings = settings or Settings()
        self.iterate = iterate
        self.process_queue_table: dict[MessageQueue, ProcessQueue] = {}

    @property
    def _clustered_order(self) -> bool:
        """Whether this consumer uses the group's locks at the brokers."""
        return self.settings.orderly and not self.settings.broadcasting

    broker_exception_is_not_found = False
    """Whether its ``RemoteBrokerOffsetStore`` takes any exception of a broker for "there is no offset"."""
    local_file_persists = True
    """Whether its ``LocalFileOffsetStore`` writes and forgets the offset of a single queue."""

    @abstractmethod
    def update_process_queue_table_in_rebalance(
        self, topic: str, mq_set: Collection[MessageQueue], is_order: bool
    ) -> bool:
        """``updateProcessQueueTableInRebalance``: whether the table has changed.

        Raises ``RuntimeException`` where one leaves the client's method.
        """

    def remove_unnecessary_message_queue(self, queue: MessageQueue, entry: ProcessQueue) -> bool:
        """``removeUnnecessaryMessageQueue``: whether the entry can leave the table."""
        if self.settings.kind is PUSH:
            return self.remove_pushed_message_queue(queue, entry)
        self.environment.persist(queue)
        self.environment.remove_offset(queue)
        return True

    @abstractmethod
    def remove_pushed_message_queue(self, queue: MessageQueue, entry: ProcessQueue) -> bool:
        """``RebalancePushImpl.removeUnnecessaryMessageQueue``."""

    def compute_pull_from_where_with_exception(self, queue: MessageQueue) -> int:
        """``computePullFromWhereWithException``."""
        settings = self.settings
        return settings.kind.compute_pull_from_where(self.environment, queue, settings.consume_from_where)

    def compute_pull_from_where(self, queue: MessageQueue) -> int:
        """``computePullFromWhere``: -1 instead of an ``MQClientException``."""
        try:
            return self.compute_pull_from_where_with_exception(queue)
        except MQClientException:
            return -1

    def dispatch_pull_request(self, requests: Iterable[tuple[MessageQueue, int]], delay: int) -> None:
        """``dispatchPullRequest``: only push consumers pull by themselves."""
        if self.settings.kind is PUSH:
            for queue, offset in requests:
                self.environment.pull(queue, offset, delay)

    def drop(self, queue: MessageQueue, entry: ProcessQueue) -> None:
        """``setDropped(true)``."""
        entry.dropped = True
        self.environment.effects.append((DROP, queue))

    def remove_process_queue(self, queue: MessageQueue) -> None:
        """``removeProcessQueue``: removes the entry even if its lock could not be given back."""
        entry = self.process_queue_table.pop(queue, None)
        if entry is not None:
            self.environment.record(OUT, queue)
            self.drop(queue, entry)
            self.remove_unnecessary_message_queue(queue, entry)

    def destroy(self) -> None:
        """``destroy``, at shutdown."""
        for queue in self.iterate("table", self.process_queue_table):
            self.drop(queue, self.process_queue_table[queue])
        for queue in self.process_queue_table:
            self.environment.record(OUT, queue)
        self.process_queue_table.clear()

    def working_message_queues(self, topic: str) -> set[MessageQueue]:
        """``getWorkingMessageQueue``: the topic's queues that the client has and has not dropped."""
        return {
            queue for queue, entry in self.process_queue_table.items() if queue.topic == topic and not entry.dropped
        }
