"""Python code of another broker that gets every heartbeat of a run's member."""

from typing import TYPE_CHECKING, Any

from rebalance_proofs.model.machine.run import Run
from rebalance_proofs.model.machine.values import number
from rebalance_proofs.model.registry.broker import (
    Channel,
    ClientChannelInfo,
    ConsumerManager,
    DefaultConsumerIdsChangeListener,
)
from rebalance_proofs.model.registry.group import GROUP, ID

if TYPE_CHECKING:
    from rebalance_proofs.model.machines.registry.state import Limits


def elsewhere(run: Run[Any, "Limits"]) -> int:
    """Return how many times the other broker lists the member at the end of the run."""
    other = _Elsewhere(run.limits)
    for seen in run.seen:
        other.until(seen.at)
        other.hears(seen.happens.action, seen.at)
    return (other.broker.get_consumer_list_by_group(GROUP) or []).count(ID)


class _Elsewhere:
    """Another broker, to which the member has one connection during the whole run.

    Times are in ms.
    """

    def __init__(self, limits: "Limits") -> None:
        self.beat, self.scan = number(limits.beat), number(limits.scan)
        listener = DefaultConsumerIdsChangeListener(
            notify_consumer_ids_changed_enable=True, real_time_notify_consumer_change=True
        )
        self.broker = ConsumerManager(listener, number(limits.expired))
        self.channel = Channel()
        self.heard: int | None = None
        """Time of the last heartbeat; None if the member was not started or has gone."""
        self.scanned = 0

    def until(self, now: int) -> None:
        """Let time pass until ``now``; heartbeats and scans come as late as allowed."""
        while True:
            beat = now + 1 if self.heard is None else self.heard + self.beat
            due = min(beat, self.scanned + self.scan)
            if due > now:
                return
            if due == beat:
                self._beats(due)
            else:
                self.scanned = due
                self.broker.scan_not_active_channel(due)

    def hears(self, action: str, now: int) -> None:
        """Perform a member's action that reaches every broker; ignore other actions."""
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
