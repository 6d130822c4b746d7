"""Consumers with ordered listeners that run client code, for comparison with the model.

Times are in ms; a tick of the model is ten seconds.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from rebalance_proofs.model.client.effects import LOCK, SCHEDULE_UNLOCK, UNLOCK_BATCH
from rebalance_proofs.model.client.environment import DENIED, EXC, OK, Answers, Environment
from rebalance_proofs.model.client.process_queue_table import FREE, HELD
from rebalance_proofs.model.machine.copies import NOBODY
from rebalance_proofs.model.machine.values import number
from rebalance_proofs.model.machines.ordered.state import LATEST, OLDEST, TICKS, Limits
from rebalance_proofs.model.ordered.consumer import OrderedConsumer, RebalanceLockManager
from rebalance_proofs.model.possible import need
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.model.transition.drivers import Member
from rebalance_proofs.spark_enum.explorer.concrete.group import Group, Setup
from rebalance_proofs.spark_enum.explorer.models.ordered import LATE_RETURN, OVERDUE, PERIOD, SHUTDOWN

TICK = 10_000
"""Length of a tick in ms."""


def in_ms(limits: Limits) -> Limits:
    """Convert limits from ticks to ms."""
    return replace(limits, **{name: ticks * TICK for name, ticks in vars(limits).items()})


class Wire(Environment):
    """Network between a process and the broker.

    Lock requests are granted at once. Unlock requests arrive at once, unless a fault makes them late.
    """

    def __init__(
        self, consumers: Mapping[MessageQueue, OrderedConsumer], answers: Mapping[MessageQueue, Answers], late: bool
    ) -> None:
        self._consumers, self._late = consumers, late
        super().__init__(answers, next(iter(consumers.values())).now)

    def lock(self, queue: MessageQueue) -> bool:
        consumer = self._consumers[queue]
        granted = consumer.broker.try_lock(consumer.client_id, self.now)
        self.record(LOCK, queue, OK if granted else DENIED)
        return granted

    def unlock(self, queue: MessageQueue) -> None:
        super().unlock(queue)
        self.gives_back(queue)

    def gives_back(self, queue: MessageQueue) -> None:
        """Send the unlock request of the queue."""
        consumer = self._consumers[queue]
        consumer.unlocks += 1
        if not self._late:
            consumer.unlocked()

    def pull(self, queue: MessageQueue, offset: int, delay: int) -> None:
        super().pull(queue, offset, delay)
        self._consumers[queue].first_pull(delay)

    def unlock_later(self, queue: MessageQueue, delay: int) -> None:
        self.record(SCHEDULE_UNLOCK, queue, delay)
        self._consumers[queue].put_off.append(self.now + delay)


class OrderedProcess:
    """A client's process: its process queues, and the messages of each queue."""

    def __init__(
        self, setup: Setup, client_id: int, brokers: Sequence[RebalanceLockManager], limits: Limits, now: int
    ) -> None:
        self._setup, self._limits = setup, limits
        self.rebalanced_at = self.renewed_at = now
        self.consumers: list[OrderedConsumer] = []
        for queue, broker in zip(setup.queues, brokers, strict=True):
            consumer = setup.client.consumer(client_id, broker, limits)
            consumer.queue, consumer.now = queue, now
            if self.consumers:
                consumer.rebalance = self.consumers[0].rebalance
                consumer.message_queue_lock = self.consumers[0].message_queue_lock
            self.consumers.append(consumer)
        self._by_queue = {consumer.queue: consumer for consumer in self.consumers}

    @property
    def _rebalance(self) -> Any:
        return self.consumers[0].rebalance

    def _wired(self, answers: Mapping[MessageQueue, Answers] | None = None) -> Wire:
        wire = self._rebalance.environment = Wire(self._by_queue, answers or {}, LATE_RETURN in self._setup.faults)
        return wire

    def rebalances(self, member: Member) -> None:
        self._wired()
        member.subscribes(self._rebalance, self._setup.queues)
        self._rebalance.do_rebalance(True)
        self.rebalanced_at = self.consumers[0].now

    def renews(self, *, heard: bool) -> None:
        """Renew all locks (``lockAll``); ``heard`` is False if the broker's answers are lost."""
        asked = [consumer for consumer in self.consumers if consumer.listed]
        granted = {one.queue: one.broker.try_lock(one.client_id, one.now) for one in asked}
        self._wired({queue: Answers(lock=(OK if yes else DENIED) if heard else EXC) for queue, yes in granted.items()})
        self._rebalance.lock_all()
        self.renewed_at = self.consumers[0].now

    def shuts(self) -> None:
        """Shut down without waiting (``shutdown``): call ``unlockAll``, then drop all process queues."""
        waits = self._setup.client.rules.waits_for_listener and SHUTDOWN not in self._setup.faults
        need(not (waits and any(consumer.listener is not None for consumer in self.consumers)))
        for consumer in self.consumers:
            consumer.shuts()
            if consumer.rules.waits_for_listener:
                consumer.interrupts()
        wire = self._wired()
        self._rebalance.unlock_all()
        for name, _, *details in wire.effects:
            for queue in details[0] if name == UNLOCK_BATCH else ():
                wire.gives_back(queue)
        self._rebalance.destroy()
        for consumer in self.consumers:
            consumer.yielded = consumer.closed = True

    def crashes(self) -> None:
        for consumer in self.consumers:
            consumer.crashes()

    def quiet(self, queue: int) -> bool:
        consumer = self.consumers[queue]
        return consumer.listener is None and not consumer.unlocks

    def pulls(self, queue: int) -> None:
        """Pulled messages arrive."""
        self.consumers[queue].pulls()

    def starts(self, queue: int) -> None:
        """The consumer calls its listener; the listener's thread holds the consume lock."""
        consumer = self.consumers[queue]
        consumer.starts()
        assert consumer.listener is not None
        consumer.listener.consume_lock = HELD

    def ends(self, queue: int) -> None:
        """The listener returns."""
        consumer = self.consumers[queue]
        need(consumer.listener is not None)
        assert consumer.listener is not None
        consumer.listener.consume_lock = FREE
        consumer.ends()

    def unlocked(self, queue: int) -> None:
        """An unlock request reaches the broker."""
        self.consumers[queue].unlocked()

    def sends_unlock(self, queue: int) -> None:
        """A delayed unlock request is sent."""
        consumer = self.consumers[queue]
        consumer.sends_unlock()
        if LATE_RETURN not in self._setup.faults:
            consumer.unlocked()


