"""Python code of an ordered consumer of one queue: its table and its lock requests."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from rebalance_proofs.model.client.effects import PULL_REQUEST, SCHEDULE_UNLOCK, UNLOCK, Effect
from rebalance_proofs.model.client.environment import DENIED, OK, Answers, Environment
from rebalance_proofs.model.client.process_queue_table import FREE, HELD, PULL_MAX_IDLE_TIME, ProcessQueue
from rebalance_proofs.model.client.rebalance import RebalanceImpl
from rebalance_proofs.model.client.settings import Settings
from rebalance_proofs.model.machine.values import number
from rebalance_proofs.model.machines.ordered.state import Limits, OrderedRules
from rebalance_proofs.model.possible import need
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.model.transition.numbers import UNANSWERED

# Python code of the broker's lock of one queue.


@dataclass
class LockEntry:
    """The broker's lock of one queue: its owner and time (``RebalanceLockManager.LockEntry``)."""

    client_id: int
    last_update_timestamp: int
    """Time of the last grant, in ms."""


class RebalanceLockManager:
    """RocketMQ ``broker.client.rebalance.RebalanceLockManager``, for one group and one queue.

    Locks are not persisted.
    """

    def __init__(self, lock_max_live_time: int) -> None:
        self._lock_max_live_time = lock_max_live_time
        self.entry: LockEntry | None = None

    def _expired(self, now: int) -> bool:
        return self.entry is not None and now - self.entry.last_update_timestamp > self._lock_max_live_time

    def try_lock(self, client_id: int, now: int) -> bool:
        """Request the lock (``tryLockBatch``). Return whether that client holds it afterwards."""
        if self.entry is None:
            self.entry = LockEntry(client_id, now)
        if self.entry.client_id != client_id and not self._expired(now):
            return False
        self.entry = LockEntry(client_id, now)
        return True

    def unlock(self, client_id: int) -> None:
        """Release the lock (``unlockBatch``) if that client holds it.

        The broker does not know when the client sent the request.
        """
        if self.entry is not None and self.entry.client_id == client_id:
            self.entry = None

    def restarts(self) -> None:
        """Restart the broker: locks are in memory only and are lost."""
        self.entry = None


# Python code of the client's lock that allows one listener call per queue.


class LockObject:
    """Lock of one queue in the client, held during the listener's call."""

    def __init__(self) -> None:
        self.calls = 0
        """Number of running listener calls; more than one only if a call did not take the lock."""


class MessageQueueLock:
    """Lock objects of a client's queues: one permanent object per queue.

    RocketMQ ``client.impl.consumer.MessageQueueLock`` (Go ``QueueLock``).
    """

    def __init__(self) -> None:
        self._table: dict[MessageQueue, LockObject] = {}

    def fetch_lock_object(self, queue: MessageQueue) -> LockObject:
        """Return the queue's lock object, whichever process queue the queue has."""
        return self._table.setdefault(queue, LockObject())


QUEUE = MessageQueue("T", "broker-a", 0)


