"""Python code of a broker's record of one group: the channels of its members.

Mirror of ``ConsumerGroupInfo`` and ``ClientChannelInfo``.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass


class Channel:
    """A connection, equal only to itself, whichever client is at its end."""


@dataclass(eq=False)
class ClientChannelInfo:
    """The client at the end of a channel, and the time of its last heartbeat.

    A heartbeat has one such object for all its groups and producers (``heartBeat``), and from 5.5.1 on one for each of
    them (rocketmq#10435). With heartbeat V2, it still has one for all (``heartBeatV2``).
    """

    channel: Channel
    client_id: str
    last_update_timestamp: int
    """Time of the last heartbeat, in ms."""


class ConsumerGroupInfo:
    """The channels of a group's members (``channelInfoTable``). Times are in ms."""

    def __init__(self) -> None:
        self.channel_info_table: dict[Channel, ClientChannelInfo] = {}

    def get_all_channel(self) -> list[Channel]:
        """Return the channels to notify."""
        return list(self.channel_info_table)

    def get_all_client_id(self) -> list[str]:
        """Return the ids of all channels; an id with two channels is listed twice."""
        return [info.client_id for info in self.channel_info_table.values()]

    def update_channel(self, info_new: ClientChannelInfo, now: int) -> bool:
        """Add or refresh a channel; return whether it is new."""
        updated = False
        info_old = self.channel_info_table.get(info_new.channel)
        if info_old is None:
            self.channel_info_table[info_new.channel] = info_new
            updated = True
            info_old = info_new
        elif info_old.client_id != info_new.client_id:
            self.channel_info_table[info_new.channel] = info_new
        info_old.last_update_timestamp = now
        return updated

    def unregister_channel(self, channel: Channel) -> bool:
        """Remove a channel on its client's request; return whether it was there."""
        return self.channel_info_table.pop(channel, None) is not None

    def do_channel_close_event(self, channel: Channel) -> bool:
        """Remove a closed channel; return whether it was there."""
        return self.channel_info_table.pop(channel, None) is not None


# Python code of a broker's producer registry (``ProducerManager``).
# It matters here because every client instance has a producer, whose expired channel is closed, too.

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


# Python code of a broker's notifications of membership changes.
# Mirror of ``DefaultConsumerIdsChangeListener``.


class DefaultConsumerIdsChangeListener:
    """Sends or collects notifications of membership changes (event ``CHANGE``).

    Other events concern filters. From 5.0 on, changes can be collected and sent later.
    """

    def __init__(self, *, notify_consumer_ids_changed_enable: bool, real_time_notify_consumer_change: bool) -> None:
        self.notify_consumer_ids_changed_enable = notify_consumer_ids_changed_enable
        self.real_time_notify_consumer_change = real_time_notify_consumer_change
        self.consumer_channel_map: dict[str, Sequence[Channel]] = {}
        self.process_map: dict[str, Sequence[Channel]] | None = None
        """Copy of the collected notifications while they are being sent.

        It exists between the two steps of ``notifyConsumerChange``; else None.
        """
        self.sent: list[tuple[str, Sequence[Channel]]] = []
        """Sent notifications, each a pair of a group and the notified channels."""

    def handle_change(self, group: str, channels: Sequence[Channel]) -> None:
        """Notify the group's channels now, collect the notification, or do neither, as configured."""
        if not self.notify_consumer_ids_changed_enable:
            return
        if self.real_time_notify_consumer_change:
            self.sent.append((group, channels))
        else:
            self.consumer_channel_map[group] = channels

    def copies(self) -> None:
        """First half of ``notifyConsumerChange``: copy the collected notifications."""
        self.process_map = dict(self.consumer_channel_map)

    def replaces(self) -> None:
        """Second half of ``notifyConsumerChange``: send the copied notifications.

        The collected ones are replaced by an empty map first.
        """
        self.consumer_channel_map = {}
        if self.notify_consumer_ids_changed_enable:
            self.sent.extend((self.process_map or {}).items())
        self.process_map = None


# Python code of a broker's consumer registry, and of its query for a group's client ids.
# Mirror of ``ConsumerManager`` and ``ConsumerManageProcessor.getConsumerListByGroup``.


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


# Python code of a broker's handling of closed connections, and its scan every ten seconds.
# Mirror of ``ClientHousekeepingService``.


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
