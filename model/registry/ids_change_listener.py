"""Python code of a broker's notifications of membership changes.

Mirror of ``DefaultConsumerIdsChangeListener``.
"""

from collections.abc import Sequence

from rebalance_proofs.model.registry.consumer_group_info import Channel


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
