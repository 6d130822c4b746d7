"""The scripted environment of one client: broker, offset store, clock and listeners.

A script gives the response to every request that the client makes, and every effect of the client is recorded.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple, cast

from rebalance_proofs.model.client.effects import (
    LOCK,
    MAX_OFFSET,
    PERSIST,
    PULL_REQUEST,
    READ_OFFSET,
    REBALANCE_LATER,
    REMOVE_OFFSET,
    SCHEDULE_UNLOCK,
    SEARCH_OFFSET,
    UNLOCK,
    Effect,
    MQClientException,
    RuntimeException,
)
from rebalance_proofs.model.queues import MessageQueue

OK, DENIED, EXC, NO_BROKER, UNLOCK_EXC = "ok", "denied", "exc", "nobroker", "unlockexc"
"""The broker's scripted responses to a lock request.

In order: it is granted; it is denied; the call fails; the broker's address is unknown; it is granted, but a later
unlock fails.
"""

THROW, THROW_SECOND = "throw", "throw2"
"""Scripted failures of ``persist``: every call fails, or only the second one.

Otherwise ``OK``. A user-defined offset store throws in this case.
"""

NOT_FOUND = -1
"""The offset store has no offset of the queue."""
THROWS = "throw"
"""A response without an offset: the query throws an exception that clients do not expect."""
FAILS = "err"
"""A response without an offset: the query throws ``MQClientException``."""

STORE, MEMORY_FIRST, MEMORY = "S", "MS", "M"
"""Places where ``readOffset`` looks (``ReadOffsetType``).

In order: in the store; in memory, then in the store; in memory only.
"""


LOGICAL_QUEUE_MOCK_BROKER_PREFIX = "__syslo__"
"""Prefix of the broker name in a static topic's queues.

