"""Python code of ``DefaultConsumerIdsChangeListener``: notifications of membership changes."""

from collections.abc import Sequence

from rebalance_proofs.model.registry.consumer_group_info import Channel

__all__ = ["DefaultConsumerIdsChangeListener"]


class DefaultConsumerIdsChangeListener:
    """Handler of the event ``CHANGE``; other events concern filters.

    From 5.0 on, changes can be collected.
    """

    def __init__(self, *, notify_consumer_ids_changed_enable: bool, real_time_notify_consumer_change: bool) -> None:
        self.notify_consumer_ids_changed_enable = notify_consumer_ids_changed_enable
        self.real_time_notify_consumer_change = real_time_notify_consumer_change
        self.consumer_channel_map: dict[str, Sequence[Channel]] = {}
        self.process_map: dict[str, Sequence[Channel]] | None = None
        """Copy of the collected map between the two steps of ``notifyConsumerChange``; else None."""
        self.sent: list[tuple[str, Sequence[Channel]]] = []
        """Notifications sent: pairs of a group and the notified channels."""

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
        """Second half of ``notifyConsumerChange``: replace the map by an empty one, and send the copy."""
        self.consumer_channel_map = {}
        if self.notify_consumer_ids_changed_enable:
            self.sent.extend((self.process_map or {}).items())
        self.process_map = None
