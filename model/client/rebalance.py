"""A complete rebalance, topic by topic, as all versions of the Java client share it."""

from abc import abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress

from rebalance_proofs.model.client.effects import (
    FIND_CONSUMER_IDS,
    HEARTBEAT,
    LISTENER,
    LOCK,
    LOCK_BATCH,
    NULL_POINTER,
    OUT,
    PROCESS_QUEUE_LOCKED,
    PULL_THRESHOLD,
    PULL_THRESHOLD_SIZE,
    QUEUE_CHANGED,
    UNLOCK_BATCH,
    RuntimeException,
)
from rebalance_proofs.model.client.environment import (
    BENIGN,
    DENIED,
    EXC,
    NO_BROKER,
    OK,
    UNLOCK_EXC,
    Answers,
    Environment,
)
from rebalance_proofs.model.client.process_queue_table import Iterate, ProcessQueue, ProcessQueueTable, as_they_come
from rebalance_proofs.model.client.pull_from_where import is_retry
from rebalance_proofs.model.client.settings import PUSH, Listener, Settings
from rebalance_proofs.model.profiles import JAVA_V5, Profile
from rebalance_proofs.model.queues import MessageQueue

# Renewal and release of all queue locks that an ordered consumer holds at brokers.
# Mirror of ``lockAll`` and ``unlockAll``.


class BrokerLocks(ProcessQueueTable):
    """Methods that renew or release the locks of all of a client's queues at once."""

    groups_by_destination = False
    """True if a static topic's queues are grouped by the broker that they are on, not by their logical broker."""

    @abstractmethod
    def renewed(self, entry: ProcessQueue) -> bool:
        """Return whether ``lockAll`` and ``unlockAll`` include the process queue in their requests."""

    def destination(self, queue: MessageQueue) -> str | None:
        """Return the broker that receives lock requests for the queue."""
        return queue.broker_name

    def answered(self, queues: Collection[MessageQueue], granted: Collection[MessageQueue]) -> Iterable[MessageQueue]:
        """Return the queues of a request in the order in which ``lockAll`` records the response."""
        return self.iterate("set", queues)

    def lock_all(self) -> None:
        """Request the locks of all queues from each broker.

        Record the responses in the process queues. Mirror of ``lockAll``.
        """
        for queues in self._by_broker():
            said = [self._answer(queue).lock for queue in queues]
            if EXC in said:
                self._record_batch(LOCK, LOCK_BATCH, queues, EXC)
                continue
            granted = [queue for queue, word in zip(queues, said, strict=True) if word in (OK, UNLOCK_EXC)]
            self._record_batch(LOCK, LOCK_BATCH, queues, granted)
            for queue in self.answered(queues, granted):
                entry = self.process_queue_table[queue]
                self.believe(entry, granted=queue in granted)
                self.environment.record(PROCESS_QUEUE_LOCKED, queue, int(entry.locked))

    def believe(self, entry: ProcessQueue, *, granted: bool) -> None:
        """Record the broker's response about one lock in the process queue ``entry``."""
        entry.locked = granted
        if granted:
            entry.last_lock_timestamp = self.environment.now

    def unlock_all(self) -> None:
        """Release all locks at shutdown (``unlockAll``)."""
        for queues in self._by_broker():
            fails = any(self._answer(queue).lock == UNLOCK_EXC for queue in queues)
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
        """Return the table's queues, one list per broker whose address is known.

        Mirror of ``buildProcessQueueTableByBrokerName``.
        """
        found: dict[str | None, list[MessageQueue]] = {}
        for queue in self.iterate("table", self.process_queue_table):
            if self.renewed(self.process_queue_table[queue]) and self._answer(queue).lock != NO_BROKER:
                broker_name = self.destination(queue)
                queues = found.get(broker_name)
                if queues is None:
                    # Up to 5.4.0, the table is written under one broker name and looked up under another, where the
                    # two differ: rocketmq#10183.
                    queues = found[broker_name if self.groups_by_destination else queue.broker_name] = []
                queues.append(queue)
        return [found[name] for name in self.iterate("brokers", found) if self.environment.has_address(name)]

    def _answer(self, queue: MessageQueue) -> Answers:
        return self.environment.answers.get(queue, BENIGN)

    def _record_batch(self, one: str, several: str, queues: list[MessageQueue], said: str | list[MessageQueue]) -> None:
        if len(queues) == 1:
            word = said if said == EXC else OK if said else DENIED
            self.environment.record(one, queues[0], word)
        else:
            self.environment.record(several, None, tuple(queues), said if said == EXC else tuple(said))


# A Java client's reaction to a change of its process queue table.


class QueueChanged(ProcessQueueTable):
    """A client's reaction when a rebalance changes its queues (``messageQueueChanged``)."""

    subscription_inner: Sequence[str] = ()
    """The topics that the user subscribes to."""

    def message_queue_changed(
        self, topic: str, mq_all: Collection[MessageQueue] | None, mine: Collection[MessageQueue]
    ) -> None:
        """React to a changed set of queues: divide thresholds again, send a heartbeat.

        The thresholds are a topic's limits of cached messages, divided among its queues. Mirror of
        ``messageQueueChanged``. ``mq_all`` is None if a broker has divided the queues. Raises
        ``RuntimeException`` for a push consumer that has just unsubscribed from the topic: it raises the
        version of a subscription that no longer exists.
        """
        self.environment.record(QUEUE_CHANGED, None, topic, None if mq_all is None else tuple(mq_all), tuple(mine))
        if self.settings.kind is not PUSH:
            with suppress(RuntimeException):
                self._tell_listener(topic, mq_all, mine)
            return
        if topic not in self.subscription_inner:
            raise RuntimeException(NULL_POINTER)
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
    """True if a push consumer calls the ``MessageQueueListener``."""

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


