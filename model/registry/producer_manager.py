"""A broker's registry of producers (``ProducerManager``), as far as consumers are concerned: each client has one."""

from collections.abc import Callable, Collection

from rebalance_proofs.model.registry.consumer_group_info import Channel, ClientChannelInfo

__all__ = ["CLIENT_INNER_PRODUCER", "ProducerManager"]

CLIENT_INNER_PRODUCER = "CLIENT_INNER_PRODUCER"
"""The group of the producer that every client instance has (``MQClientInstance``)."""


class ProducerManager:
    """``groupChannelTable``. A heartbeat makes one record for its producers and consumers. Times are in ms."""

    def __init__(self, channel_expired_timeout: int) -> None:
        self.group_channel_table: dict[str, dict[Channel, ClientChannelInfo]] = {}
        self.channel_expired_timeout = channel_expired_timeout

    def register_producer(self, group: str, info: ClientChannelInfo, now: int) -> None:
        """A heartbeat has come."""
        table = self.group_channel_table.setdefault(group, {})
        table.setdefault(info.channel, info).last_update_timestamp = now

    def do_channel_close_event(self, channel: Channel) -> None:
        """A connection was closed, had an exception, or was idle for too long."""
        for table in self.group_channel_table.values():
            table.pop(channel, None)

    def scan_not_active_channel(self, now: int, close_channel: Callable[[Channel], None]) -> Collection[Channel]:
        """The channels that it removes, and closes then; ``close_channel`` does that."""
        removed: set[Channel] = set()
        for table in self.group_channel_table.values():
            for channel, info in list(table.items()):
                if now - info.last_update_timestamp > self.channel_expired_timeout:
                    removed.add(channel)
                    table.pop(channel, None)
                    close_channel(channel)
        return removed
