"""Python code of a broker's producer registry (``ProducerManager``).

It matters here because every client instance has a producer, whose expired channel is closed, too.
"""

from collections.abc import Callable, Collection

from rebalance_proofs.model.registry.consumer_group_info import Channel, ClientChannelInfo

CLIENT_INNER_PRODUCER = "CLIENT_INNER_PRODUCER"
"""Producer group that every client instance joins (``MQClientInstance``)."""


class ProducerManager:
    """The channels of all producer groups (``groupChannelTable``). Times are in ms.

    Up to 5.5.0, a heartbeat has one ``ClientChannelInfo`` for its producers and consumers.
    """

    def __init__(self, channel_expired_timeout: int) -> None:
        self.group_channel_table: dict[str, dict[Channel, ClientChannelInfo]] = {}
        self.channel_expired_timeout = channel_expired_timeout

    def register_producer(self, group: str, info: ClientChannelInfo, now: int) -> None:
        """Register a producer's heartbeat."""
        table = self.group_channel_table.setdefault(group, {})
        table.setdefault(info.channel, info).last_update_timestamp = now

    def do_channel_close_event(self, channel: Channel) -> None:
        """Handle a channel that was closed, had an exception, or was idle for too long."""
        for table in self.group_channel_table.values():
            table.pop(channel, None)

    def scan_not_active_channel(self, now: int, close_channel: Callable[[Channel], None]) -> Collection[Channel]:
        """Remove and return expired channels; close each by ``close_channel`` afterwards."""
        removed: set[Channel] = set()
        for table in self.group_channel_table.values():
            for channel, info in list(table.items()):
                if now - info.last_update_timestamp > self.channel_expired_timeout:
                    removed.add(channel)
                    table.pop(channel, None)
                    close_channel(channel)
        return removed
