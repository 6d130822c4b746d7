"""Another broker that each heartbeat of the member reaches: its code, beside that of the broker of a run."""

from rebalance_proofs.model.registry.consumer_group_info import Channel, ClientChannelInfo
from rebalance_proofs.model.registry.consumer_manager import ConsumerManager
from rebalance_proofs.model.registry.group import GROUP, ID
from rebalance_proofs.model.registry.ids_change_listener import DefaultConsumerIdsChangeListener
from rebalance_proofs.model.registry.limits import Limits

__all__ = ["Elsewhere"]


class Elsewhere:
    """The member has one connection to it, which lasts as long as it does. Times are in ms."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        listener = DefaultConsumerIdsChangeListener(
            notify_consumer_ids_changed_enable=True, real_time_notify_consumer_change=True
        )
        self.broker = ConsumerManager(listener, limits.expired)
        self.channel = Channel()
        self.heard: int | None = None
        """When the last heartbeat came; None: it was not started, or has gone."""
        self.scanned = 0

    def until(self, now: int) -> None:
        """Heartbeats and scans come as late as they may."""
        while True:
            beat = now + 1 if self.heard is None else self.heard + self.limits.beat
            due = min(beat, self.scanned + self.limits.scan)
            if due > now:
                return
            if due == beat:
                self._beats(due)
            else:
                self.scanned = due
                self.broker.scan_not_active_channel(due)

    def hears(self, action: str, now: int) -> None:
        """What the member does, of which every broker hears."""
        if action == "starts":
            self._beats(now)
        elif action in ("leaves", "dies", "vanishes"):
            self.heard = None
            if action == "leaves":
                self.broker.unregister_consumer(GROUP, self.channel)
            elif action == "dies":
                self.broker.do_channel_close_event(self.channel)

    def _beats(self, now: int) -> None:
        info = ClientChannelInfo(self.channel, ID, now)
        self.broker.register_consumer(GROUP, self.broker.group_info(GROUP), info, now)
        self.heard = now

    @property
    def listed(self) -> int:
        """How often its id stands in that broker's answer."""
        return (self.broker.get_consumer_list_by_group(GROUP) or []).count(ID)