Such a name belongs to no real broker.
"""


class Answers(NamedTuple):
    """The scripted responses about one queue."""

    lock: str = OK
    stored: int | str = 100
    """The stored offset: >= 0, ``NOT_FOUND`` or ``THROWS``.

    Another negative number means a failed query.
    """
    queried: int | str = 0
    """The response to ``maxOffset`` and ``searchOffset``: an offset, ``FAILS`` or ``THROWS``."""
    persist: str = OK


BENIGN = Answers()


class Environment:
    """An environment with given responses, which records every effect.

    ``answers`` maps a queue to ``Answers``; a missing queue has ``BENIGN``. ``now`` is the clock, in ms.
    """

    def __init__(self, answers: Mapping[MessageQueue, Answers], now: int = 0) -> None:
        self.answers = answers
        self.now = now
        self.effects: list[Effect] = []
        self.scheduled: list[Callable[[], None]] = []
        """Tasks that the client has delayed, in the order in which it scheduled them."""
        self.topic_end_points: Mapping[str, Mapping[MessageQueue, str]] = {}
        """For each static topic, the current broker of each of its queues."""
        self._persisted: dict[MessageQueue, int] = {}

    def record(self, *effect: object) -> None:
        """Append an effect to the recorded effects."""
        self.effects.append(effect)

    def broker_name(self, queue: MessageQueue) -> str | None:
        """Return the name of the queue's broker.

        None if the queue belongs to a static topic that does not have it. Mirror of
        ``getBrokerNameFromMessageQueue``.
        """
        end_points = self.topic_end_points.get(queue.topic)
        return end_points.get(queue) if end_points else queue.broker_name

    def has_address(self, broker_name: str | None) -> bool:
        """Return whether ``findBrokerAddressInSubscribe`` finds the broker's address.

        ``broker_name``: None for a queue of a static topic that is on no broker.
        """
        return broker_name is not None and not broker_name.startswith(LOGICAL_QUEUE_MOCK_BROKER_PREFIX)

    def lock(self, queue: MessageQueue) -> bool:
        """Request the queue's lock from the broker; return whether it is granted."""
        said = self.answers.get(queue, BENIGN).lock
        if said == NO_BROKER:
            return False
        granted = said in (OK, UNLOCK_EXC)
        self.effects.append((LOCK, queue, OK if granted else said))
        return granted

    def unlock(self, queue: MessageQueue) -> None:
        """Send a one-way unlock request to the broker; the client does not learn whether it arrives."""
        said = self.answers.get(queue, BENIGN).lock
        if said == NO_BROKER:
            return
        self.effects.append((UNLOCK, queue, EXC) if said == UNLOCK_EXC else (UNLOCK, queue))

    def unlock_later(self, queue: MessageQueue, delay: int) -> None:
        """Schedule ``unlock`` after ``delay`` ms."""
        self.effects.append((SCHEDULE_UNLOCK, queue, delay))
        self.scheduled.append(lambda: self.unlock(queue))

    def pull(self, queue: MessageQueue, offset: int, delay: int) -> None:
        """Dispatch a pull request from ``offset``, after ``delay`` ms."""
        self.effects.append((PULL_REQUEST, queue, offset, delay))

    def rebalance_later(self, delay: int) -> None:
        """Schedule another rebalance after ``delay`` ms."""
        self.effects.append((REBALANCE_LATER, None, delay))

    def persist(self, queue: MessageQueue) -> None:
        """Run the offset store's ``persist``.

        Raises ``RuntimeException`` if the queue's ``Answers`` script a failure.
        """
        if self.persist_fails(queue):
            self.effects.append((PERSIST, queue, THROW))
            raise RuntimeException("persist")
        self.effects.append((PERSIST, queue))

    def persist_fails(self, queue: MessageQueue) -> bool:
        """Return whether this call of ``persist`` fails by the script.

        Call it once per attempt, because it counts the attempts.
        """
        said = self.answers.get(queue, BENIGN).persist
        if said == OK:
            return False
        count = self._persisted[queue] = self._persisted.get(queue, 0) + 1
        return said == THROW or count == 2

    def remove_offset(self, queue: MessageQueue) -> None:
        """Run the offset store's ``removeOffset``."""
        self.effects.append((REMOVE_OFFSET, queue))

    def read_offset(self, queue: MessageQueue, where: str) -> int:
        """Run the offset store's ``readOffset``.

        Raises ``RuntimeException`` if the queue's ``Answers`` script a failure.
        """
        stored = self.answers.get(queue, BENIGN).stored
        self.effects.append((READ_OFFSET, queue, where, stored))
        if stored == THROWS:
            raise RuntimeException("readOffset")
        return cast(int, stored)

    def max_offset(self, queue: MessageQueue) -> int:
        """Run ``MQAdminImpl.maxOffset``.

        Raises ``MQClientException`` for ``FAILS``, ``RuntimeException`` for ``THROWS``.
        """
        return self._query(MAX_OFFSET, queue)

    def search_offset(self, queue: MessageQueue) -> int:
        """Run ``MQAdminImpl.searchOffset`` for the consumer's timestamp.

        Raises the same errors as ``max_offset``.
        """
        return self._query(SEARCH_OFFSET, queue)

    def _query(self, name: str, queue: MessageQueue) -> int:
        said = self.answers.get(queue, BENIGN).queried
        self.effects.append((name, queue, said))
        if said == FAILS:
            raise MQClientException(name)
        if said == THROWS:
            raise RuntimeException("admin")
        return cast(int, said)


# The environment of a Java client that has no user-defined offset store.
# It uses the client's default offset store and ``MQAdminImpl``.


class ShippedEnvironment(Environment):
    """An environment whose parts throw only exceptions that the client expects.

    This holds whatever the brokers do.
    """

    def __init__(self, answers: Mapping[MessageQueue, Answers], now: int = 0) -> None:
        super().__init__(answers, now)
        self.offset_table: dict[MessageQueue, int] = {}
        """The offset of each queue in memory: the consumed offset, or the one read from the store."""

    def _query(self, name: str, queue: MessageQueue) -> int:
        """Run ``MQAdminImpl.maxOffset`` or ``.searchOffset``.

        Every failure of the call is an ``MQClientException``.
        """
        said = self.answers.get(queue, BENIGN).queried
        self.effects.append((name, queue, said))
        if said in (FAILS, THROWS):
            raise MQClientException(name)
        return cast(int, said)
