"""A Java client's reaction to a change of its process queue table."""

from collections.abc import Collection, Sequence
from contextlib import suppress

from rebalance_proofs.model.client.effects import (
    HEARTBEAT,
    LISTENER,
    PULL_THRESHOLD,
    PULL_THRESHOLD_SIZE,
    QUEUE_CHANGED,
)
from rebalance_proofs.model.client.errors import NULL_POINTER, RuntimeException
from rebalance_proofs.model.client.process_queue_table import ProcessQueueTable
from rebalance_proofs.model.client.settings import PUSH, Listener
from rebalance_proofs.model.queues import MessageQueue


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
