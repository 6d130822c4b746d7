"""In what the clients differ, as ordered consumers."""

from dataclasses import dataclass

__all__ = ["OrderedRules"]


@dataclass(frozen=True)
class OrderedRules:
    """Besides their rebalance."""

    returns_dropped: bool
    """At shutdown the locks of entries that are marked are given back too."""
    waits_for_listener: bool = True
    """It can be told to wait for its listener when it is shut down (``awaitTerminationMillisWhenShutdown``)."""
    renews_marked: bool = False
    """``lockAll`` asks for the locks of entries that are marked, too (``buildProcessQueueTableByBrokerName``)."""
    renews_on: bool = False
    """A second renewer runs beside the first, and shutdown does not stop it: from Java 5.0 on
    ``DefaultMQPushConsumerImpl.start`` starts ``consumeMessagePopService`` as well, whose orderly variant calls
    ``lockAll`` in the same period."""
    constants: tuple[str, ...] = ()
    """Limits of time (``Limits``) that are constants: no setting changes them."""
    stamps_denials: bool = False
    """``lastLockTimestamp`` is set by a renewal that was denied, too."""
