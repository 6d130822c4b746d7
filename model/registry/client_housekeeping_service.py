"""What a broker does when a connection has ended, and every ten seconds (``ClientHousekeepingService``)."""

from collections.abc import Collection

from rebalance_proofs.model.registry.consumer_group_info import Channel
from rebalance_proofs.model.registry.consumer_manager import ConsumerManager
from rebalance_proofs.model.registry.producer_manager import ProducerManager

__all__ = ["ClientHousekeepingService"]


class ClientHousekeepingService:
    """Of one broker. A channel that a scan closes is heard of by the thread of ``NettyEventExecutor``."""

    def __init__(self, producers: ProducerManager, consumers: ConsumerManager) -> None:
        self.producers, self.consumers = producers, consumers

    def on_channel_close(self, channel: Channel) -> None:
        """``onChannelClose``, ``onChannelException``, ``onChannelIdle``."""
        self.producers.do_channel_close_event(channel)
        self.consumers.do_channel_close_event(channel)

    def scan_exception_channel(self, now: int, *, heard_first: bool) -> Collection[Channel]:
        """The channels that its two scans close, producers first; ``now`` in ms.

        ``heard_first``: that thread has heard of each close before the consumers' scan has removed the channel; else
        it comes when both are over. Nothing says which of the two it is.
        """
        closed: list[Channel] = []
        close_channel = self.on_channel_close if heard_first else closed.append
        found = self.producers.scan_not_active_channel(now, close_channel)
        removed = {*found, *self.consumers.scan_not_active_channel(now, close_channel)}
        for channel in closed:
            self.on_channel_close(channel)
        return removed
