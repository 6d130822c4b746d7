"""The route of one topic as one client has it (``MQClientInstance.updateTopicRouteInfoFromNameServer``)."""

from rebalance_proofs.model.possible import need

__all__ = ["Route"]


class Route:
    """It is polled. A new one is put into ``topicSubscribeInfoTable``; nothing wakes the rebalance thread."""

    def __init__(self) -> None:
        self.moved = False
        """The route has changed at the name servers, for the last time."""
        self.moved_at = self.polled = 0
        self.seen = False
        """The client has the new one."""

    def moves(self, now: int) -> None:
        """It changes."""
        need(not self.moved)
        self.moved, self.moved_at = True, now

    def polls(self, now: int) -> None:
        """An answer comes."""
        self.polled, self.seen = now, self.moved
