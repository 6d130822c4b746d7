"""What the Java client's generations have in common: ``RebalanceImpl`` and its three sub-classes."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress

from model.client.effects import (
    DROP,
    FIND_CONSUMER_IDS,
    HEARTBEAT,
    LISTENER,
    LOCK,
    LOCK_BATCH,
    OUT,
    PROCESS_QUEUE_LOCKED,
    PULL_THRESHOLD,
    PULL_THRESHOLD_SIZE,
    QUEUE_CHANGED,
    UNLOCK_BATCH,
)
from model.client.environment import BENIGN, DENIED, EXC, NO_BROKER, OK, UNLOCK_EXC, Environment
from model.client.errors import MQClientException, RuntimeException
from model.client.process_queue import ProcessQueue
from model.client.pull_from_where import is_retry
from model.client.settings import PUSH, Listener, Settings
from model.queues import MessageQueue

Allocation = Callable[[Sequence[MessageQueue], Sequence[str]], Sequence[MessageQueue] | None]
"""``allocate(mq_all, cid_all)`` of one client; may raise anything."""


class RebalanceImpl(ABC):
    """One client's rebalance, and its table of queues.

    ``iterate`` gives the order in which the client's hash tables are gone through; as they come, unless told. It is
    asked for the ``table``, the entries to be ``removed``, a ``set`` of queues, and those whose lock was ``granted``.
    """

    def __init__(
        self,
        environment: Environment,
        settings: Settings | None = None,
        *,
        iterate: Callable[[str, Collection[MessageQueue]], Iterable[MessageQueue]] = lambda table, queues: queues,
    ) -> None:
        self.environment = environment
        self.settings = settings or Settings()
        self.iterate = iterate
        self.process_queue_table: dict[MessageQueue, ProcessQueue] = {}
        self.subscription_inner: Sequence[str] = ()
        """The topics that the user subscribes to."""
        self.topic_subscribe_info_table: Mapping[str, Collection[MessageQueue]] = {}
        """Topic -> its queues by the last route; no entry when there is no route."""
        self.consumer_ids: Mapping[str, Sequence[str]] = {}
        """Topic -> the group's client ids, as a broker of the topic says; no entry when none answers."""
        self.allocate: Allocation = lambda mq_all, cid_all: mq_all

    @property
    def _clustered_order(self) -> bool:
        """The group's broker locks matter to this consumer."""
        return self.settings.orderly and not self.settings.broadcasting

    broker_exception_is_not_found = False
    """Its offset store takes any exception of a broker for "there is no offset"."""

    # -- the table

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
        """``computePullFromWhere``: -1 in the place of an ``MQClientException``."""
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
        """``removeProcessQueue``: the entry goes, whether its lock could be given back or not."""
        entry = self.process_queue_table.pop(queue, None)
        if entry is not None:
            self.environment.record(OUT, queue)
            self.drop(queue, entry)
            self.remove_unnecessary_message_queue(queue, entry)

    def truncate_message_queue_not_my_topic(self) -> None:
        """``truncateMessageQueueNotMyTopic``: entries of topics that are not subscribed any more go, and no more."""
        for queue in list(self.iterate("table", self.process_queue_table)):
            if queue.topic not in self.subscription_inner:
                entry = self.process_queue_table.pop(queue)
                self.environment.record(OUT, queue)
                self.drop(queue, entry)

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

    # -- the broker's locks

    @abstractmethod
    def renewed(self, entry: ProcessQueue) -> bool:
        """Whether ``lockAll`` and ``unlockAll`` speak of the entry."""

    def answered(self, queues: Collection[MessageQueue], granted: Collection[MessageQueue]) -> Iterable[MessageQueue]:
        """In which order ``lockAll`` takes note of a broker's answer."""
        return self.iterate("set", queues)

    def lock_all(self) -> None:
        """``lockAll``: asks every broker for the locks of all its queues, and believes the answer."""
        for queues in self._by_broker():
            said = [self.environment.answers.get(queue, BENIGN).lock for queue in queues]
            if EXC in said:
                self._record_batch(LOCK, LOCK_BATCH, queues, EXC)
                continue
            granted = [queue for queue, word in zip(queues, said, strict=True) if word in (OK, UNLOCK_EXC)]
            self._record_batch(LOCK, LOCK_BATCH, queues, granted)
            for queue in self.answered(queues, granted):
                entry = self.process_queue_table[queue]
                entry.locked = queue in granted
                if entry.locked:
                    entry.last_lock_timestamp = self.environment.now
                self.environment.record(PROCESS_QUEUE_LOCKED, queue, int(entry.locked))

    def unlock_all(self) -> None:
        """``unlockAll``, at shutdown."""
        for queues in self._by_broker():
            fails = any(self.environment.answers.get(queue, BENIGN).lock == UNLOCK_EXC for queue in queues)
            if len(queues) == 1:
                self.environment.unlock(queues[0])
            else:
                self.environment.record(UNLOCK_BATCH, None, tuple(queues), *([EXC] if fails else []))
            if fails:
                continue
            for queue in self.iterate("set", queues):
                self.process_queue_table[queue].locked = False
                self.environment.record(PROCESS_QUEUE_LOCKED, queue, 0)

    def _by_broker(self) -> list[list[MessageQueue]]:
        """``buildProcessQueueTableByBrokerName``."""
        found: dict[str, list[MessageQueue]] = {}
        for queue, entry in self.process_queue_table.items():
            if self.renewed(entry) and self.environment.answers.get(queue, BENIGN).lock != NO_BROKER:
                found.setdefault(queue.broker_name, []).append(queue)
        return list(found.values())

    def _record_batch(self, one: str, several: str, queues: list[MessageQueue], said: str | list[MessageQueue]) -> None:
        if len(queues) == 1:
            word = said if said == EXC else OK if said else DENIED
            self.environment.record(one, queues[0], word)
        else:
            self.environment.record(several, None, tuple(queues), said if said == EXC else tuple(said))

    # -- a whole rebalance

    def do_rebalance(self, is_order: bool) -> bool | None:
        """``doRebalance``: every subscribed topic, then what is left of others."""
        balanced: bool | None = self.balanced_at_first
        for topic in self.subscription_inner:
            try:
                result = self.rebalance_one(topic, is_order)
            except RuntimeException:
                if is_retry(topic):
                    continue
                result = self.on_failure
            balanced = self.conclude(balanced, result)
        self.truncate_message_queue_not_my_topic()
        return balanced

    balanced_at_first: bool | None = True
    on_failure: bool | None = False

    def conclude(self, before: bool | None, topic: bool | None) -> bool | None:
        """What ``doRebalance`` says after one more topic."""
        return topic

    def rebalance_one(self, topic: str, is_order: bool) -> bool | None:
        """One topic's part of ``doRebalance``."""
        return self.rebalance_by_topic(topic, is_order)

    def rebalance_by_topic(self, topic: str, is_order: bool) -> bool | None:
        """``rebalanceByTopic``: whether the client now has what it should; None where the client does not tell.

        Raises ``RuntimeException`` where one leaves the client's method.
        """
        mq_set = self.topic_subscribe_info_table.get(topic)
        if self.settings.broadcasting:
            if mq_set is None:
                self.without_route(topic)
                return self.balanced_at_first
            return self._take(topic, mq_set, mq_set, self.broadcast_order(is_order))
        self.environment.record(FIND_CONSUMER_IDS, None, topic)
        cid_all = self.consumer_ids.get(topic)
        if mq_set is None and not is_retry(topic):
            self.without_route(topic)
        if mq_set is None or cid_all is None:
            return self.balanced_at_first
        cid_all = self.sort_ids(cid_all)
        try:
            result = self.allocate(sorted(mq_set), cid_all)
        except Exception:  # the client catches Throwable here
            return self.on_failure
        return self._take(topic, mq_set, () if result is None else result, is_order)

    def _take(
        self, topic: str, mq_all: Collection[MessageQueue], mine: Collection[MessageQueue], is_order: bool
    ) -> bool | None:
        mine = dict.fromkeys(mine)
        changed = self.update_process_queue_table_in_rebalance(topic, mine, is_order)
        if changed:
            self.message_queue_changed(topic, mq_all, mine)
        return self.balanced(topic, mine)

    def sort_ids(self, cid_all: Sequence[str]) -> Sequence[str]:
        """``Collections.sort``, in place: raises ``RuntimeException`` for a list that cannot be changed."""
        if isinstance(cid_all, tuple):
            raise RuntimeException("UnsupportedOperationException")
        return sorted(cid_all)

    def broadcast_order(self, is_order: bool) -> bool:
        """Whether a broadcasting consumer asks for the broker's locks."""
        return is_order

    def without_route(self, topic: str) -> None:
        """The topic has no queues that the client knows of; 4.9 only logs that."""
        return

    def balanced(self, topic: str, mine: Collection[MessageQueue]) -> bool | None:
        """Whether the table now has what it should."""
        return self.working_message_queues(topic) == set(mine)

    # -- what follows a change

    def message_queue_changed(
        self, topic: str, mq_all: Collection[MessageQueue] | None, mine: Collection[MessageQueue]
    ) -> None:
        """``messageQueueChanged``: the thresholds of a topic are divided anew, and the brokers are told.

        ``mq_all`` is None when a broker has divided the queues.
        """
        self.environment.record(QUEUE_CHANGED, None, topic, None if mq_all is None else tuple(mq_all), tuple(mine))
        if self.settings.kind is not PUSH:
            with suppress(RuntimeException):
                self._tell_listener(topic, mq_all, mine)
            return
        count = len(self.process_queue_table)
        if count:
            for name, threshold in (
                (PULL_THRESHOLD, self.settings.pull_threshold_for_topic),
                (PULL_THRESHOLD_SIZE, self.settings.pull_threshold_size_for_topic),
            ):
                if threshold != -1:
                    self.environment.record(name, None, max(1, threshold // count))
        self.environment.record(HEARTBEAT, None)
        if self.pushes_to_listener:
            self._tell_listener(topic, mq_all, mine)

    pushes_to_listener = False
    """Whether a push consumer's ``MessageQueueListener`` is called."""

    def _tell_listener(
        self, topic: str, mq_all: Collection[MessageQueue] | None, mine: Collection[MessageQueue]
    ) -> None:
        said = self.settings.listener
        if said is None:
            return
        throws = said is Listener.THROWS
        details = (topic, None if mq_all is None else tuple(mq_all), tuple(mine), *(["throw"] if throws else []))
        self.environment.record(LISTENER, None, *details)
        if throws:
            raise RuntimeException("listener")
