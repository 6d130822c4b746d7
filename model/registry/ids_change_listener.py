"""Whom a broker notifies that a group has changed, and when (``DefaultConsumerIdsChangeListener``)."""

from collections.abc import Sequence

from rebalance_proofs.model.registry.consumer_group_info import Channel

__all__ = ["DefaultConsumerIdsChangeListener"]


class DefaultConsumerIdsChangeListener:
    """``CHANGE`` alone: other events are about filters. From 5.0 on, changes can be collected."""

    def __init__(self, *, notify_consumer_ids_changed_enable: bool, real_time_notify_consumer_change: bool) -> None:
        self.notify_consumer_ids_changed_enable = notify_consumer_ids_changed_enable
        self.real_time_notify_consumer_change = real_time_notify_consumer_change
        self.consumer_channel_map: dict[str, Sequence[Channel]] = {}
        self.process_map: dict[str, Sequence[Channel]] | None = None
        """What ``notifyConsumerChange`` has copied, between its two steps."""
        self.sent: list[tuple[str, Sequence[Channel]]] = []
        """Notifications, group by group, with those to whom they were sent."""

    def handle_change(self, group: str, channels: Sequence[Channel]) -> None:
        """Sent, collected, or neither."""
        if not self.notify_consumer_ids_changed_enable:
            return
        if self.real_time_notify_consumer_change:
            self.sent.append((group, channels))
        else:
            self.consumer_channel_map[group] = channels

    def copies(self) -> None:
        """The first half of ``notifyConsumerChange``: the map is copied."""
        self.process_map = dict(self.consumer_channel_map)

    def replaces(self) -> None:
        """Its other half: a new map takes the place of the old one, and what was copied is sent."""
        self.consumer_channel_map = {}
        if self.notify_consumer_ids_changed_enable:
            self.sent.extend((self.process_map or {}).items())
        self.process_map = None
