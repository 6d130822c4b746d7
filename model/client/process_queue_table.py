"""A Java client's process queue table, and the operations common to all generations."""

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable
from typing import Protocol, TypeVar

from rebalance_proofs.model.client.effects import DROP, OUT, MQClientException
from rebalance_proofs.model.client.environment import Environment
from rebalance_proofs.model.client.settings import PUSH, Settings
from rebalance_proofs.model.queues import MessageQueue

# ProcessQueue: a consumer's state of a queue that it consumes.

PULL_MAX_IDLE_TIME = 120_000
"""A pull older than this many ms is expired (``rocketmq.client.pull.pullMaxIdleTime``)."""

FREE, HELD, INTERRUPTED = range(3)
"""States of the consume lock, under which the listener runs.

The lock is free, held by the listener, or the attempt to take it is interrupted.
"""


class ProcessQueue:
    """An entry of ``processQueueTable`` (RocketMQ ``client.impl.consumer.ProcessQueue``).

    Times are in ms.
    """

    __slots__ = (
        "cached",
        "consume_lock",
        "dropped",
        "last_lock_timestamp",
        "last_pull_timestamp",
        "locked",
        "pull_max_idle_time",
        "try_unlock_times",
    )

    def __init__(
        self,
        *,
        dropped: bool = False,
        locked: bool = False,
        last_pull_timestamp: int = 0,
        last_lock_timestamp: int = 0,
        consume_lock: int = FREE,
        cached: int = 0,
    ) -> None:
        self.dropped = dropped
        self.locked = locked
        """True if this client assumes that it holds the broker's lock."""
        self.last_pull_timestamp = last_pull_timestamp
        self.last_lock_timestamp = last_lock_timestamp
        self.consume_lock = consume_lock
        """State of the consume lock: ``FREE``, ``HELD`` or ``INTERRUPTED``."""
        self.cached = cached
        """The number of messages that were pulled but not consumed."""
        self.pull_max_idle_time = PULL_MAX_IDLE_TIME
        self.try_unlock_times = 0

    def is_pull_expired(self, now: int) -> bool:
        """Return whether the last pull is too long ago (``isPullExpired``)."""
        return now - self.last_pull_timestamp > self.pull_max_idle_time

    def has_temp_message(self) -> bool:
        """Return whether there are cached messages (``hasTempMessage``)."""
        return self.cached > 0


Key = TypeVar("Key")


class Iterate(Protocol):
    """The iteration order of one of the client's hash tables; see ``ProcessQueueTable``."""

    def __call__(self, table: str, keys: Collection[Key], /) -> Iterable[Key]: ...


def as_they_come(table: str, keys: Collection[Key]) -> Iterable[Key]:
    """Return the keys in insertion order, whichever table they belong to."""
    return keys


class ProcessQueueTable(ABC):
    """``processQueueTable``, and the methods that change its entries.

    The methods belong to ``RebalanceImpl`` and its subclasses. ``iterate`` returns the iteration order of the client's
    hash tables, by default the insertion order. It is called for the ``table``, the ``removed`` entries, a ``set`` of
    queues, and the queues whose lock was ``granted``. It is also called for the subscribed ``topics``, and for the
    names of the ``brokers`` that receive lock requests.
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
        """True if this consumer needs the group's locks at the brokers.

        Its listener is ordered, and it is not a broadcasting consumer.
        """
        return self.settings.orderly and not self.settings.broadcasting

    broker_exception_is_not_found = False
    """True if ``RemoteBrokerOffsetStore`` treats any broker exception as "no offset"."""
    local_file_persists = True
    """True if ``LocalFileOffsetStore`` writes and removes the offset of a single queue."""

    @abstractmethod
    def update_process_queue_table_in_rebalance(
        self, topic: str, mq_set: Collection[MessageQueue], is_order: bool
    ) -> bool:
        """Update the table for one topic, and return whether it has changed.

        ``mq_set``: the client's queues. Mirror of ``updateProcessQueueTableInRebalance``. Raises
        ``RuntimeException`` where the client's method throws one.
        """

    def remove_unnecessary_message_queue(self, queue: MessageQueue, entry: ProcessQueue) -> bool:
        """Persist a queue's offset, and return whether its process queue can be removed.

        Mirror of ``removeUnnecessaryMessageQueue``.
        """
        if self.settings.kind is PUSH:
            return self.remove_pushed_message_queue(queue, entry)
        self.environment.persist(queue)
        self.environment.remove_offset(queue)
        return True

    @abstractmethod
    def remove_pushed_message_queue(self, queue: MessageQueue, entry: ProcessQueue) -> bool:
        """Do ``remove_unnecessary_message_queue`` for a push consumer.

        Mirror of ``RebalancePushImpl.removeUnnecessaryMessageQueue``, which may have to unlock the queue.
        """

    def compute_pull_from_where_with_exception(self, queue: MessageQueue) -> int:
        """Return the offset of the first pull (``computePullFromWhereWithException``)."""
        settings = self.settings
        return settings.kind.compute_pull_from_where(self.environment, queue, settings.consume_from_where)

    def compute_pull_from_where(self, queue: MessageQueue) -> int:
        """Return the offset of the first pull, or -1 instead of an ``MQClientException``.

        Mirror of ``computePullFromWhere``.
        """
        try:
            return self.compute_pull_from_where_with_exception(queue)
        except MQClientException:
            return -1

    def dispatch_pull_request(self, requests: Iterable[tuple[MessageQueue, int]], delay: int) -> None:
        """Dispatch pull requests (``dispatchPullRequest``); only push consumers pull by themselves."""
        if self.settings.kind is PUSH:
            for queue, offset in requests:
                self.environment.pull(queue, offset, delay)

    def drop(self, queue: MessageQueue, entry: ProcessQueue) -> None:
        """Mark the process queue as dropped (``setDropped(true)``)."""
        entry.dropped = True
        self.environment.effects.append((DROP, queue))

    def remove_process_queue(self, queue: MessageQueue) -> None:
        """Remove the entry even if its lock could not be released (``removeProcessQueue``)."""
        entry = self.process_queue_table.pop(queue, None)
        if entry is not None:
            self.environment.record(OUT, queue)
            self.drop(queue, entry)
            self.remove_unnecessary_message_queue(queue, entry)

    def destroy(self) -> None:
        """Drop and remove all process queues at shutdown (``destroy``)."""
        for queue in self.iterate("table", self.process_queue_table):
            self.drop(queue, self.process_queue_table[queue])
        for queue in self.process_queue_table:
            self.environment.record(OUT, queue)
        self.process_queue_table.clear()

    def working_message_queues(self, topic: str) -> set[MessageQueue]:
        """Return the topic's queues in the table that are not dropped (``getWorkingMessageQueue``)."""
        return {
            queue for queue, entry in self.process_queue_table.items() if queue.topic == topic and not entry.dropped
        }
