"""Python code of a broker's consumer registry, and of its query for a group's client ids.

Mirror of ``ConsumerManager`` and ``ConsumerManageProcessor.getConsumerListByGroup``.
"""

from collections.abc import Callable, Collection

from rebalance_proofs.model.registry.consumer_group_info import Channel, ClientChannelInfo, ConsumerGroupInfo
from rebalance_proofs.model.registry.ids_change_listener import DefaultConsumerIdsChangeListener


class ConsumerManager:
    """The registry of all groups (``consumerTable``). Times are in ms.

    A heartbeat is registered in two steps, because the table can change between them.
    """

    def __init__(self, listener: DefaultConsumerIdsChangeListener, channel_expired_timeout: int) -> None:
        self.consumer_table: dict[str, ConsumerGroupInfo] = {}
        self.listener = listener
        self.channel_expired_timeout = channel_expired_timeout

    def group_info(self, group: str) -> ConsumerGroupInfo:
        """First half of ``registerConsumer``: look up the group's record, or make a new one."""
        return self.consumer_table.setdefault(group, ConsumerGroupInfo())

    def register_consumer(self, group: str, found: ConsumerGroupInfo, info: ClientChannelInfo, now: int) -> None:
        """Second half of ``registerConsumer``: put a heartbeat's channel into the group's record.

        ``found``: the record that the first half has found.
        """
        if found.update_channel(info, now):
            self.listener.handle_change(group, found.get_all_channel())

    def unregister_consumer(self, group: str, channel: Channel) -> None:
        """Remove a member that unregisters; notify the others even if it was not listed."""
        found = self.consumer_table.get(group)
        if found is None:
            return
        found.unregister_channel(channel)
        if not found.channel_info_table:
            self.consumer_table.pop(group, None)
        self.listener.handle_change(group, found.get_all_channel())

    def do_channel_close_event(self, channel: Channel) -> None:
        """Handle a channel that was closed, had an exception, or was idle for too long."""
        for group, found in list(self.consumer_table.items()):
            if found.do_channel_close_event(channel):
                if not found.channel_info_table:
                    self.consumer_table.pop(group, None)
                self.listener.handle_change(group, found.get_all_channel())

    def scan_not_active_channel(
        self, now: int, close_channel: Callable[[Channel], None] = lambda channel: None
    ) -> Collection[Channel]:
        """Remove and return expired channels, after ``close_channel`` has closed each.

        This sends no notification.
        """
        removed: set[Channel] = set()
        for group, found in list(self.consumer_table.items()):
            for channel, info in list(found.channel_info_table.items()):
                if now - info.last_update_timestamp > self.channel_expired_timeout:
                    removed.add(channel)
                    close_channel(channel)
                    found.channel_info_table.pop(channel, None)
            if not found.channel_info_table and self.consumer_table.get(group) is found:
                self.consumer_table.pop(group)
        return removed

    def get_consumer_list_by_group(self, group: str) -> list[str] | None:
        """Return the members' ids; None if the broker answers "no consumer for this group".

        Never an empty list.
        """
        found = self.consumer_table.get(group)
        return (found.get_all_client_id() or None) if found else None
