"""Whom a broker notifies that a group has changed, and when (``DefaultConsumerIdsChangeListener``)."""

from collections.abc import Sequence

from rebalance_proofs.model.registry.consumer_group_info import Channel

__all__ = ["DefaultConsumerIdsChangeListener"]


class DefaultConsumerIdsChangeListener:
    """Handling of the event ``CHANGE``; other events are about filters. From 5.0 on, changes can be collected."""

    def __init__(self, *, notify_consumer_ids_changed_enable: bool, real_time_notify_consumer_change: bool) -> None:
        self.notify_consumer_ids_changed_enable = notify_consumer_ids_changed_enable
        self.real_time_notify_consumer_change = real_time_notify_consumer_change
        self.consumer_channel_map: dict[str, Sequence[Channel]] = {}
        self.process_map: dict[str, Sequence[Channel]] | None = None
        """The copy of the collected map, between the two steps of ``notifyConsumerChange``; else None."""
        self.sent: list[tuple[str, Sequence[Channel]]] = []
        """Notifications sent: each group with the channels that were notified."""

    def handle_change(self, group: str, channels: Sequence[Channel]) -> None:
        """Notify the channels now, collect the notification, or do neither, as configured."""
        if not self.notify_consumer_ids_changed_enable:
            return
        if self.real_time_notify_consumer_change:
            self.sent.append((group, channels))
        else:
            self.consumer_channel_map[group] = channels

    def copies(self) -> None:
        """First half of ``notifyConsumerChange``: copy the map."""
        self.process_map = dict(self.consumer_channel_map)

    def replaces(self) -> None:
        """Second half of ``notifyConsumerChange``: replace the map by an empty one, and send what was copied."""
        self.consumer_channel_map = {}
        if self.notify_consumer_ids_changed_enable:
            self.sent.extend((self.process_map or {}).items())
        self.process_map = None
