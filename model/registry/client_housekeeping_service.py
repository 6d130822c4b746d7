"""Python code of a broker's handling of closed connections, and its scan every ten seconds.

Mirror of ``ClientHousekeepingService``.
"""

from collections.abc import Collection

from rebalance_proofs.model.registry.consumer_group_info import Channel
from rebalance_proofs.model.registry.consumer_manager import ConsumerManager
from rebalance_proofs.model.registry.producer_manager import ProducerManager


class ClientHousekeepingService:
    """The service of one broker that removes closed and expired channels.

    The thread of ``NettyEventExecutor`` is informed of channels that a scan closes.
    """

    def __init__(self, producers: ProducerManager, consumers: ConsumerManager) -> None:
        self.producers, self.consumers = producers, consumers

    def on_channel_close(self, channel: Channel) -> None:
        """Handle the end of a connection.

        Mirror of ``onChannelClose``, ``onChannelException`` and ``onChannelIdle``.
        """
        self.producers.do_channel_close_event(channel)
        self.consumers.do_channel_close_event(channel)

    def scan_exception_channel(self, now: int, *, heard_first: bool) -> Collection[Channel]:
        """Scan the producers' and then the consumers' channels; return those that are closed.

        ``now`` is in ms. ``heard_first``: the thread of ``NettyEventExecutor`` handles each close before the
        consumers' scan removes the channel. Otherwise it handles all closes after both scans. Either order is
        possible.
        """
        closed: list[Channel] = []
        close_channel = self.on_channel_close if heard_first else closed.append
        found = self.producers.scan_not_active_channel(now, close_channel)
        removed = {*found, *self.consumers.scan_not_active_channel(now, close_channel)}
        for channel in closed:
            self.on_channel_close(channel)
        return removed