Allocation = Callable[[Sequence[MessageQueue], Sequence[str]], Sequence[MessageQueue] | None]
"""``allocate(mq_all, cid_all)`` returns the queues of one client.

It may raise any exception.
"""


class RebalanceImpl(BrokerLocks, QueueChanged):
    """One client's rebalance and its process queue table.

    The arguments are those of ``ProcessQueueTable``.
    """

    profile: Profile = JAVA_V5
    """The client's sort orders; those of 4.9 are the same."""
    balanced_at_first: bool | None = True
    """The result of a rebalance without topics; None where the client's method has no result."""
    on_failure: bool | None = False
    """The result of ``rebalance_by_topic`` if the topic's queues could not be divided."""

    def __init__(
        self,
        environment: Environment,
        settings: Settings | None = None,
        *,
        iterate: Iterate = as_they_come,
    ) -> None:
        super().__init__(environment, settings, iterate=iterate)
        self.topic_subscribe_info_table: Mapping[str, Collection[MessageQueue]] = {}
        """The queues of each topic by the last route; a topic without a route is missing."""
        self.consumer_ids: Mapping[str, Sequence[str]] = {}
        """The group's client ids, as returned by a broker of each topic.

        A topic is missing if no broker responds.
        """
        self.allocate: Allocation = lambda mq_all, cid_all: mq_all

    def do_rebalance(self, is_order: bool) -> bool | None:
        """Rebalance every subscribed topic, then remove the queues of other topics.

        Mirror of ``doRebalance``.
        """
        balanced: bool | None = self.balanced_at_first
        for topic in self._topics():
            try:
                result = self.rebalance_one(topic, is_order)
            except RuntimeException:
                if is_retry(topic):
                    continue
                result = self.on_failure
            balanced = self.conclude(balanced, result)
        self.truncate_message_queue_not_my_topic()
        return balanced

    def _topics(self) -> Iterator[str]:
        """Yield the subscribed topics like an iterator of Java's ``subscriptionInner``.

        The iterator determines the next topic when it returns one. So the iteration includes topics that are
        added or removed meanwhile, except for the next one.
        """
        known: Sequence[str] = ()
        upcoming = next(iter(self.iterate("topics", self.subscription_inner)), None)
        while upcoming is not None:
            topic = upcoming
            known = tuple(dict.fromkeys((*known, *self.subscription_inner)))
            order = list(self.iterate("topics", known))
            behind = order[order.index(topic) + 1 :]
            upcoming = next((each for each in behind if each in self.subscription_inner), None)
            yield topic

    def conclude(self, before: bool | None, topic: bool | None) -> bool | None:
        """Return the result of ``doRebalance`` after one more topic.

        ``before``: the result so far. ``topic``: the result for that topic.
        """
        return topic

    def rebalance_one(self, topic: str, is_order: bool) -> bool | None:
        """Rebalance one topic as part of ``doRebalance``."""
        return self.rebalance_by_topic(topic, is_order)

    def rebalance_by_topic(self, topic: str, is_order: bool) -> bool | None:
        """Rebalance one topic, and return whether the client now has exactly its queues.

        Mirror of ``rebalanceByTopic``. Returns None where the client's method has no result. Raises
        ``RuntimeException`` where the client's method throws one.
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
        return self.divide(topic, mq_set, cid_all, is_order)

    def divide(
        self, topic: str, mq_set: Collection[MessageQueue], cid_all: Sequence[str], is_order: bool
    ) -> bool | None:
        """Call the strategy and take the client's share: the second half of ``rebalance_by_topic``."""
        cid_all = self.sort_ids(cid_all)
        mq_all = list(self.iterate("set", mq_set))
        try:
            result = self.allocate(self.profile.sort_queues(mq_all), cid_all)
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
        """Sort in place like ``Collections.sort``.

        Raises ``RuntimeException`` for a list that cannot be changed.
        """
        if isinstance(cid_all, tuple):
            raise RuntimeException("UnsupportedOperationException")
        return self.profile.sort_client_ids(cid_all)

    def broadcast_order(self, is_order: bool) -> bool:
        """Return whether a broadcasting consumer requests the broker's locks."""
        return is_order

    def without_route(self, topic: str) -> None:
        """React to a topic without a known route; 4.9 only logs it, so do nothing."""
        return

    def balanced(self, topic: str, mine: Collection[MessageQueue]) -> bool | None:
        """Return whether the topic's queues in the table are exactly those of ``mine``.

        Dropped process queues do not count.
        """
        return self.working_message_queues(topic) == set(mine)

    def truncate_message_queue_not_my_topic(self) -> None:
        """Drop and remove the process queues of unsubscribed topics.

        There are no further effects. Mirror of ``truncateMessageQueueNotMyTopic``.
        """
        for queue in list(self.iterate("table", self.process_queue_table)):
            if queue.topic not in self.subscription_inner:
                entry = self.process_queue_table.pop(queue)
                self.environment.record(OUT, queue)
                self.drop(queue, entry)