class OrderedGroup(Group):
    """A group of consumers with ordered listeners; ``limits`` are in ticks.

    With ``forgets``, only the newest of a consumer's delayed unlock requests remains, and the newest of those in
    flight, as in the model. The others never arrive.
    """

    def __init__(self, setup: Setup, limits: Limits = TICKS, *, forgets: bool = True) -> None:
        self.now = 0
        self.limits = in_ms(limits)
        self.brokers = [RebalanceLockManager(number(self.limits.broker)) for _ in setup.queues]
        super().__init__(setup, forgets=forgets)

    def process(self, who: int) -> OrderedProcess:
        # A client id of the model is a number from 1.
        return OrderedProcess(self.setup, who + 1, self.brokers, self.limits, self.now)

    def _all(self) -> list[OrderedConsumer]:
        return [consumer for queue in range(len(self.setup.queues)) for consumer in self.consumers(queue)]

    def _process(self, who: int) -> OrderedProcess:
        process = self.processes[who]
        assert isinstance(process, OrderedProcess)
        return process

    def forget(self) -> None:
        for consumer in self._all():
            consumer.unlocks = min(consumer.unlocks, 1)
            del consumer.put_off[:-1]

    def renews(self, who: int) -> None:
        """The consumer renews its locks."""
        self._lives(who)
        self._process(who).renews(heard=True)

    def renews_unheard(self, who: int) -> None:
        """The consumer renews its locks, and the answers are lost."""
        self._lives(who)
        self._process(who).renews(heard=False)

    def broker_restarts(self) -> None:
        """The broker restarts and loses its locks, which are in memory only."""
        for broker in self.brokers:
            broker.restarts()

    def tick(self) -> None:
        """Ten seconds pass. This is possible if no rebalance, renewal or other move is due before."""
        then = self.now + TICK
        need(not self.registry.told)
        for who, lives in enumerate(self.lives):
            process = self._process(who)
            need(not lives or then <= min(process.rebalanced_at, process.renewed_at) + PERIOD * TICK)
        every = self._all()
        need(all(one.listener is None or then <= one.since + self.limits.listener for one in every))
        self.now = then
        for consumer in (*every, *(one for process in self.processes for one in self._of(process))):
            consumer.now = then
        for consumer in every:
            # Pull requests of a live process queue circulate all the time.
            if consumer.entry is not None and not consumer.entry.dropped:
                consumer.entry.last_pull_timestamp = then

    @staticmethod
    def _of(process: Any) -> list[OrderedConsumer]:
        consumers: list[OrderedConsumer] = process.consumers
        return consumers

    def members(self) -> Mapping[str, Any]:
        processes = [self._process(who) for who in range(self.setup.consumers)]
        return {
            **super().members(),
            "rebalanced": tuple(self._ago(who, process.rebalanced_at) for who, process in enumerate(processes)),
            "renewed": tuple(self._ago(who, process.renewed_at) for who, process in enumerate(processes)),
        }

    def _ago(self, who: int, time: int) -> int:
        """Return the ticks since ``time`` (in ms); 0 if the consumer is not in the group."""
        return (self.now - time) // TICK if self.lives[who] else 0

    def _from_now(self, time: int) -> int:
        """Return the ticks from now to ``time`` (in ms), limited to the model's range."""
        return max(OLDEST, min((time - self.now) // TICK, LATEST))

    def of_broker(self, place: int) -> Mapping[str, int]:
        lock = self.brokers[place].entry
        return {
            "holder": lock.client_id if lock else NOBODY,
            "updated": self._from_now(lock.last_update_timestamp) if lock else 0,
        }

    def of_consumer(self, consumer: OrderedConsumer) -> Mapping[str, int]:
        entry, listener, adding = consumer.entry, consumer.listener, consumer.adding
        marked = entry is not None and entry.dropped
        return {
            "present": entry is not None,
            "dropped": marked,
            "locked": entry is not None and entry.locked,
            "stamp": self._from_now(entry.last_lock_timestamp) if entry else 0,
            "pulls_from": max(0, self._from_now(consumer.pulls_from)) if entry else 0,
            "cached": entry is not None and entry.cached > 0,
            "runs": listener is not None,
            "since": self._from_now(consumer.since) if listener else 0,
            "orphan": listener is not None and listener is not entry,
            "answered": bool(consumer.grants),
            "answered_at": self._from_now(consumer.grants[-1]) if consumer.grants else 0,
            "adding": adding is not None,
            "adding_at": 0 if adding is None else self._from_now(adding),
            "unlocking": consumer.unlocks > 0,
            "later": bool(consumer.put_off),
            "due": self._from_now(consumer.put_off[-1]) if consumer.put_off else 0,
            # A shutdown is one move here.
            "stopping": 0,
            "waits_since": 0,
            "cut": 0,
            "yielded": consumer.yielded,
            "closed": consumer.closed,
            "marked_for": min((self.now - entry.last_pull_timestamp) // TICK, OVERDUE) if entry and marked else 0,
        }
