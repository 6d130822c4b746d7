"""Differences between clients as ordered consumers."""

from dataclasses import dataclass

__all__ = ["OrderedRules"]


@dataclass(frozen=True)
class OrderedRules:
    """Rules of an ordered consumer, besides those of its rebalance."""

    returns_dropped: bool
    """Whether a shutdown gives back the locks of entries that are marked, too."""
    waits_for_listener: bool = True
    """Whether a shutdown can be told to wait for the listener (``awaitTerminationMillisWhenShutdown``)."""
    renews_marked: bool = False
    """Whether ``lockAll`` asks for the locks of entries that are marked, too
    (``buildProcessQueueTableByBrokerName``)."""
    renews_on: bool = False
    """Whether a second renewer runs beside the first, and shutdown does not stop it: from Java 5.0 on
    ``DefaultMQPushConsumerImpl.start`` starts ``consumeMessagePopService`` as well, whose orderly variant calls
    ``lockAll`` in the same period."""
    constants: tuple[str, ...] = ()
    """Names of limits of time (``Limits``) that are constants of the client: no setting changes them."""
    stamps_denials: bool = False
    """Whether a renewal that was denied sets ``lastLockTimestamp``, too."""
