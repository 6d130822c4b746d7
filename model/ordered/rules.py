"""Differences between clients in ordered consumption."""

from dataclasses import dataclass


@dataclass(frozen=True)
class OrderedRules:
    """Rules of an ordered consumer, apart from those of its rebalance."""

    returns_dropped: bool
    """Whether a shutdown unlocks dropped process queues, too."""
    waits_for_listener: bool = True
    """Whether a shutdown can wait for the listener (``awaitTerminationMillisWhenShutdown``)."""
    renews_marked: bool = False
    """Whether ``lockAll`` renews locks of dropped process queues.

    See ``buildProcessQueueTableByBrokerName``.
    """
    renews_on: bool = False
    """Whether a second thread renews locks, which shutdown does not stop.

    From Java 5.0 on, ``DefaultMQPushConsumerImpl.start`` also starts ``consumeMessagePopService``, whose orderly
    variant calls ``lockAll`` with the same period.
    """
    constants: tuple[str, ...] = ()
    """Names of ``Limits`` fields that are constants of the client, not settings."""
    stamps_denials: bool = False
    """Whether a denied renewal sets ``lastLockTimestamp`` as a granted one does."""
