"""The environment of one client: broker, offset store, clock and listeners, with answers that are given beforehand."""

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
)
from rebalance_proofs.model.client.errors import MQClientException, RuntimeException
from rebalance_proofs.model.queues import MessageQueue

OK, DENIED, EXC, NO_BROKER, UNLOCK_EXC = "ok", "denied", "exc", "nobroker", "unlockexc"
"""What the broker says to a lock: granted, denied, the call fails, its address is unknown; or only the unlock fails."""

THROW, THROW_SECOND = "throw", "throw2"
"""Every ``persist`` fails, or only the second one; otherwise ``OK``. A store of the user's own throws then."""

NOT_FOUND = -1
"""The offset store has no offset of the queue."""
THROWS = "throw"
"""In the place of an offset: the query throws at run time."""
FAILS = "err"
"""In the place of an offset: the query throws ``MQClientException``."""

STORE, MEMORY_FIRST, MEMORY = "S", "MS", "M"
"""``ReadOffsetType``."""


LOGICAL_QUEUE_MOCK_BROKER_PREFIX = "__syslo__"
"""The queues of a static topic are on a broker with such a name, which is no broker."""


class Answers(NamedTuple):
    """What the environment says about one queue."""

    lock: str = OK
    stored: int | str = 100
    """The offset that is stored: >= 0, ``NOT_FOUND``, another negative number for a failed query, or ``THROWS``."""
    queried: int | str = 0
    """``maxOffset`` and ``searchOffset``: a number, ``FAILS`` or ``THROWS``."""
    persist: str = OK


BENIGN = Answers()


class Environment:
    """Answers what it was told to, and records every effect.

    ``answers`` maps a queue to ``Answers``; ``BENIGN`` ones where it has none. ``now`` is the clock, in ms.
    """

    def __init__(self, answers: Mapping[MessageQueue, Answers], now: int = 0) -> None:
        self.answers = answers
        self.now = now
        self.effects: list[Effect] = []
        self.scheduled: list[Callable[[], None]] = []
        """What was put off, to be run later."""
        self.topic_end_points: Mapping[str, Mapping[MessageQueue, str]] = {}
        """Static topic -> on which broker each of its queues is now."""
        self._persisted: dict[MessageQueue, int] = {}

    def record(self, *effect: object) -> None:
        """One more effect."""
        self.effects.append(effect)

    def broker_name(self, queue: MessageQueue) -> str | None:
        """``getBrokerNameFromMessageQueue``: where the queue is; None for one that a static topic has not."""
        end_points = self.topic_end_points.get(queue.topic)
        return end_points.get(queue) if end_points else queue.broker_name

    def has_address(self, broker_name: str) -> bool:
        """``findBrokerAddressInSubscribe`` finds one."""
        return not broker_name.startswith(LOGICAL_QUEUE_MOCK_BROKER_PREFIX)

    def lock(self, queue: MessageQueue) -> bool:
        """Whether the broker grants its lock of the queue."""
        said = self.answers.get(queue, BENIGN).lock
        if said == NO_BROKER:
            return False
        granted = said in (OK, UNLOCK_EXC)
        self.effects.append((LOCK, queue, OK if granted else said))
        return granted

    def unlock(self, queue: MessageQueue) -> None:
        """Gives the broker's lock back, one way: nobody learns whether it arrived."""
        said = self.answers.get(queue, BENIGN).lock
        if said == NO_BROKER:
            return
        self.effects.append((UNLOCK, queue, EXC) if said == UNLOCK_EXC else (UNLOCK, queue))

    def unlock_later(self, queue: MessageQueue, delay: int) -> None:
        """The same after ``delay`` ms."""
        self.effects.append((SCHEDULE_UNLOCK, queue, delay))
        self.scheduled.append(lambda: self.unlock(queue))

    def pull(self, queue: MessageQueue, offset: int, delay: int) -> None:
        """Dispatches a pull request."""
        self.effects.append((PULL_REQUEST, queue, offset, delay))

    def rebalance_later(self, delay: int) -> None:
        """Asks for another rebalance."""
        self.effects.append((REBALANCE_LATER, None, delay))

    def persist(self, queue: MessageQueue) -> None:
        """The offset store's ``persist``; raises ``RuntimeException`` where it is told to throw."""
        if self.persist_fails(queue):
            self.effects.append((PERSIST, queue, THROW))
            raise RuntimeException("persist")
        self.effects.append((PERSIST, queue))

    def persist_fails(self, queue: MessageQueue) -> bool:
        """Whether this attempt fails; asked once for each."""
        said = self.answers.get(queue, BENIGN).persist
        if said == OK:
            return False
        count = self._persisted[queue] = self._persisted.get(queue, 0) + 1
        return said == THROW or count == 2

    def remove_offset(self, queue: MessageQueue) -> None:
        """The offset store's ``removeOffset``."""
        self.effects.append((REMOVE_OFFSET, queue))

    def read_offset(self, queue: MessageQueue, where: str) -> int:
        """The offset store's ``readOffset``; raises ``RuntimeException`` where it is told to throw."""
        stored = self.answers.get(queue, BENIGN).stored
        self.effects.append((READ_OFFSET, queue, where, stored))
        if stored == THROWS:
            raise RuntimeException("readOffset")
        return cast(int, stored)

    def max_offset(self, queue: MessageQueue) -> int:
        """``MQAdminImpl.maxOffset``; raises ``MQClientException`` or ``RuntimeException`` where told to."""
        return self._query(MAX_OFFSET, queue)

    def search_offset(self, queue: MessageQueue) -> int:
        """``MQAdminImpl.searchOffset`` for the consumer's time stamp; raises as ``max_offset`` does."""
        return self._query(SEARCH_OFFSET, queue)

    def _query(self, name: str, queue: MessageQueue) -> int:
        said = self.answers.get(queue, BENIGN).queried
        self.effects.append((name, queue, said))
        if said == FAILS:
            raise MQClientException(name)
        if said == THROWS:
            raise RuntimeException("admin")
        return cast(int, said)
