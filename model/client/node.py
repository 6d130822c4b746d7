"""The rebalance of the Node client, ali-ons.

It has neither ordered consumption nor broker locks. A process queue is removed from the table before its offset is
sent. An error during the rebalance skips all remaining topics.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from rebalance_proofs.model.client.effects import DROP, EMIT, FIND_CONSUMER_IDS, IN, OUT, PULL_REQUEST
from rebalance_proofs.model.client.environment import NO_BROKER, NOT_FOUND, THROWS
from rebalance_proofs.model.client.node_environment import (
    LocalMemoryOffsetStore,
    NodeEnvironment,
    OffsetStore,
    RemoteBrokerOffsetStore,
    scripted,
)
from rebalance_proofs.model.client.process_queue_table import ProcessQueue
from rebalance_proofs.model.client.pull_from_where import ConsumeFromWhere, is_retry
from rebalance_proofs.model.client.settings import Settings
from rebalance_proofs.model.profiles import NODE, ClientError
from rebalance_proofs.model.queues import MessageQueue


class NodeProcessQueue(ProcessQueue):
    """A process queue with the offset of the next pull. Node stores both in the same table."""

    __slots__ = ("next_offset",)

    def __init__(
        self,
        next_offset: int,
        *,
        dropped: bool = False,
        locked: bool = False,
        last_pull_timestamp: int = 0,
        last_lock_timestamp: int = 0,
        cached: int = 0,
    ) -> None:
        super().__init__(
            dropped=dropped,
            locked=locked,
            last_pull_timestamp=last_pull_timestamp,
            last_lock_timestamp=last_lock_timestamp,
            cached=cached,
        )
        self.next_offset = next_offset


class Node:
    """One Node client's rebalance and its process queue table.

    The table is iterated in insertion order, like JavaScript's maps. It uses the settings ``broadcasting`` and
    ``consume_from_where``; every consumer is a push consumer. Its methods raise ``ClientError``, or whatever
    ``allocate`` raises.
    """

    def __init__(self, environment: NodeEnvironment, settings: Settings | None = None) -> None:
        self.environment = environment
        self.settings = settings or Settings()
        store = LocalMemoryOffsetStore if self.settings.broadcasting else RemoteBrokerOffsetStore
        self.offset_store: OffsetStore = store(environment)
        self.process_queue_table: dict[MessageQueue, NodeProcessQueue] = {}
        self.subscription_inner: Sequence[str] = ()
        """The topics that the user subscribes to."""
        self.topic_subscribe_info_table: Mapping[str, Sequence[MessageQueue]] = {}
        """The queues of each topic by the last route; a topic without a route is missing."""
        self.consumer_ids: Mapping[str, Sequence[str] | str] = {}
        """The group's client ids, as returned by a broker of each topic.

        A topic is missing if the response has no body.

        ``THROWS`` instead of ids: the call fails. ``NO_BROKER``: the client knows no broker of the topic.
        """
        self.allocate: Callable[[Sequence[MessageQueue], Sequence[str]], Sequence[MessageQueue] | None] = (
            lambda mq_all, cid_all: mq_all
        )

    # -- the process queue table

    def update_process_queue_table_in_rebalance(self, topic: str, mq_set: Collection[MessageQueue] | None) -> bool:
        """Update the table for one topic, and return whether it has changed.

        Obsolete process queues are removed one by one; then new ones are added. A process queue is obsolete if
        its queue is no longer the client's, or if its pull has expired. Raises ``ClientError`` if an offset
        could not be sent; the remaining removals and additions are then skipped.
        """
        table, environment = self.process_queue_table, self.environment
        if mq_set is None:
            raise self._null_set(topic)
        changed = False
        for queue, entry in _live(table):
            if queue.topic != topic:
                continue
            if queue not in mq_set or entry.is_pull_expired(environment.now):
                entry.dropped = True
                environment.effects.append((DROP, queue))
                environment.awaited(self.remove_process_queue, queue)
                changed = True

        for queue in mq_set:
            if queue in table:
                continue
            next_offset = environment.awaited(self.compute_pull_from_where, queue)
            if queue in table:  # another call has added the queue during the await
                continue
            if next_offset >= 0:
                now = environment.now
                table[queue] = NodeProcessQueue(next_offset, last_pull_timestamp=now, last_lock_timestamp=now)
                environment.effects.append((IN, queue))
                environment.effects.append((PULL_REQUEST, queue, next_offset))
                changed = True
        return changed

    def remove_process_queue(self, queue: MessageQueue) -> None:
        """Remove the process queue from the table, then send its offset.

        The process queue is not marked as dropped. Mirror of ``removeProcessQueue``.
        """
        if self.process_queue_table.pop(queue, None) is not None:
            self.environment.effects.append((OUT, queue))
            self.environment.awaited(self._remove_unnecessary_message_queue, queue)

    def _remove_unnecessary_message_queue(self, queue: MessageQueue) -> None:
        self.environment.awaited(self.offset_store.persist, queue)
        self.offset_store.remove_offset(queue)

    def compute_pull_from_where(self, queue: MessageQueue) -> int:
        """Return the start offset, or a negative number if there is none (``computePullFromWhere``).

        It never throws.
        """
        environment, where = self.environment, self.settings.consume_from_where
        offset = environment.awaited(self.offset_store.read_offset, queue)
        if offset >= 0:
            return offset
        if where is ConsumeFromWhere.FIRST_OFFSET:
            return 0
        if offset != NOT_FOUND:
            return -1
        try:
            if where is ConsumeFromWhere.TIMESTAMP:
                query = environment.max_offset if is_retry(queue.topic) else environment.search_offset
                return environment.awaited(query, queue)
            return 0 if is_retry(queue.topic) else environment.awaited(environment.max_offset, queue)
        except ClientError:
            environment.report()
            return -1

    def _null_set(self, topic: str) -> ClientError:
        """Return JavaScript's error at the first use of a null ``mq_set``."""
        if any(queue.topic == topic for queue in self.process_queue_table):
            return ClientError("TypeError", "Cannot read properties of null (reading 'some')")
        return ClientError("TypeError", "mqSet is not iterable")

    # -- a whole rebalance

    def do_rebalance(self) -> None:
        """Rebalance each subscribed topic, up to the first that throws.

        Queues of unsubscribed topics stay. Mirror of ``doRebalance``.
        """
        for topic in self.subscription_inner:
            self.environment.awaited(self.rebalance_by_topic, topic)

    def rebalance_by_topic(self, topic: str) -> None:
        """Rebalance one topic; without queues or ids, the table is unchanged (``rebalanceByTopic``)."""
        environment, mq_set = self.environment, self.topic_subscribe_info_table.get(topic)
        if not mq_set:
            return
        if self.settings.broadcasting:
            changed = environment.awaited(self.update_process_queue_table_in_rebalance, topic, mq_set)
        else:
            cid_all = environment.awaited(self.find_consumer_id_list, topic)
            if not cid_all:
                return
            mine = self.allocate(NODE.sort_queues(mq_set), NODE.sort_client_ids(cid_all))
            changed = environment.awaited(self.update_process_queue_table_in_rebalance, topic, mine)
        if changed:
            environment.effects.append((EMIT, None, f"topic_{topic}_queue_changed"))

    def find_consumer_id_list(self, topic: str) -> Sequence[str] | None:
        """Return the group's client ids; None if the broker's response has no body.

        Mirror of ``findConsumerIdList``.
        """
        self.environment.effects.append((FIND_CONSUMER_IDS, None, topic))
        cid_all = self.consumer_ids.get(topic)
        if cid_all == THROWS:
            raise scripted("cids")
        if cid_all == NO_BROKER:
            raise ClientError("Error", f"The broker of topic[{topic}] not exist")
        return cid_all

    def persist_consumer_offset(self) -> None:
        """Commit all offsets, as the client does every 5 s (``persistConsumerOffset``)."""
        self.environment.awaited(self.offset_store.persist_all, list(self.process_queue_table))


def _live(table: Mapping[MessageQueue, NodeProcessQueue]) -> Iterator[tuple[MessageQueue, NodeProcessQueue]]:
    """Yield the table's queues and process queues like an iteration in JavaScript.

    Entries removed meanwhile are skipped, and entries added meanwhile are included.
    """
    met: dict[int, NodeProcessQueue] = {}
    while True:
        entry = next((each for each in table.items() if id(each[1]) not in met), None)
        if entry is None:
            return
        met[id(entry[1])] = entry[1]
        yield entry
