"""The route of one topic as one client has it (``MQClientInstance.updateTopicRouteInfoFromNameServer``)."""

from rebalance_proofs.model.possible import need

__all__ = ["Route"]


class Route:
    """It is polled. A new one is put into ``topicSubscribeInfoTable``; nothing wakes the rebalance thread."""

    def __init__(self) -> None:
        self.moved_at: int | None = None
        """When the route changed at the name servers, for the last time."""
        self.polled = 0
        self.seen = False
        """The client has the new one."""

    def moves(self, now: int) -> None:
        """It changes."""
        need(self.moved_at is None)
        self.moved_at = now

    def polls(self, now: int) -> None:
        """An answer comes."""
        self.polled, self.seen = now, self.moved_at is not None