class OrderedConsumer:
    """A push consumer with a ``MessageListenerOrderly``; ``now`` is in ms.

    Each action of the machine is a method, which raises ``Impossible`` if the action is impossible in the present
    state.
    """

    queue = QUEUE
    """The queue that all actions concern."""

    def __init__(
        self,
        made: type[RebalanceImpl],
        client_id: int,
        broker: RebalanceLockManager,
        limits: Limits,
        *,
        rules: OrderedRules,
    ) -> None:
        self.client_id, self.broker, self.limits, self.rules = client_id, broker, limits, rules
        self.now = 0
        self.rebalance = made(Environment({}), Settings(orderly=True))
        unlock: Any = self.rebalance
        unlock.unlock_delay_time_mills = limits.unlock
        self.message_queue_lock = MessageQueueLock()
        self.listener: ProcessQueue | None = None
        """The process queue of the latest listener call; None if no call runs."""
        self.since = 0
        """Time at which the lock was checked before the running listener call."""
        self.grants: list[int] = []
        """Times at which the broker granted renewals that are still in flight; newest last."""
        self.adding: int | None = None
        """Time at which the broker granted the lock to a rebalance that adds the queue.

        None if no rebalance waits for the grant to arrive.
        """
        self.pulls_from = 0
        """Earliest time of the process queue's first pull."""
        self.stopping = False
        """``ConsumeMessageOrderlyService.stopped``: no more consume requests are accepted."""
        self.waits_since = 0
        """Time at which shutdown began its current wait for the executor.

        Mirror of ``ThreadUtils.shutdownGracefully``.
        """
        self.cut = False
        """Whether shutdown has called ``shutdownNow`` on the executor."""
        self.yielded = False
        """Whether shutdown has called ``unlockAll``."""
        self.closed = False
        """Whether ``destroy`` has emptied the table, or the process has ended."""
        self.unlocks = 0
        """Number of unlock requests in flight to the broker."""
        self.put_off: list[int] = []
        """Times at which delayed unlock requests are due."""

    @property
    def entry(self) -> ProcessQueue | None:
        """The process queue in ``processQueueTable``; None if there is none."""
        return self.rebalance.process_queue_table.get(self.queue)

    def _held(self) -> ProcessQueue:
        need(self.entry is not None)
        entry = self.entry
        assert entry is not None
        return entry

    def _rebalanced(self, *, wanted: bool, answers: Answers) -> None:
        """Run ``updateProcessQueueTableInRebalance`` with these answers of the broker.

        Requests that it sends are in flight afterwards. ``wanted``: whether the consumer owns the queue.
        """
        environment = Environment({self.queue: answers}, self.now)
        self.rebalance.environment = environment
        self.rebalance.update_process_queue_table_in_rebalance(self.queue.topic, [self.queue] if wanted else [], True)
        self._follow(environment.effects)

    def _follow(self, effects: Iterable[Effect]) -> None:
        for name, *details in effects:
            self.unlocks += name == UNLOCK
            if name == SCHEDULE_UNLOCK:
                self.put_off.append(self.now + number(self.limits.unlock))
            if name == PULL_REQUEST:
                self.first_pull(details[-1])

    def first_pull(self, delay: int) -> None:
        """Plan the first pull of a new process queue: at once, or after ``delay`` ms.

        Mirror of ``dispatchPullRequest``.
        """
        self.pulls_from = self.now + (number(self.limits.first_pull) if delay else 0)

    @property
    def listed(self) -> bool:
        """Whether ``lockAll`` requests the lock of the queue.

        The renewing thread must run. Mirror of ``buildProcessQueueTableByBrokerName``.
        """
        renews = not (self.closed if self.rules.renews_on else self.stopping)
        return renews and self.entry is not None and (self.rules.renews_marked or not self.entry.dropped)

    def renews(self, *, heard: bool = True) -> None:
        """The broker grants the lock for a renewal (``lockAll`` or ``tryLockLaterAndReconsume``).

        ``heard``: whether the answer will reach the consumer.
        """
        need(self.broker.try_lock(self.client_id, self.now))
        if heard:
            self.grants.append(self.now)

    def renewed(self) -> None:
        """The newest grant reaches the consumer, together with earlier ones."""
        need(bool(self.grants))
        self.grants.clear()
        self._believes(granted=True)

    def refused(self) -> None:
        """A denial of the lock's renewal reaches the consumer."""
        self._held()
        self._believes(granted=False)

    def _believes(self, *, granted: bool) -> None:
        self.rebalance.environment = Environment({}, self.now)
        if self.entry is not None:
            self.rebalance.believe(self.entry, granted=granted)

    def revokes(self, *, in_set: bool = False) -> None:
        """First half of a rebalance: the process queue is removed, or dropped.

        ``in_set``: the consumer still owns the queue, but no message was pulled for too long.
        """
        entry = self._held()
        need(self.adding is None)
        entry.last_pull_timestamp = self.now - (PULL_MAX_IDLE_TIME + 1 if in_set else 0)
        entry.consume_lock = HELD if self.listener is entry else FREE
        self._rebalanced(wanted=in_set, answers=Answers(lock=DENIED))

    def unsubscribes(self) -> None:
        """``truncateMessageQueueNotMyTopic``: the consumer has unsubscribed from the topic."""
        self._held()
        need(self.adding is None)
        self.rebalance.environment = Environment({}, self.now)
        self.rebalance.truncate_message_queue_not_my_topic()

    def locks(self, *, heard: bool = True) -> None:
        """The broker grants the lock to a rebalance that adds the queue.

        ``heard``: whether the answer will reach the consumer.
        """
        need(self.entry is None and self.adding is None and not self.closed)
        need(self.broker.try_lock(self.client_id, self.now))
        self.adding = self.now if heard else None

    def adds(self, *, found: bool = True) -> None:
        """The lock's grant reaches the rebalance, which then queries the start offset.

        ``found``: whether there is a start offset.
        """
        need(self.adding is not None)
        self.adding = None
        self._rebalanced(wanted=True, answers=Answers(lock=OK, stored=0 if found else UNANSWERED))

    def unlocked(self) -> None:
        """An unlock request reaches the broker (``unlock``)."""
        need(self.unlocks > 0)
        self.unlocks -= 1
        self.broker.unlock(self.client_id)

    def sends_unlock(self) -> None:
        """A delayed unlock request is sent (``unlockDelay``)."""
        need(bool(self.put_off) and self.now >= self.put_off[0])
        self.put_off.pop(0)
        self.unlocks += 1

    def pulls(self) -> None:
        """Pulled messages arrive."""
        entry = self._held()
        need(not entry.dropped and not entry.cached and self.now >= self.pulls_from)
        need(not self.stopping or self.listener is entry)
        entry.cached = 1

    def starts(self, *, more: bool = False) -> None:
        """The listener is called, after ``ConsumeRequest.run`` has checked the lock.

        ``more``: further messages wait.
        """
        entry = self._held()
        expired = self.now - entry.last_lock_timestamp > number(self.limits.client)
        lock = self.message_queue_lock.fetch_lock_object(self.queue)
        need(not self.cut or self.now <= self.waits_since + number(self.limits.loop))
        need(not entry.dropped and entry.locked and not expired and entry.cached > 0 and not lock.calls)
        lock.calls += 1
        self.listener, self.since, entry.cached = entry, self.now, 1 if more else 0

    def ends(self, *, more: bool = False) -> None:
        """The listener returns.

        ``more``: its messages are to be consumed again.
        """
        need(self.listener is not None)
        if self.listener is self.entry and self.listener is not None and more:
            # ``submitConsumeRequestLater`` is rejected after the executor's shutdown, which ends the request.
            self.listener.cached = int(not self.stopping)
        self._stops()

    def shuts(self) -> None:
        """Shutdown begins to wait for the executor, which accepts no more requests.

        Mirror of ``ConsumeMessageOrderlyService.shutdown``.
        """
        need(not self.stopping and not self.closed)
        self.stopping, self.waits_since = True, self.now

    def _over(self) -> bool:
        over: bool = self.now >= self.waits_since + number(self.limits.wait)
        return over

    def interrupts(self, *, more: bool = False) -> None:
        """``shutdownNow``: consume requests that have not begun are dropped.

        ``more``: a request has begun, and is between two listener calls.
        """
        need(self.rules.waits_for_listener and self.stopping and not self.yielded and not self.closed)
        need(not self.cut and self._over())
        self.cut, self.waits_since = True, self.now
        if self.entry is not None and self.listener is not self.entry and not more:
            self.entry.cached = 0

    def gives_back(self) -> None:
        """``unlockAll``: shutdown releases the locks.

        The executor has terminated, or the shutdown has waited for it a second time.
        """
        need(self.stopping and not self.yielded and not self.closed)
        waited = not self.rules.waits_for_listener or (self.cut and self._over())
        need(waited or self.listener is None)
        if self.entry is not None and not waited:
            self.entry.cached = 0
        self.yielded = True
        environment = self.rebalance.environment = Environment({}, self.now)
        self.rebalance.unlock_all()
        self._follow(environment.effects)

    def clears(self) -> None:
        """``destroy`` drops all process queues and empties the table."""
        need(self.yielded and not self.closed)
        self.closed = True
        self.rebalance.destroy()

    def crashes(self) -> None:
        """The process ends at once and sends nothing."""
        need(not self.closed)
        self.stopping = self.closed = True
        self.cut = self.yielded = False
        self.rebalance.process_queue_table.clear()
        self._stops()
        self.adding, self.grants, self.put_off = None, [], []

    def exits(self) -> None:
        """The process or its client instance ends after the shutdown, and delayed unlock requests are never sent."""
        need(self.yielded and self.closed and bool(self.put_off))
        self.put_off = []

    def restarts(self) -> None:
        """The broker restarts, and its locks are lost."""
        self.broker.restarts()

    def _stops(self) -> None:
        self.listener = None
        self.message_queue_lock.fetch_lock_object(self.queue).calls = 0
